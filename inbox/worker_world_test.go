package inbox

import (
	"context"
	"errors"
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
	w.must(w.crew.notes.note(left.Session))
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: session.NewID(), ToolUseID: "h", Tool: "Bash", Input: []byte(`{"command":"make held"}`), Cwd: w.cwd}, By: "test"})
	w.must(err)
	_, err = w.Tickets.Approve(t.Context(), held.ID, held.Digest, "bob", "", nil)
	w.must(err)
	w.run()
	if all := goesOn(t, resumed, answeredBefore.Session, late.Session, left.Session); slices.Contains(all, held.Session) {
		t.Error("a call that a guard holds lets a session go on")
	}
}

// A call that waits and has no ticket gets one, so that people see it.
func TestA3_ACallWithoutATicket(t *testing.T) {
	w, _ := employed(t, nil)
	ticket := w.park(bash("make deploy"))[0]
	w.must(w.Tickets.Forget(t.Context(), ticket.Session))
	if _, err := w.stock(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := w.Tickets.List(t.Context(), approval.Query{Session: ticket.Session})
	if err != nil || len(list) != 1 || list[0].State != approval.Pending {
		t.Errorf("%+v, %v", list, err)
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
