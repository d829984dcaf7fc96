package inbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// employed is a world whose sessions go on by themselves; resumed gets the name of each.
func employed(t *testing.T, resume func(id string) error) (w *world, resumed chan string) {
	t.Helper()
	w = newWorld(t)
	resumed = make(chan string, 100)
	w.Resume = func(_ context.Context, id string, _ []permission.Update) error {
		resumed <- id
		if resume != nil {
			return resume(id)
		}
		return nil
	}
	w.Employ(4)
	return w, resumed
}

// goesOn waits until sessions have gone on, and returns all that have. One may do so twice:
// its ticket stays as it is here.
func goesOn(t *testing.T, resumed <-chan string, want ...string) (all []string) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for len(want) > 0 {
		select {
		case id := <-resumed:
			all = append(all, id)
			want = slices.DeleteFunc(want, func(w string) bool { return w == id })
		case <-deadline:
			t.Fatalf("%v do not go on, but %v", want, all)
		}
	}
	return all
}

func TestA3_AnAnswerLetsItsSessionGoOn(t *testing.T) {
	w, resumed := employed(t, nil)
	first, second, third := w.park(bash("make deploy"))[0], w.park(bash("make test"))[0], w.park(bash("make clean"))[0]
	w.run()
	if got := w.post("/api/v1/tickets/"+first.ID+"/approve", map[string]string{"digest": first.Digest}); got.status != 200 {
		t.Fatal(got.body)
	}
	goesOn(t, resumed, first.Session)
	if got := w.post("/api/v1/tickets/"+second.ID+"/deny", map[string]string{"digest": second.Digest, "reason": "no"}); got.status != 200 {
		t.Fatal(got.body)
	}
	goesOn(t, resumed, second.Session)
	// An answer that another process has given is seen as well.
	other, err := approval.Open(w.Dir)
	w.must(err)
	defer other.Close()
	_, err = other.Approve(t.Context(), third.ID, third.Digest, "bob", "", nil)
	w.must(err)
	goesOn(t, resumed, third.Session)
}

// What was answered while no server ran, whose time is over, and which a server before has
// left: all of that goes on. A call that a guard holds is none of it.
func TestA3_WhatAServerFindsWhenItStarts(t *testing.T) {
	w, resumed := employed(t, nil)
	answeredBefore, expired, left := w.park(bash("make deploy"))[0], session.PendingCall{}, w.park(bash("make left"))[0]
	expired = bash("make late")
	expired.Until = time.Now().Add(-time.Minute)
	late := w.park(expired)[0]
	_, err := w.Tickets.Approve(t.Context(), answeredBefore.ID, answeredBefore.Digest, "bob", "", nil)
	w.must(err)
	noted := filepath.Join(w.Dir, "inbox", "going")
	w.must(os.MkdirAll(noted, 0o700))
	w.must(os.WriteFile(filepath.Join(noted, left.Session), nil, 0o600))
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: session.NewID(), ToolUseID: "h", Tool: "Bash", Input: []byte(`{"command":"make held"}`), Cwd: w.cwd}, By: "test"})
	w.must(err)
	_, err = w.Tickets.Approve(t.Context(), held.ID, held.Digest, "bob", "", nil)
	w.must(err)
	w.run()
	if all := goesOn(t, resumed, answeredBefore.Session, late.Session, left.Session); slices.Contains(all, held.Session) {
		t.Error("a call that a guard holds lets a session go on")
	}
}

// Why a session does not go on is shown where people look, without secrets.
func TestA3_WhyASessionDoesNotGoOn(t *testing.T) {
	w, resumed := employed(t, func(string) error {
		return errors.New("there is no model to ask: Authorization: Bearer sk-ant-REDACTED")
	})
	ticket := w.park(bash("make deploy"))[0]
	w.run()
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/approve", map[string]string{"digest": ticket.Digest}); got.status != 200 {
		t.Fatal(got.body)
	}
	goesOn(t, resumed, ticket.Session)
	var v sessionView
	for deadline := time.Now().Add(30 * time.Second); v.Problem == "" && time.Now().Before(deadline); {
		w.get("/api/v1/sessions/"+ticket.Session).into(t, &v)
	}
	if !strings.HasPrefix(v.Problem, "there is no model to ask") || strings.Contains(v.Problem, "sk-ant-api03") {
		t.Errorf("%+v", v)
	}
}

