package desk_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// A desk knows every call of a session that was ever parked, whatever became of it, by the moment
// that stands on record; none that a guard holds, and none without tickets.
func TestT17_WhichCallsOfASessionHaveATicket(t *testing.T) {
	o, c := newOffice(t), deploy()
	if known, err := o.Recall(t.Context(), firstID); err != nil || len(known) > 0 || approval.Exists(o.dir) {
		t.Fatalf("%v, %v", known, err)
	}
	o.park(c)
	o.deny()
	again := c
	again.Since = c.Since.Add(time.Second)
	o.park(again)
	other := c
	other.Session = secondID
	o.park(other)
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) error {
		_, err := s.Hold(ctx, "claude", approval.Parking{Call: approval.Call{Session: firstID, ToolUseID: "held", Tool: "Bash", Input: c.Input, Cwd: c.Cwd}, Lasts: time.Hour, Outcome: permission.Deny})
		return err
	})
	known, err := o.Recall(t.Context(), firstID)
	if err != nil || len(known) != 2 {
		t.Fatalf("%+v, %v", known, err)
	}
	for i, since := range []time.Time{c.Since, again.Since} {
		if known[i].ToolUseID != "c1" || known[i].Tool != "Bash" || known[i].Ticket == "" || !known[i].Since.Equal(since) {
			t.Errorf("%+v", known[i])
		}
	}
}

// Tickets that cannot be opened are an error, and no empty list.
func TestT17_TicketsThatCannotBeOpened(t *testing.T) {
	o := newOffice(t)
	if err := os.WriteFile(filepath.Join(o.dir, "state.db"), []byte("no database at all, but long enough to be read as one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if known, err := o.Recall(t.Context(), firstID); err == nil {
		t.Errorf("%v", []session.Ticketed(known))
	}
}
