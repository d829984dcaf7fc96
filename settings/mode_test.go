package settings

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func modeFile(mode string) string { return `{"permissions": {"defaultMode": "` + mode + `"}}` }

// files maps a source to the defaultMode of its file.
type files map[rule.Source]string

func TestS5_NearestModeWins(t *testing.T) {
	for _, c := range []struct {
		name  string
		files files
		flag  permission.Mode
		want  permission.Mode
	}{
		{"nothing", nil, 0, permission.Default},
		{"user", files{rule.UserSettings: "plan"}, 0, permission.Plan},
		{"project over user", files{rule.UserSettings: "plan", rule.ProjectSettings: "acceptEdits"}, 0, permission.AcceptEdits},
		{"local over project", files{rule.LocalSettings: "dontAsk", rule.ProjectSettings: "acceptEdits"}, 0, permission.DontAsk},
		{"managed over local", files{rule.LocalSettings: "acceptEdits", rule.PolicySettings: "plan"}, 0, permission.Plan},
		{"no looser flag over managed", files{rule.PolicySettings: "plan"}, permission.AcceptEdits, permission.Plan},
		{"a stricter flag over managed", files{rule.PolicySettings: "acceptEdits"}, permission.Plan, permission.Plan},
		{"newer name of default", files{rule.UserSettings: "acceptEdits", rule.LocalSettings: "manual"}, 0, permission.Default},
		{"bypass of a trusted project", files{rule.ProjectSettings: "bypassPermissions"}, 0, permission.BypassPermissions},
		{"unknown alone", files{rule.LocalSettings: "plann"}, 0, permission.Default},
		{"unknown never uncovers a looser one", files{rule.LocalSettings: "plann", rule.UserSettings: "bypassPermissions"}, 0, permission.Default},
		{"unknown before a stricter one", files{rule.LocalSettings: "yolo", rule.UserSettings: "plan"}, 0, permission.Plan},
		{"bubble cannot be chosen", files{rule.LocalSettings: "bubble"}, 0, permission.Default},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t).trusted()
			for s, m := range c.files {
				w.put(s, modeFile(m))
			}
			w.Mode = c.flag
			s := w.load()
			if got := s.Config().Mode; got != c.want {
				t.Errorf("mode %v, want %v", got, c.want)
			}
			if bypass := c.want == permission.BypassPermissions; s.Config().AllowBypass != bypass {
				t.Errorf("AllowBypass %v, want %v", s.Config().AllowBypass, bypass)
			}
		})
	}
}

func TestUnknownModeIsReported(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, "{\"permissions\": {\n\"defaultMode\": \"yolo\"}}")
	s := w.load()
	equal(t, "reports", kinds(s.Reports), []string{"unknown mode"})
	if r := s.Reports[0]; r.Line != 2 || r.Hint == "" {
		t.Errorf("report %v", r)
	}
}

func TestS33_UntrustedWorkspaceOnlyTightensTheMode(t *testing.T) {
	for _, c := range []struct {
		user, project string
		want          permission.Mode
		held          permission.Mode
	}{
		{"", "acceptEdits", permission.Default, permission.AcceptEdits},
		{"", "auto", permission.Default, permission.Auto},
		{"", "bypassPermissions", permission.Default, permission.BypassPermissions},
		{"", "plan", permission.Plan, 0},
		{"", "dontAsk", permission.DontAsk, 0},
		{"", "default", permission.Default, 0},
		{"acceptEdits", "plan", permission.Plan, 0},
		{"acceptEdits", "default", permission.Default, 0},
		{"bypassPermissions", "acceptEdits", permission.AcceptEdits, 0},
		{"bypassPermissions", "auto", permission.Auto, 0},
		{"plan", "default", permission.Plan, permission.Default},
		{"plan", "dontAsk", permission.Plan, permission.DontAsk},
		{"dontAsk", "plan", permission.DontAsk, permission.Plan},
		{"dontAsk", "default", permission.DontAsk, permission.Default},
		{"plan", "yolo", permission.Plan, 0},
	} {
		t.Run(c.user+" "+c.project, func(t *testing.T) {
			w := newWorld(t)
			if c.user != "" {
				w.put(rule.UserSettings, modeFile(c.user))
			}
			w.put(rule.ProjectSettings, modeFile(c.project))
			s := w.load()
			if got := s.Config().Mode; got != c.want {
				t.Errorf("mode %v, want %v", got, c.want)
			}
			if s.HeldBack.Mode != c.held {
				t.Errorf("held back %v, want %v", s.HeldBack.Mode, c.held)
			}
			reported := false
			for _, r := range s.Reports {
				reported = reported || r.Kind == HeldBackGrant
			}
			if reported != (c.held != 0) {
				t.Errorf("reports %v", s.Reports)
			}
		})
	}
}