// problem waits until a session says why it does not go on, or that nothing keeps it.
func (w *world) problem(id string, wanted func(string) bool) string {
	w.t.Helper()
	var v sessionView
	for deadline := time.Now().Add(30 * time.Second); ; {
		v = sessionView{}
		if w.get("/api/v1/sessions/"+id).into(w.t, &v); wanted(v.Problem) || time.Now().After(deadline) {
			return v.Problem
		}
	}
}

// Somebody has found out that a call did not run: it waits again, and nothing is unknown.
func TestA3_WhatIsKnownIsNotCalledUnknown(t *testing.T) {
	w, _ := employed(t, nil)
	ticket := w.park(bash("make deploy"))[0]
	_, err := w.Tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "", nil)
	w.must(err)
	fence, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "a worker")
	w.must(err)
	w.must(w.Tickets.Lose(t.Context(), ticket.ID, fence, "died"))
	w.run()
	w.crew.Hear([]approval.Change{{Ticket: ticket.ID, Event: approval.Event{To: approval.Approved}}})
	const unknown = "nobody knows whether a call of it ran: somebody has to find out, and say so"
	if got := w.problem(ticket.Session, func(p string) bool { return p != "" }); got != unknown {
		t.Fatalf("%q", got)
	}
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/resolve", map[string]any{"ran": false}); got.status != 200 {
		t.Fatal(got.body)
	}
	if got := w.problem(ticket.Session, func(p string) bool { return p == "" }); got != "" {
		t.Errorf("it still says: %s", got)
	}
}

// An answer that was taken back on the page delays no other: here no time passes, so one
// that waits for it would wait for ever.
func TestA3_TakenBackOnThePage(t *testing.T) {
	w, resumed := employed(t, nil)
	ticket := w.park(bash("npm test"))[0]
	now := time.Now()
	w.Server.now = func() time.Time { return now }
	w.run()
	path := "/api/v1/tickets/" + ticket.ID
	w.post(path+"/approve", map[string]any{"digest": ticket.Digest, "undo": true}).into(t, new(detailView))
	w.post(path+"/undo", map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	w.post(path+"/approve", map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	goesOn(t, resumed, ticket.Session)
}

// How long an answer can be taken back is shown as long as it can: not when the call runs.
func TestA3_NoUndoOfWhatRuns(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.post("/api/v1/tickets/"+ticket.ID+"/approve", map[string]any{"digest": ticket.Digest, "undo": true}).into(t, new(detailView))
	if w.look(ticket.ID).Undo == nil {
		t.Error("it can be taken back")
	}
	ticket = w.parkAnswered(bash("npm test"), -UndoTime)
	holds, err := w.Sessions.Resume(ticket.Session)
	w.must(err)
	defer holds.Close()
	fence, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "a worker")
	w.must(err)
	if d := w.look(ticket.ID); d.State != "running" || d.Undo != nil {
		t.Errorf("%s, undo %v", d.State, d.Undo)
	}
	w.must(w.Tickets.Finish(t.Context(), ticket.ID, fence, true, ""))
	if d := w.look(ticket.ID); d.Undo != nil {
		t.Errorf("it has run, undo %v", d.Undo)
	}
}

// Rules that a person has added for a session are forgotten with it.
func TestA3_RulesOfASessionThatIsGone(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("make a"))[0]
	w.added.add(ticket.Session, permission.Update{}, approval.Vote{})
	w.added.add(session.NewID(), permission.Update{}, approval.Vote{})
	w.must(w.stock(t.Context()))
	if len(w.added.all) != 1 || len(w.added.of(t.Context(), ticket.Session)) != 1 {
		t.Error(w.added.all)
	}
}
