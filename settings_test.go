package assent_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// TestSettings_WhichCount: none of the user's and the workspace's unless somebody says so,
// and the workspace grants nothing unless somebody trusts it.
func TestSettings_WhichCount(t *testing.T) {
	const grant = `{"permissions": {"allow": ["Bash(touch:*)"]}}`
	const restrict = `{"permissions": {"deny": ["Bash(touch:*)"]}}`
	for name, tt := range map[string]struct {
		user, project string
		options       []assent.Option
		runs          bool
	}{
		"the user's by default":         {user: grant, runs: false},
		"the user's":                    {user: grant, options: []assent.Option{assent.SettingSources(rule.UserSettings)}, runs: true},
		"the workspace's by default":    {project: grant, options: []assent.Option{assent.TrustWorkspace()}, runs: false},
		"the workspace's":               {project: grant, options: []assent.Option{assent.SettingSources(rule.ProjectSettings), assent.TrustWorkspace()}, runs: true},
		"the workspace's, no trust":     {project: grant, options: []assent.Option{assent.SettingSources(rule.ProjectSettings)}, runs: false},
		"a deny that does not count":    {project: restrict, options: []assent.Option{assent.Allow("Bash(touch:*)")}, runs: true},
		"a deny needs no trust":         {project: restrict, options: []assent.Option{assent.Allow("Bash(touch:*)"), assent.SettingSources(rule.ProjectSettings)}, runs: false},
		"settings of the program":       {options: []assent.Option{assent.Settings(grant)}, runs: true},
		"a deny of the program":         {options: []assent.Option{assent.Settings(restrict), assent.Allow("Bash(touch:*)")}, runs: false},
		"the later of two sources":      {user: grant, options: []assent.Option{assent.SettingSources(rule.UserSettings), assent.SettingSources()}, runs: false},
		"a mode that needs a deny rule": {project: restrict, options: []assent.Option{assent.PermissionMode(permission.BypassPermissions), assent.SettingSources(rule.ProjectSettings)}, runs: false},
		"a mode":                        {options: []assent.Option{assent.PermissionMode(permission.BypassPermissions)}, runs: true},
		"ask beats the mode":            {options: []assent.Option{assent.PermissionMode(permission.BypassPermissions), assent.Ask("Bash(touch:*)")}, runs: false},
		"ask beats allow":               {options: []assent.Option{assent.Allow("Bash(touch:*)"), assent.Ask("Bash(touch:*)")}, runs: false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			if tt.user != "" {
				put(t, filepath.Join(p.home, ".claude", "settings.json"), tt.user)
			}
			if tt.project != "" {
				p.file(".claude/settings.json", tt.project)
			}
			all, _ := watch(t, "make it", p.with(touches("made"), tt.options...))
			if p.exists("made") != tt.runs {
				t.Errorf("it ran: %v; %q", p.exists("made"), all)
			}
		})
	}
}

// TestSettings_OfTheAdministrator count in any case.
func TestSettings_OfTheAdministrator(t *testing.T) {
	p := newPlace(t)
	managed := put(t, filepath.Join(p.home, "managed.json"), `{"permissions": {"deny": ["Bash(touch:*)"], "disableBypassPermissionsMode": "disable"}}`)
	all, result := watch(t, "make it", p.with(touches("made"), assent.ManagedFiles(managed), assent.Allow("Bash(touch:*)"), always(assent.Yes())))
	if p.exists("made") || len(result.Denials) != 1 {
		t.Errorf("%q", all)
	}
	client := opened(t, p.with(touches("made"), assent.ManagedFiles(managed), assent.AllowBypass())...)
	if err := client.SetPermissionMode(t.Context(), permission.BypassPermissions); err == nil {
		t.Error("the mode is one that the administrator forbids")
	}
	put(t, managed, `{"permissions": {`)
	if _, err := assent.Open(t.Context(), p.with(touches("made"), assent.ManagedFiles(managed))...); err == nil {
		t.Error("a file of the administrator that cannot be read was passed over")
	}
}

// TestSettings_Directories: where a session may write is where it works, and what was added.
func TestSettings_Directories(t *testing.T) {
	p := newPlace(t)
	other := filepath.Join(filepath.Dir(p.dir), "other")
	put(t, filepath.Join(other, "old"), "")
	script := "turns:\n  - call: {Write: {file_path: " + filepath.Join(other, "new") + ", content: x}}\nafterwards: Well.\n"
	for _, tt := range []struct {
		options []assent.Option
		denied  int
	}{
		{[]assent.Option{assent.PermissionMode(permission.AcceptEdits)}, 1},
		{[]assent.Option{assent.PermissionMode(permission.AcceptEdits), assent.AddDirs("../other")}, 0},
	} {
		if all, result := watch(t, "write", p.with(script, tt.options...)); len(result.Denials) != tt.denied {
			t.Errorf("%q", all)
		}
	}
}

// The model is told what the program wants.
func TestSettings_Instructions(t *testing.T) {
	p := newPlace(t)
	for name, tt := range map[string]struct {
		option      assent.Option
		has, hasNot string
	}{
		"replaced": {assent.SystemPrompt("You are a gardener."), "You are a gardener.", "software"},
		"added":    {assent.AppendSystemPrompt("You like roses."), "You like roses.", "gardener"},
	} {
		m := &instructed{Provider: play(t, "turns: []\nafterwards: Hello.\n")}
		watch(t, "hi", append(p.with("turns: []\nafterwards: Hello.\n"), assent.Provider(m), tt.option))
		if !strings.Contains(m.system, tt.has) || strings.Contains(m.system, tt.hasNot) {
			t.Errorf("%s: %s", name, m.system)
		}
	}
}

// TestSettings_Moved: the user's settings lie where the environment says, as the home directory
// does, unless the program names one.
func TestSettings_Moved(t *testing.T) {
	p := newPlace(t)
	const deny = `{"permissions": {"deny": ["Bash(touch:*)"]}}`
	file := put(t, filepath.Join(p.home, "moved", "settings.json"), deny)
	t.Setenv("HOME", p.home)
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Dir(file))
	options := []assent.Option{assent.Allow("Bash(touch:*)"), assent.SettingSources(rule.UserSettings)}
	mine := []assent.Option{assent.Dir(p.dir), assent.StateDir(p.state), assent.Provider(play(t, touches("made")))}
	watch(t, "make it", slices.Concat(mine, options))
	if p.exists("made") {
		t.Error("the deny rule was lost")
	}
	watch(t, "make it", p.with(touches("made"), options...))
	if !p.exists("made") {
		t.Error("it counts for another user")
	}
}
