package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/session"
)

// recalling is a desk that knows calls of sessions.
type recalling struct {
	agent.Desk
	known []session.Ticketed
	err   error
}

func (d recalling) Recall(context.Context, string) ([]session.Ticketed, error) { return d.known, d.err }

// A call of the session has a ticket, and the transcript was cut off before it was parked. Nothing
// goes on as if the call had never been, whatever it has come to; only a copy does, and says so.
func TestT17_ASessionThatLacksACallWithATicket(t *testing.T) {
	o, transcript := worked(t)
	gone := session.Ticketed{Parking: session.Parking{ToolUseID: "c2", Since: time.Now().UTC()}, Tool: "Bash", Ticket: "abc"}
	if err := os.Remove(filepath.Join(filepath.Dir(transcript), "head")); err != nil {
		t.Fatal(err)
	}
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	o.Desk = recalling{known: []session.Ticketed{gone}}
	before := read(t, transcript)
	_, err := Open(o)
	if short, ok := errors.AsType[*session.Shortened](err); !ok || short.Call != gone || short.ID != o.Resume {
		t.Fatalf("it goes on: %v", err)
	}
	if read(t, transcript) != before || len(warned) > 0 {
		t.Errorf("something happened: %q", warned)
	}
	onlyPending := o
	onlyPending.OnlyPending = true
	if _, err := Open(onlyPending); errors.Is(err, ErrNothingPending) {
		t.Error("the call that is gone is taken for none")
	}

	o.Fork = true
	mustClose(t, mustOpen(t, o))
	if said := strings.Join(warned, "\n"); !strings.Contains(said, "was cut off or replaced") || !strings.Contains(said, "abc") {
		t.Errorf("a copy goes on without a word: %q", said)
	}
}

// Tickets that cannot be read keep no session from going on, but nobody takes it for whole.
func TestT17_ADeskThatCannotBeAsked(t *testing.T) {
	o, _ := worked(t)
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	o.Desk = recalling{err: errors.New("the disk is gone")}
	mustClose(t, mustOpen(t, o))
	if said := strings.Join(warned, "\n"); !strings.Contains(said, "nobody can say") || !strings.Contains(said, "the disk is gone") {
		t.Errorf("%q", said)
	}
}

// slow is a desk that is asked, and takes its time.
type slow struct {
	agent.Desk
	answered *atomic.Bool
}

func (d slow) Recall(context.Context, string) ([]session.Ticketed, error) {
	<-time.After(50 * time.Millisecond)
	d.answered.Store(true)
	return nil, nil
}

// Whoever has asked the desk waits for it, also when the transcript cannot be read: the desk may be
// closed a moment later.
func TestT17_NobodyAsksADeskBehindTheBack(t *testing.T) {
	o, _ := worked(t)
	tr, err := session.NewStore(filepath.Join(StateDir(o.Settings), "sessions")).Resume(o.Resume)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(tr.Append(session.Said, map[string]any{"role": 5}), tr.Close()) // which is no message
	if err != nil {
		t.Fatal(err)
	}
	desk := slow{answered: &atomic.Bool{}}
	o.Desk = desk
	if _, err := Open(o); err == nil {
		t.Error("it goes on with what cannot be read")
	}
	if !desk.answered.Load() {
		t.Error("the desk is still asked")
	}
}
