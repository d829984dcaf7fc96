package settings

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

var allSources = []rule.Source{rule.UserSettings, rule.ProjectSettings, rule.LocalSettings, rule.FlagSettings, rule.PolicySettings}

// TestS46_KeptLimits: each limit is in force from each source in which it counts, also from a
// workspace that nobody has trusted, and from no other.
func TestS46_KeptLimits(t *testing.T) {
	for _, c := range []struct {
		text    string
		sources []rule.Source
		want    permission.Limits
	}{
		{`"permissions": {"blockReadsOutsideWorkingDirectories": true}`, allSources, permission.Limits{BlockReads: true}},
		{`"permissions": {"blockWritesOutsideWorkingDirectories": true}`, allSources, permission.Limits{BlockWrites: true}},
		{`"permissions": {"denyInsteadOfPrompting": true}`, notWorkspace, permission.Limits{NoPrompts: true}},
		{`"permissions": {"disableAutoMode": "disable"}`, allSources, permission.Limits{DisableAuto: true}},
		{`"permissions": {"disableAutoMode": true}`, allSources, permission.Limits{DisableAuto: true}},
		{`"permissions": {"disableAutoMode": ""}`, nil, permission.Limits{}},
		{`"disableAutoMode": "disable"`, allSources, permission.Limits{DisableAuto: true}},
		{`"permissions": {"disableBypassPermissionsMode": "disable"}`, allSources, permission.Limits{DisableBypass: true}},
		{`"allowManagedPermissionRulesOnly": true`, managedOnly, permission.Limits{ManagedRulesOnly: true}},
		{`"allowManagedPermissionRulesOnly": false`, nil, permission.Limits{}},
		{`"autoMode": {"hard_deny": ["never deploy"]}`, allSources, permission.Limits{DisableAuto: true}},
		{`"autoMode": {"soft_deny": ["$defaults", "never deploy"]}`, allSources, permission.Limits{DisableAuto: true}},
		{`"autoMode": {"classifyAllShell": true}`, allSources, permission.Limits{DisableAuto: true}},
		{`"autoMode": {"never": ["deploy"]}`, allSources, permission.Limits{DisableAuto: true}},
		{`"autoMode": {"hard_deny": ["$defaults"], "soft_deny": [], "allow": ["x"], "classifyAllShell": false}`, nil, permission.Limits{}},
		{
			`"permissions": {"blockReadsExemptPaths": ["/data", "~/x", "/a/../b", " /c", "x", "/", "/d/"]}`,
			[]rule.Source{rule.FlagSettings},
			permission.Limits{ReadsExempt: []string{"/data"}},
		},
	} {
		for _, source := range allSources {
			w := newWorld(t)
			w.put(source, "{"+c.text+"}")
			s, err := Load(w.Options)
			if err != nil {
				t.Errorf("%v %s: %v", source, c.text, err)
				continue
			}
			want := permission.Limits{}
			if slices.Contains(c.sources, source) {
				want = c.want
			}
			if got := s.Config().Limits; !reflect.DeepEqual(got, want) {
				t.Errorf("%v %s: %+v, want %+v", source, c.text, got, want)
			}
			silent := !slices.Contains(kinds(s.Reports), NoEffect.String())
			if dropped := c.sources != nil && !slices.Contains(c.sources, source); silent == dropped {
				t.Errorf("%v %s: %v", source, c.text, s.Reports)
			}
		}
	}
}

func TestS46_AutoModeIsRefusedWithItsPlace(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, "{\"permissions\": {\"defaultMode\": \"auto\"},\n\"autoMode\": {\"hard_deny\": [\"never deploy\"]}}")
	s := w.load()
	if s.Config().Mode != permission.Default {
		t.Errorf("the mode is %v", s.Config().Mode)
	}
	i := slices.IndexFunc(s.Reports, func(r Report) bool { return r.Kind == ModeRefused })
	if i < 0 || s.Reports[i].Line != 2 || !strings.Contains(s.Reports[i].Text, "autoMode.hard_deny") {
		t.Errorf("it is not said where: %v", s.Reports)
	}
}

// TestS46_ManagedOnly: allow rules and hooks of other files do not count, which is said; their
// deny and ask rules do.
func TestS46_ManagedOnly(t *testing.T) {
	const hooks = `"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}`
	w := newWorld(t)
	w.put(rule.PolicySettings, `{"allowManagedPermissionRulesOnly": true, "allowManagedHooksOnly": true, "permissions": {"allow": ["Bash(a)"]}, `+hooks+`}`)
	for _, source := range []rule.Source{rule.UserSettings, rule.FlagSettings, rule.LocalSettings} {
		w.put(source, `{"permissions": {"allow": ["Bash(b)"], "ask": ["Bash(c)"], "deny": ["Bash(d)"]}, `+hooks+`}`)
	}
	w.AllowedTools, w.TrustWorkspace = []string{"Bash(b)"}, true
	for _, trusted := range []bool{true, false} {
		w.TrustWorkspace = trusted
		s := w.load()
		for _, f := range s.Files {
			if got, want := len(f.Hooks.JSON) > 0, f.Source == rule.PolicySettings; got != want {
				t.Errorf("%v: hooks are in force: %v", f.Source, got)
			}
		}
		if len(s.HeldBack.Hooks) > 0 {
			t.Errorf("hooks that never run are held back: %v", s.HeldBack.Hooks)
		}
		ctx, err := s.Context(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range ctx.Rules() {
			got = append(got, r.Origin.Source.String()+" "+r.String())
		}
		slices.Sort(got)
		want := []string{
			"flagSettings Bash(c)", "flagSettings Bash(d)", "localSettings Bash(c)", "localSettings Bash(d)",
			"policySettings Bash(a)", "userSettings Bash(c)", "userSettings Bash(d)",
		}
		if !slices.Equal(got, want) {
			t.Errorf("trusted %v: the rules are %v, want %v", trusted, got, want)
		}
		said := 0
		for _, r := range s.Reports {
			if r.Kind == ManagedOnly {
				said++
			}
		}
		if said != 3 {
			t.Errorf("trusted %v: it is not said for each file: %v", trusted, s.Reports)
		}
	}
}

// TestS46_LimitsOfAFileThatBreaksStay: what a file forbade holds when it comes back broken.
func TestS46_LimitsOfAFileThatBreaksStay(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"denyInsteadOfPrompting": true}}`)
	s := w.load()
	w.put(rule.UserSettings, `{`)
	s, _ = Reload(w.Options, s)
	if !s.NoPrompts() {
		t.Error("the limit is lost")
	}
}
