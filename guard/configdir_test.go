package guard_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// The rules of a person who has moved their directory of settings hold for every agent, and
// one that cannot be found denies.
func TestConfigDir(t *testing.T) {
	for _, agent := range []dialect.Agent{dialect.Claude, dialect.Codex, dialect.Gemini, dialect.Cursor, dialect.Copilot} {
		w := newWorld(t, agent)
		dir := filepath.Join(w.home, "moved")
		w.user(`{"permissions": {"allow": ["Bash(make)"]}}`)
		w.write(dir, "settings.json", `{"permissions": {"deny": ["Bash(make:*)"], "allow": ["Bash(touch made)"]}}`)
		w.options.Settings.ConfigDir = dir
		if r := w.run("make"); w.letsThrough(r) || !strings.Contains(string(r.Stdout)+string(r.Stderr), dir) {
			t.Errorf("%v: %s%s", agent, r.Stdout, r.Stderr)
		}
		if r := w.run("touch made"); !w.letsThrough(r) {
			t.Errorf("%v: %s%s", agent, r.Stdout, r.Stderr)
		}
		for _, cannot := range []string{"moved", filepath.Join(w.home, "nowhere")} {
			w.options.Settings.ConfigDir = cannot
			if r := w.run("touch made"); w.letsThrough(r) {
				t.Errorf("%v, %s: %s%s", agent, cannot, r.Stdout, r.Stderr)
			}
		}
	}
}