func TestS5_DisableBypassHoldsWhoeverSetsIt(t *testing.T) {
	for _, source := range []rule.Source{rule.UserSettings, rule.ProjectSettings, rule.LocalSettings, rule.PolicySettings} {
		for _, value := range []string{"disable", "disabled"} {
			w := newWorld(t) // the workspace is not trusted
			w.put(source, "{\"permissions\":\n{\"disableBypassPermissionsMode\": \""+value+`"}}`)
			w.Mode, w.AllowBypass = permission.BypassPermissions, true
			s := w.load()
			c := s.Config()
			if c.Mode != permission.Default || c.AllowBypass || !c.DisableBypass {
				t.Errorf("%v %s: %+v", source, value, c)
			}
			if r := find(t, s.Reports, BypassDisabled); r.File != w.path(source) || r.Line != 2 {
				t.Errorf("%v: report %v", source, r)
			}
		}
	}
}

func TestDisableBypassIsSilentWhenNobodyAskedForIt(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"disableBypassPermissionsMode": "disable"}}`)
	s := w.load()
	if !s.Config().DisableBypass || len(s.Reports) > 0 {
		t.Errorf("%+v %v", s.Config(), s.Reports)
	}
}

// Others may tighten the administrator's mode. What would loosen it is refused, and
// that is said.
func TestS5_ManagedModeIsOnlyTightened(t *testing.T) {
	for _, c := range []struct {
		name    string
		managed string
		files   files
		flag    permission.Mode
		want    permission.Mode
		refused int
	}{
		{"a looser flag", "plan", nil, permission.BypassPermissions, permission.Plan, 1},
		{"default over plan", "plan", nil, permission.Default, permission.Plan, 1},
		{"neither is stricter", "plan", nil, permission.DontAsk, permission.Plan, 1},
		{"a looser flag over default", "default", nil, permission.AcceptEdits, permission.Default, 1},
		{"the same", "plan", nil, permission.Plan, permission.Plan, 0},
		{"a stricter flag", "default", nil, permission.DontAsk, permission.DontAsk, 0},
		{"looser files", "plan", files{rule.UserSettings: "acceptEdits", rule.ProjectSettings: "bypassPermissions"}, 0, permission.Plan, 2},
		{"a stricter file", "acceptEdits", files{rule.UserSettings: "plan"}, 0, permission.Plan, 0},
		{"a stricter file behind a looser one", "acceptEdits", files{rule.LocalSettings: "auto", rule.UserSettings: "plan"}, 0, permission.Plan, 1},
		{"nothing is looser than bypass", "bypassPermissions", files{rule.UserSettings: "acceptEdits"}, 0, permission.AcceptEdits, 0},
		{"a misspelt one is a limit", "plann", nil, permission.BypassPermissions, permission.Default, 1},
		{"a misspelt one can be tightened", "plann", nil, permission.Plan, permission.Plan, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t).trusted()
			w.AllowBypass = true
			w.put(rule.PolicySettings, modeFile(c.managed))
			for s, m := range c.files {
				w.put(s, modeFile(m))
			}
			w.Mode = c.flag
			s := w.load()
			if got := s.Config().Mode; got != c.want {
				t.Errorf("mode %v, want %v", got, c.want)
			}
			refused := 0
			for _, r := range s.Reports {
				if r.Kind == ModeRefused {
					refused++
					if r.File == "" || r.Line != 1 || r.Hint == "" {
						t.Errorf("report %v", r)
					}
				}
			}
			if refused != c.refused {
				t.Errorf("%d were refused, want %d: %v", refused, c.refused, s.Reports)
			}
			ctx, err := permission.NewContext(s.Config())
			if err != nil {
				t.Fatal(err)
			}
			if c.managed == "plan" {
				if _, err := ctx.WithMode(permission.AcceptEdits); err == nil {
					t.Error("the mode could be loosened later")
				}
			}
		})
	}
}

func TestS5_StricterOfTwoManagedModes(t *testing.T) {
	for _, modes := range [][2]string{{"acceptEdits", "plan"}, {"plan", "acceptEdits"}} {
		w := newWorld(t)
		w.ManagedFiles = append(w.ManagedFiles, w.root+"/etc/vendor.json")
		w.put(rule.PolicySettings, modeFile(modes[0]))
		w.write(w.ManagedFiles[1], modeFile(modes[1]))
		if got := w.load().Config().Mode; got != permission.Plan {
			t.Errorf("%v: %v", modes, got)
		}
	}
}
