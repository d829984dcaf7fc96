//go:build !windows

package desk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
)

// moveAway moves the tickets away, as is advised when they are damaged.
func (o *office) moveAway() {
	o.t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		path := filepath.Join(o.dir, "state.db"+suffix)
		if err := os.Rename(path, path+".old"); err != nil && !os.IsNotExist(err) {
			o.t.Fatal(err)
		}
	}
}

// A process that lives on hears what people say at the tickets that are there now, and not
// at those that it has opened once.
func TestS27_TicketsThatAreMovedAwayUnderALivingProcess(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	o.moveAway()
	if word := o.look(c); word.Kind != agent.NoWord || approval.Exists(o.dir) {
		t.Errorf("%+v", word)
	}
	other := newOfficeIn(t, o.dir) // of another process, which finds no tickets
	other.park(c)
	other.approve("")
	if word := o.look(c); word.Kind != agent.Yes || word.By != "ann" {
		t.Errorf("%+v", word)
	}
	if err := o.Cancel(t.Context(), []agent.ParkedCall{c}, "a prompt"); err == nil {
		t.Error("what was approved is cancelled")
	}
	claim, err := claimNow(t, o, c, c.Input)
	if err != nil || o.state() != approval.Running {
		t.Fatalf("%v, %s", err, o.state())
	}
	o.moveAway() // also while it runs: the result is on record in the session
	if err := claim.Finish(t.Context(), true); err != nil {
		t.Error(err)
	}
	if err := o.Settle(t.Context(), c, agent.RanWell); err != nil {
		t.Error(err)
	}
}
