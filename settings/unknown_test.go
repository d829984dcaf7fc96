package settings

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func TestUnknownKeysAreListedWithTheirLines(t *testing.T) {
	w := newWorld(t) // nobody has trusted it
	w.put(rule.ProjectSettings, `{
  "$schema": "x", "permisions": {"deny": ["Bash(x)"]}, // two in a line
  "permissions": {
    "alow": [], "deny": ["Bash(y)"],
    "disableAutoMode": "disable",
  },
  "hooks": {"Later": []}, "env": {"A": "1"}, "mcpServers": {"a": {}}, "assent": {"classifier": "builtin"},
  "disableAllHooks": false, "enableAllProjectMcpServers": false, "enabledMcpjsonServers": [],
  "evil\u202e": 1
}`)
	w.put(rule.PolicySettings, `{"permissions": {"allow": [], "ask": [], "deny": [], "additionalDirectories": [],
		"defaultMode": "plan", "disableBypassPermissionsMode": "disable"}}`)
	want := map[rule.Source][]Key{rule.ProjectSettings: {
		{"$schema", 2}, {"permisions", 2}, {"permissions.alow", 4}, {"permissions.disableAutoMode", 5}, {`"evil\u202e"`, 9},
	}}
	for _, f := range w.load().Files {
		if !slices.Equal(f.UnknownKeys, want[f.Source]) {
			t.Errorf("%v: %v", f.Source, f.UnknownKeys)
		}
	}
}
