package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Where workers run the sessions nobody reads the settings of the server's own user, so no rule
// is offered or written there; and none in a project whose directory is not here.
func TestARuleIsOnlyKeptWhereASessionReadsIt(t *testing.T) {
	for _, shared := range []bool{false, true} {
		w := newWorld(t)
		if shared {
			w.elsewhere()
		}
		ticket := w.park(bash("npm test"))[0]
		d := w.look(ticket.ID)
		if d.Suggestion == nil {
			t.Fatalf("nothing is offered: %s", d.NoRule)
		}
		if u := d.Suggestion.Updates[0]; slices.Contains(u.Scopes, "user") == shared || (u.Files["user"] == "") != shared || !slices.Contains(u.Scopes, "local") {
			t.Errorf("with a database %v: %v are offered, %v", shared, u.Scopes, u.Files)
		}
		if !shared {
			continue
		}
		a := w.approveAs(ticket.ID, ruled(ticket, "user"))
		if a.status != 400 || !strings.Contains(a.body, "add the rule to ~/.claude/settings.json of the user as whom the workers run") {
			t.Errorf("%d %s", a.status, a.body)
		}
		w.must(os.Rename(w.cwd, filepath.Join(w.top, "moved")))
		if d := w.look(ticket.ID); d.Suggestion != nil || !strings.Contains(d.NoRule, "does not exist here") {
			t.Errorf("without the directory: %+v, %q", d.Suggestion, d.NoRule)
		}
		for _, scope := range []string{"local", "project", "user"} {
			if a := w.approveAs(ticket.ID, ruled(ticket, scope)); a.status < 400 || a.status >= 500 || !strings.Contains(a.body, "does not exist here") {
				t.Errorf("%s: %d %s", scope, a.status, a.body)
			}
		}
		if d := w.look(ticket.ID); d.State != "pending" {
			t.Errorf("it is %s all the same", d.State)
		}
	}
}
