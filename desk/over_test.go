package desk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
)

// Tickets that were lent stay open, and when they were moved away nobody acts on others:
// people answer where who has lent them looks.
func TestS27_TicketsThatAreLent(t *testing.T) {
	dir := t.TempDir()
	store, err := approval.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	d, c := desk.Over(dir, store), deploy()
	if err := d.Park(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := store.Latest(t.Context()); err != nil {
		t.Errorf("they are closed: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "state.db"), filepath.Join(dir, "old.db")); err != nil {
		t.Fatal(err)
	}
	if err := d.Park(t.Context(), c); !errors.Is(err, approval.ErrMoved) {
		t.Errorf("%v", err)
	}
}

// An answer that can still be taken back is waited for: what it says then counts.
func TestA3_AnAnswerThatCanBeTakenBack(t *testing.T) {
	for _, takenBack := range []bool{false, true} {
		o := newOffice(t)
		c := deploy()
		o.park(c)
		o.Settled = func(context.Context, string) error { t.Error("nobody has answered"); return nil }
		if word := o.look(c); word.Kind != agent.NoWord {
			t.Errorf("%+v", word)
		}
		o.deny()
		waited := 0
		o.Settled = func(context.Context, string) error {
			if waited++; takenBack {
				o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
					_, err := s.Retract(ctx, t.ID, t.Said(), "ann")
					return err
				})
			}
			return nil
		}
		want := map[bool]agent.WordKind{false: agent.No, true: agent.NoWord}[takenBack]
		if word := o.look(c); word.Kind != want || waited != 1 {
			t.Errorf("taken back %v: %+v after %d", takenBack, word, waited)
		}
	}
	o := newOffice(t)
	c := deploy()
	o.park(c)
	o.approve("")
	o.Settled = func(context.Context, string) error { return context.Canceled } // the server ends
	if word, err := o.Look(t.Context(), c); err == nil || word.Kind != agent.NoWord {
		t.Errorf("%+v, %v", word, err)
	}
}
