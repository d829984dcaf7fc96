package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

// examined is what [Examine] says about settings, and those of the user.
func examined(t *testing.T, o Options) (warned []string, err error) {
	t.Helper()
	o.Warn = func(text string) { warned = append(warned, text) }
	_, err = Examine(o)
	return warned, err
}

// What keeps every session from starting is known before the first one is to go on, with the sentence
// that each of them would say.
func TestS46_ExamineFindsWhatKeepsEverySessionFromStarting(t *testing.T) {
	for name, c := range map[string]struct {
		user, managed string
		change        func(*Options)
	}{
		"models":                 {user: `{"availableModels": ["opus"]}`},
		"no models":              {user: `{"deniedModels": ["opus"]}`},
		"models, and only those": {user: `{"enforceAvailableModels": true}`},
		"providers":              {managed: `{"allowedProviders": ["x"]}`},
		"a sign-in":              {managed: `{"forceLoginMethod": "console"}`},
		"an organisation":        {managed: `{"forceLoginOrgUUID": "x"}`},
		"what is not known":      {user: `{"permissions": {"foo": true}}`},
		"a sandbox":              {user: `{"sandbox": {"enabled": true, "failIfUnavailable": true}}`},
		"the environment":        {user: `{"env": {"A": 1}}`},
		"no agents of flags": {managed: `{"disableSideloadFlags": true}`, change: func(o *Options) {
			o.Agents = `{"a": {"description": "d", "prompt": "p"}}`
		}},
		"no servers of flags": {managed: `{"disableSideloadFlags": true}`, change: func(o *Options) {
			o.MCPConfig = []string{`{"mcpServers": {"a": {"command": "x"}}}`}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Settings.KeepsLimits = true // as those who only look have it
			managed := filepath.Join(o.Settings.Home, "managed.json")
			o.Settings.ManagedFiles = []string{managed}
			if c.user != "" {
				put(t, o.Settings.Home, ".claude/settings.json", c.user)
			}
			if c.managed != "" {
				put(t, o.Settings.Home, "managed.json", c.managed)
			}
			if c.change != nil {
				c.change(&o)
			}
			_, refused := Open(o)
			_, err := examined(t, o)
			if refused == nil || err == nil || err.Error() != refused.Error() {
				t.Errorf("examined: %v\nopened: %v", err, refused)
			}
		})
	}
}

// What a session says about the settings that hold for every one is said without a session, too, and
// what depends on its directory is not. Nothing is left behind.
func TestS47_ExamineSaysWhatASessionSays(t *testing.T) {
	o := options(t)
	put(t, o.Settings.Home, ".claude/settings.json", `{"sandbox": {"enabled": true}, "permissions": {
		"deny": ["Bsah", "Bash(rm"],
		"blockReadsExemptPaths": ["/etc"],
		"additionalDirectories": ["/nowhere/at/all"]
	}, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "nonsense"}]}]}, "mcpServers": {"a": 5}}`)
	put(t, o.Settings.Home, ".claude/agents/a.md", "---\nname: a\ndescription: d\ndisallowedTools: Bsah\n---\nx\n")
	var opened []string
	o.Warn = func(text string) { opened = append(opened, text) }
	mustClose(t, mustOpen(t, o))
	if err := os.RemoveAll(filepath.Join(o.Settings.Home, ".assent")); err != nil {
		t.Fatal(err)
	}
	put(t, o.Settings.Dir, ".mcp.json", `{"mcpServers": {"b": {"command": "x"}}}`)
	put(t, o.Settings.Dir, ".claude/settings.json", `{"permissions": {"allow": ["Bash(x"]}}`)
	o.Settings.AddDirs = []string{"not-here"}
	warned, err := examined(t, o)
	if err != nil || !slices.Equal(warned, opened) || len(opened) < 7 {
		t.Errorf("%v, examined:\n%s\nopened:\n%s", err, strings.Join(warned, "\n"), strings.Join(opened, "\n"))
	}
	if _, err := os.Lstat(filepath.Join(o.Settings.Home, ".assent")); err == nil {
		t.Error("something was left behind")
	}
	o.Settings.Sources, o.Settings.AddDirs = []rule.Source{rule.ProjectSettings}, nil
	if warned, err = examined(t, o); err != nil || len(warned) > 0 {
		t.Errorf("settings that do not count: %v, %q", err, warned)
	}
}
