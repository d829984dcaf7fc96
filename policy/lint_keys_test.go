package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

func TestLintKeys(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // "line: fix"
	}{
		{"as they should be", `{"$schema": "x", "permissions": {"allow": [], "ask": [], "deny": [], "additionalDirectories": [],
			"defaultMode": "plan", "disableBypassPermissionsMode": "disable", "disableAutoMode": false},
			"hooks": {}, "env": {}, "assent": {}, "model": "x", "agent": "", "statusLine": {}, "enabledPlugins": {}, "disabledMcpjsonServers": []}`, nil},
		{"near misses", "{\n\"permissions\": { // they are lost\n\"denied\": [\"Bash\"],\n\"alow\": [],\n\"asks\": [],\n\"additionalDirs\": [],\n},}", []string{
			`3: did you mean "deny"?`, `4: did you mean "allow"?`, `5: did you mean "ask"?`, `6: did you mean "additionalDirectories"?`,
		}},
		{"something else", `{"permissions": {"rules": []}}`, []string{
			"1: remove it; permissions has the keys " + strings.Join(settings.ReadKeys("permissions"), ", "),
		}},
		{"in a sandbox", `{"sandbox": {"failIfUnavailble": true}}`, []string{`1: did you mean "failIfUnavailable"?`}},
		{"at the top", "{\"permission\": {\"deny\": []},\n\"hook\": {}}", []string{`1: did you mean "permissions"?`, `2: did you mean "hooks"?`}},
		{"outside of permissions", "{\n\"deny\": [\"Bash\"],\n\"denyInsteadOfPrompting\": true}", []string{
			`2: move it into "permissions": {"deny": …}`, `3: move it into "permissions": {"denyInsteadOfPrompting": …}`,
		}},
		{"spelt otherwise", "{\n\"permissions.deny\": [\"Bash\"],\n\" Deny\": [\"Bash\"],\n\"sandbox.enabled\": true}", []string{
			`2: move it into "permissions": {"deny": …}`, `3: move it into "permissions": {"deny": …}`, `4: move it into "sandbox": {"enabled": …}`,
		}},
		{"under autoMode", `{"autoMode": {"allow": [], "hard_denny": ["x"]}}`, []string{`1: did you mean "hard_deny"?`}},
		{"outside of assent", "{\n\"approvals\": {\"any\": {\"approvers\": 2}},\n\"notifications\": []}", []string{
			`2: move it into "assent": {"approvals": …}`, `3: move it into "assent": {"notifications": …}`,
		}},
		{"after a byte order mark", "\xef\xbb\xbf{\"hook\": {}}", []string{`1: did you mean "hooks"?`}},
	} {
		var got []string
		for _, f := range lintFiles(t, map[string]string{"proj/.claude/settings.json": c.text}) {
			got = append(got, fmt.Sprintf("%d: %s", f.Line, f.Fix))
			if f.Severity != Warning || f.Code != "unknown-key" || !strings.Contains(f.Text, "is not read: nothing under it counts") {
				t.Errorf("%s: got %+v", c.name, f)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// A suggestion can be pasted: it is a rule that can be read.
func TestSuggestionsAreNotMalformed(t *testing.T) {
	for _, text := range []string{"WebFech(x)", "Raed(a//../b)", "Edti(!x)"} {
		for _, f := range lintFiles(t, map[string]string{"proj/.claude/settings.json": `{"permissions": {"deny": ["` + text + `"]}}`}) {
			suggested, ok := strings.CutPrefix(f.Fix, "did you mean ")
			suggested, _, ends := strings.Cut(suggested, "?")
			if !ok || !ends {
				continue
			}
			if _, note, _ := readRule(suggested, rule.Deny, rule.ProjectSettings); note != "" {
				t.Errorf("%s: suggests %s, but %s", text, suggested, note)
			}
		}
	}
}

// TestS46_LintNamesWhatStopsTheStart: and what counts for nothing where it stands.
func TestS46_LintNamesWhatStopsTheStart(t *testing.T) {
	for text, want := range map[string]string{
		`{"sandbox": {"enabled": true, "failIfUnavailable": true}}`:         "sandbox.failIfUnavailable demands",
		`{"sandbox": {"allowUnsandboxedCommands": false, "enabled": true}}`: "sandbox.allowUnsandboxedCommands demands",
		`{"settings": {"permissions": {"deny": ["Bash"]}}}`:                 "settings.permissions does not stand at the top",
		`{"permissions": {"denyInsteadOfPrompting": true}}`:                 "permissions.denyInsteadOfPrompting has no effect in this file: it counts only in user settings, --settings, managed settings",
		`{"allowManagedHooksOnly": true}`:                                   "allowManagedHooksOnly has no effect in this file: it counts only in managed settings",
		`{"requiredMinimumVersion": "3"}`:                                   "requiredMinimumVersion speaks of the vendor's version",
	} {
		found := lintFiles(t, map[string]string{"proj/.claude/settings.json": text})
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.Line == 1 && strings.HasPrefix(f.Text, want) }) {
			t.Errorf("%s: %+v", text, found)
		}
	}
}
