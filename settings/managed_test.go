package settings

import (
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// managed is what the administrator wants, rebels what everybody else would like.
const (
	managed = `{"permissions": {
		"deny": ["Bash(tk d *)"], "ask": ["Bash(tk q *)"], "allow": ["Bash(tk a *)"],
		"disableBypassPermissionsMode": "disable"
	}}`
	rebels = `{"permissions": {
		"allow": ["Bash(tk *)", "Bash(tk d *)", "Bash(tk q *)", "Bash(tk d x)", "Bash(tk q x)", "Bash"],
		"deny": [], "ask": [],
		"defaultMode": "bypassPermissions"
	}}`
)

// holds checks that the administrator's word stands in a context.
func holds(t *testing.T, ctx *permission.Context) {
	t.Helper()
	for command, want := range map[string]permission.Behavior{
		"tk d x": permission.Deny, "tk q x": permission.Ask, "tk a x": permission.Allow,
		"tk a x && tk d x": permission.Deny, "tk a x; tk q x": permission.Ask,
	} {
		if got := decide(t, ctx, command); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
	if ctx.Mode() == permission.BypassPermissions {
		t.Error("the mode is bypassPermissions")
	}
	if _, err := ctx.WithMode(permission.BypassPermissions); !errors.Is(err, permission.ErrBypassDisabled) {
		t.Errorf("switching to bypassPermissions: %v", err)
	}
}

func TestP3_ManagedSettingsAreNeverOverridden(t *testing.T) {
	everybody := []func(w *world){
		func(w *world) { w.put(rule.UserSettings, rebels) },
		func(w *world) { w.put(rule.ProjectSettings, rebels) },
		func(w *world) { w.put(rule.LocalSettings, rebels) },
		func(w *world) { w.Flag = rebels },
		func(w *world) { w.AllowedTools = []string{"Bash", "Bash(tk d *)", "Bash(tk q *)"} },
		func(w *world) { w.Mode = permission.BypassPermissions },
		func(w *world) { w.AllowBypass = true },
		func(w *world) { w.Sources = []rule.Source{rule.UserSettings, rule.ProjectSettings, rule.LocalSettings} },
	}
	for name, who := range map[string][]func(w *world){
		"nobody": nil, "user": everybody[0:1], "project": everybody[1:2], "local": everybody[2:3], "--settings": everybody[3:4],
		"--allowedTools": everybody[4:5], "--permission-mode": everybody[5:6], "flag for bypass": everybody[6:7],
		"sources without managed ones": everybody[7:8], "all at once": everybody,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).trusted()
			w.put(rule.PolicySettings, managed)
			for _, rebel := range who {
				rebel(w)
			}
			ctx, err := permission.NewContext(w.load().Config())
			if err != nil {
				t.Fatal(err)
			}
			holds(t, ctx)
		})
	}
}

// Without the administrator the same rebels get their way, so the test above is
// about something.
func TestP3_RebelsWinWhereNothingIsManaged(t *testing.T) {
	w := newWorld(t).trusted()
	w.put(rule.ProjectSettings, rebels)
	ctx, err := permission.NewContext(w.load().Config())
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"tk d x", "tk q x"} {
		if got := decide(t, ctx, command); got != permission.Allow {
			t.Errorf("%s: %v", command, got)
		}
	}
	if ctx.Mode() != permission.BypassPermissions {
		t.Errorf("mode %v", ctx.Mode())
	}
}

func TestP3_UpdatesDoNotOverrideManagedSettings(t *testing.T) {
	for _, dest := range []rule.Source{rule.Session, rule.CLIArg, rule.LocalSettings, rule.ProjectSettings, rule.UserSettings} {
		t.Run(dest.String(), func(t *testing.T) {
			w := newWorld(t).trusted()
			w.AllowBypass = true
			w.put(rule.PolicySettings, managed)
			ctx, err := permission.NewContext(w.load().Config())
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range []permission.Update{
				ruleUpdate(permission.RemoveRules, rule.Deny, "Bash(tk d *)"),
				ruleUpdate(permission.RemoveRules, rule.Ask, "Bash(tk q *)"),
				ruleUpdate(permission.ReplaceRules, rule.Deny),
				ruleUpdate(permission.ReplaceRules, rule.Ask),
				ruleUpdate(permission.AddRules, rule.Allow, "Bash", "Bash(tk d *)", "Bash(tk q *)"),
			} {
				u.Destination = dest
				if ctx, err = ctx.Apply(u); err != nil {
					t.Fatal(err)
				}
				w.persist(u)
				holds(t, ctx)
			}
			next, err := permission.NewContext(w.load().Config())
			if err != nil {
				t.Fatal(err)
			}
			holds(t, next)
			if got := w.read(w.path(rule.PolicySettings)); got != managed {
				t.Errorf("the administrator's file says %s", got)
			}
		})
	}
}

func TestP3_NobodyWritesManagedSettings(t *testing.T) {
	w := newWorld(t)
	w.put(rule.PolicySettings, managed)
	ctx, err := permission.NewContext(w.load().Config())
	if err != nil {
		t.Fatal(err)
	}
	u := ruleUpdate(permission.ReplaceRules, rule.Deny)
	u.Destination = rule.PolicySettings
	if _, err := ctx.Apply(u); err == nil {
		t.Error("an update changed managed rules in memory")
	}
	w.persist(u)
	if got := w.read(w.path(rule.PolicySettings)); got != managed {
		t.Errorf("the administrator's file says %s", got)
	}
}

func TestP3_ManagedSettingsGrantWithoutTrust(t *testing.T) {
	w := newWorld(t)
	w.put(rule.PolicySettings, managed)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(tk p *)"], "deny": ["Bash(tk a secret)"]}}`)
	s := w.load()
	if got := s.TrustState().Status; got != Untrusted {
		t.Fatalf("trust %v", got)
	}
	ctx, err := permission.NewContext(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	holds(t, ctx)
	for command, want := range map[string]permission.Behavior{
		"tk p x":      permission.Ask,  // the workspace's own rule is held back
		"tk a secret": permission.Deny, // and whoever restricts is heard
	} {
		if got := decide(t, ctx, command); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}

func TestP3_EveryManagedFileCounts(t *testing.T) {
	w := newWorld(t).trusted()
	second := w.root + "/etc/vendor.json"
	w.ManagedFiles = append(w.ManagedFiles, second)
	w.put(rule.PolicySettings, rebels)
	w.write(second, managed)
	ctx, err := permission.NewContext(w.load().Config())
	if err != nil {
		t.Fatal(err)
	}
	holds(t, ctx)
	w.write(second, "{")
	if _, err := Load(w.Options); err == nil {
		t.Error("a broken managed file was passed over")
	}
}
