package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/policy"
)

// Where no session goes on by itself a rule for one would reach nobody, and whoever answers is told how it
// goes on.
func TestT9_NoRuleForASessionThatRests(t *testing.T) {
	w := newWorld(t)
	ticket, edit := w.park(bash("npm test"))[0], w.park(call("Write", map[string]string{"file_path": filepath.Join(w.cwd, "a.txt"), "content": "x"}))[0]
	rests := func() bool {
		var v sessionView
		w.get("/api/v1/sessions/"+ticket.Session).into(t, &v)
		return v.Rests
	}
	if u := w.look(ticket.ID).Suggestion.Updates[0]; u.Destination != "session" || rests() {
		t.Errorf("%+v", u)
	}
	w.Resume = nil
	if u := w.look(ticket.ID).Suggestion.Updates[0]; u.Destination != "local" || slices.Contains(u.Scopes, "session") || !rests() {
		t.Errorf("%+v, it rests: %v", u, rests())
	}
	if got := w.approveAs(ticket.ID, ruled(ticket, "session")); got.code() != "invalid" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if d := w.look(edit.ID); d.Suggestion != nil || !strings.Contains(d.NoRule, "none goes on here") {
		t.Errorf("%+v, %q", d.Suggestion, d.NoRule)
	}
}

// A hook that is held back stops calls before any rule, and that is why there is none.
func TestWhyThereIsNoRuleBesideAHookThatIsHeldBack(t *testing.T) {
	w := newWorld(t)
	checker := w.Checker
	w.Checker = func(cwd string) (*policy.Checker, error) {
		c, err := checker(cwd)
		c.Settings.TrustWorkspace = false
		return c, err
	}
	w.must(os.WriteFile(filepath.Join(w.cwd, ".claude", "settings.json"), []byte(`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}`), 0o644))
	if d := w.look(w.park(bash("npm test"))[0].ID); d.Suggestion != nil || !strings.Contains(d.NoRule, "a hook of this workspace") || !strings.Contains(d.NoRule, "assent trust") {
		t.Errorf("%+v, %q", d.Suggestion, d.NoRule)
	}
}
