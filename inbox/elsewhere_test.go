package inbox

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// awaitLog waits until the log has a text.
func (w *world) awaitLog(text string) {
	w.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(w.logged(), text); {
		if time.Now().After(deadline) {
			w.t.Fatalf("%q is not in the log:\n%s", text, w.logged())
		}
	}
}

// What people say elsewhere is in the log once, as what they say here is.
func TestA3_AnswersGivenElsewhereAreLogged(t *testing.T) {
	w := newWorld(t)
	w.run()
	here, there, no := w.park(bash("npm run here"))[0], w.park(bash("npm run there"))[0], w.park(bash("npm run no"))[0]
	w.approveAs(here.ID, map[string]any{"digest": here.Digest, "undo": true}).into(t, new(detailView))
	w.post("/api/v1/tickets/"+here.ID+"/undo", map[string]any{"digest": here.Digest}).into(t, new(detailView))
	said, err := w.Tickets.Say(t.Context(), there.ID, there.Digest, approval.Answer{Behavior: permission.Allow, By: "bob --token=hunter2secret", Settles: time.Now().Add(time.Hour)})
	w.must(err)
	_, err = w.Tickets.Retract(t.Context(), there.ID, said.Said(), "bob")
	w.must(err)
	_, err = w.Tickets.Deny(t.Context(), no.ID, no.Digest, "carol", "no")
	w.must(err)
	w.awaitLog(`msg="denied elsewhere" ticket=` + no.ID + " by=carol")
	for text, times := range map[string]int{
		`msg="approved elsewhere" ticket=` + there.ID: 1, `msg="taken back elsewhere" ticket=` + there.ID + " by=bob": 1, "elsewhere": 3,
		"msg=approved ticket=" + here.ID: 1, `msg="taken back" ticket=` + here.ID: 1, "hunter2": 0, "npm run": 0,
	} {
		if n := strings.Count(w.logged(), text); n != times {
			t.Errorf("%q is there %d times, want %d:\n%s", text, n, times, w.logged())
		}
	}
}

// An answer that does not count here leaves nothing behind for which another one is taken.
func TestA3_AnAnswerThatFailsIsNotOurs(t *testing.T) {
	var own ownWords
	change := approval.Change{Ticket: "a", Event: approval.Event{From: approval.Pending, To: approval.Approved}}
	if err := own.give("a", func() (approval.State, error) { return approval.Approved, errors.New("too late") }); err == nil {
		t.Error("the error is lost")
	}
	_ = own.give("a", func() (approval.State, error) { return "", nil })
	if !own.heard(change) {
		t.Error("it is taken for ours")
	}
	_ = own.give("a", func() (approval.State, error) { return approval.Approved, nil })
	_ = own.give("a", func() (approval.State, error) { return approval.Approved, nil })
	for i, want := range []bool{false, false, true} {
		if own.heard(change) != want {
			t.Errorf("change %d: elsewhere is %v", i, !want)
		}
	}
}

// Each session that went on is in the log, with how it stands then.
func TestA3_SessionsThatWentOnAreLogged(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.Resume = func(context.Context, string, []permission.Update) error { return nil }
	w.must(w.letGoOn(t.Context(), ticket.Session))
	if got := w.logged(); strings.Count(got, `msg="a session went on" session=`+ticket.Session+" state=") != 1 {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = w.letGoOn(ctx, ticket.Session)
	if got := w.logged(); !strings.Contains(got, "a session was stopped, because the server ends") {
		t.Error(got)
	}
	before := w.logged()
	w.Resume = func(context.Context, string, []permission.Update) error { return errors.New("no model") }
	if w.letGoOn(t.Context(), ticket.Session) == nil || w.logged() != before {
		t.Error("a run that fails is the crew's to tell")
	}
}
