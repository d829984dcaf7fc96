package inbox

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// settled: the answer to a ticket cannot be taken back.
func (w *world) settled(id string) bool {
	w.t.Helper()
	ticket, err := w.Tickets.Find(w.t.Context(), id)
	w.must(err)
	return ticket.UnsettledUntil(time.Now()).IsZero()
}

// parkAnswered parks a call and approves it so that this can be taken back, by a clock that
// goes wrong by so much.
func (w *world) parkAnswered(c session.PendingCall, wrong time.Duration) approval.Ticket {
	w.t.Helper()
	ticket, right := w.park(c)[0], w.now
	w.now = func() time.Time { return time.Now().Add(wrong) }
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "undo": true}).into(w.t, new(detailView))
	w.now = right
	ticket, err := w.Tickets.Find(w.t.Context(), ticket.ID)
	w.must(err)
	return ticket
}

func TestAnAnswerIsTakenBack(t *testing.T) {
	for _, answer := range []string{"approve", "deny"} {
		w := newWorld(t)
		now := time.Now()
		w.now = func() time.Time { return now }
		ticket := w.park(bash("npm test"))[0]
		path := "/api/v1/tickets/" + ticket.ID
		give := func(body map[string]any) (d detailView) {
			t.Helper()
			body["digest"] = ticket.Digest
			if answer == "deny" {
				body["reason"] = "no"
			}
			w.post(path+"/"+answer, body).into(t, &d)
			return d
		}
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" {
			t.Errorf("before there is an answer: %d %s", got.status, got.body)
		}
		d := give(map[string]any{"undo": true})
		if d.Undo == nil || !d.Undo.Until.Equal(now.Add(UndoTime).Truncate(time.Microsecond)) || w.settled(ticket.ID) {
			t.Fatalf("%s: %+v", answer, d.Undo)
		}
		if got := w.post(path+"/undo", map[string]any{"digest": "sha256:0"}); got.status == 200 {
			t.Errorf("another digest: %s", got.body)
		}
		if got := w.post(path+"/undo", map[string]any{}); got.code() != "invalid" {
			t.Errorf("no digest: %d %s", got.status, got.body)
		}
		now = now.Add(UndoTime - time.Millisecond)
		d = detailView{}
		w.post(path+"/undo", map[string]any{"digest": ticket.Digest}).into(t, &d)
		if d.State != "pending" || d.Answer != nil || d.Undo != nil || len(d.History) != 3 {
			t.Errorf("%s: %+v", answer, d)
		}
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" {
			t.Errorf("twice: %d %s", got.status, got.body)
		}

		give(map[string]any{"undo": true})
		now = now.Add(UndoTime)
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || w.state(ticket.ID) == approval.Pending || w.look(ticket.ID).Undo != nil {
			t.Errorf("%s: too late: %d %s", answer, got.status, got.body)
		}
	}
}

// An answer that was not given with that in mind holds at once, and what has begun to run
// cannot be taken back.
// Somebody brings the session into a database meanwhile, and may have heard the answer before.
func TestD8_AnAnswerIsTakenBackWhileItsSessionComes(t *testing.T) {
	w := newWorld(t)
	ticket := w.parkAnswered(bash("npm test"), 0)
	w.must(os.WriteFile(filepath.Join(w.Dir, "sessions", ticket.Session, "coming"), []byte("a database"), 0o600))
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || !strings.Contains(string(got.body), "may not count: session "+ticket.Session+" was about to come into a database") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestAnAnswerThatHoldsIsNotTakenBack(t *testing.T) {
	w := newWorld(t)
	plain, begun := w.park(bash("npm test"))[0], w.park(bash("npm test"))[0]
	w.approveAs(plain.ID, map[string]any{"digest": plain.Digest}).into(t, new(detailView))
	if got := w.post("/api/v1/tickets/"+plain.ID+"/undo", map[string]any{"digest": plain.Digest}); got.code() != "answered" {
		t.Errorf("%d %s", got.status, got.body)
	}
	w.approveAs(begun.ID, map[string]any{"digest": begun.Digest, "undo": true}).into(t, new(detailView))
	if got := w.approveAs(begun.ID, map[string]any{"digest": begun.Digest, "undo": true}); got.code() != "answered" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if w.settled(begun.ID) {
		t.Error("the second answer has ended the grace of the first")
	}
	begun = w.parkAnswered(bash("npm test"), -UndoTime)
	open, err := w.Sessions.Resume(begun.Session)
	w.must(err)
	defer open.Close()
	_, err = w.Tickets.Claim(t.Context(), begun.ID, begun.Call, nil, "a worker")
	w.must(err)
	if got := w.post("/api/v1/tickets/"+begun.ID+"/undo", map[string]any{"digest": begun.Digest}); got.code() != "answered" || w.state(begun.ID) != approval.Running {
		t.Errorf("%d %s, %s", got.status, got.body, w.state(begun.ID))
	}
}

// Whoever takes an answer back takes back that one, and no other: not the no of somebody
// who has looked more closely meanwhile, also not if both go by the same name.
func TestT5_OnlyTheAnswerThatWasGivenIsTakenBack(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "undo": true}).into(t, new(detailView))
	_, err := w.Tickets.Deny(t.Context(), ticket.ID, ticket.Digest, w.Who, "never")
	w.must(err)
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || !strings.Contains(got.body, "something else") || w.state(ticket.ID) != approval.Denied {
		t.Errorf("%d %s, %s", got.status, got.body, w.state(ticket.ID))
	}
}

// The same through the same server, whatever the other answer is, and whether it could be
// taken back itself: the grace of the first is over. A no after a no is not taken back: with it
// the first would be gone.
func TestT5_AnotherAnswerEndsTheGrace(t *testing.T) {
	for _, first := range []string{"approve", "deny"} {
		for _, undo := range []bool{false, true} {
			w := newWorld(t)
			ticket := w.park(bash("npm test"))[0]
			path := "/api/v1/tickets/" + ticket.ID
			w.post(path+"/"+first, map[string]any{"digest": ticket.Digest, "reason": "r", "undo": true}).into(t, new(detailView))
			var d detailView
			w.post(path+"/deny", map[string]any{"digest": ticket.Digest, "reason": "never", "undo": undo}).into(t, &d)
			own := undo && first == "approve"
			if (d.Undo != nil) != own || w.settled(ticket.ID) == own {
				t.Errorf("after %s: %+v", first, d.Undo)
			}
			got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest})
			if own && (got.status != http.StatusOK || w.state(ticket.ID) != approval.Pending) {
				t.Errorf("its own: %d %s, %s", got.status, got.body, w.state(ticket.ID))
			}
			if !own && (got.code() != "answered" || w.state(ticket.ID) != approval.Denied) {
				t.Errorf("that of another: %d %s, %s", got.status, got.body, w.state(ticket.ID))
			}
		}
	}
}

// Two people say yes at the same moment. One is told that the other was faster, and the
// other can take the yes back all the same.
func TestT5_WhoeverIsFasterKeepsTheGrace(t *testing.T) {
	for range 10 {
		w := newWorld(t)
		ticket := w.park(bash("npm test"))[0]
		path := "/api/v1/tickets/" + ticket.ID
		out := make(chan answer, 2)
		for range 2 {
			go func() { out <- w.post(path+"/approve", map[string]any{"digest": ticket.Digest, "undo": true}) }()
		}
		winner, loser := <-out, <-out
		if winner.status != http.StatusOK {
			winner, loser = loser, winner
		}
		var d detailView
		if winner.into(t, &d); d.Undo == nil || loser.code() != "answered" {
			t.Errorf("%+v; %d %s", d.Undo, loser.status, loser.body)
		}
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
}

// A no that mends a damaged ticket holds at once: taking it back would make a ticket good of
// which nobody knows what it said.
func TestT5_ANoToADamagedTicketIsNotTakenBack(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	_, err := w.Tickets.Deny(t.Context(), ticket.ID, ticket.Digest, w.Who, "never")
	w.must(err)
	db, err := sql.Open("sqlite", filepath.Join(w.Dir, "state.db"))
	w.must(err)
	defer db.Close()
	_, err = db.Exec("UPDATE tickets SET state = 'dome' WHERE id = $1", ticket.ID)
	w.must(err)
	path := "/api/v1/tickets/" + ticket.ID
	var d detailView
	w.post(path+"/deny", map[string]any{"digest": ticket.Digest, "reason": "never", "undo": true}).into(t, &d)
	if d.Undo != nil || !w.settled(ticket.ID) {
		t.Errorf("%+v", d.Undo)
	}
	if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || w.state(ticket.ID) != approval.Denied {
		t.Errorf("%d %s, %s", got.status, got.body, w.state(ticket.ID))
	}
}

// Somebody moves the database away, as is advised when it is damaged: nothing that is said
// here would count, so nothing is.
func TestT5_NoAnswerToTicketsThatWereMovedAway(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.must(os.Rename(filepath.Join(w.Dir, "state.db"), filepath.Join(w.Dir, "damaged.db")))
	for _, answer := range []string{"approve", "deny"} {
		got := w.post("/api/v1/tickets/"+ticket.ID+"/"+answer, map[string]any{"digest": ticket.Digest, "reason": "r"})
		if got.status != http.StatusServiceUnavailable || !strings.Contains(string(got.body), "start it again") {
			t.Errorf("%s: %d %s", answer, got.status, got.body)
		}
	}
	if got := w.get("/readyz"); got.status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// An answer is taken back for its whole time, also when that of the call ends meanwhile: then
// the call is denied.
func TestT5_AnAnswerIsTakenBackWhenTheTimeOfTheCallIsOver(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "undo": true}).into(t, new(detailView))
	db, err := sql.Open("sqlite", filepath.Join(w.Dir, "state.db"))
	w.must(err)
	defer db.Close()
	_, err = db.Exec("UPDATE tickets SET expires = ?, outcome = 'allow' WHERE id = ?", time.Now().Add(-time.Second).UnixMicro(), ticket.ID)
	w.must(err)
	var d detailView
	w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}).into(t, &d)
	if d.State != "denied" || d.Undo != nil || d.Answer == nil || d.Answer.Reason == "" {
		t.Errorf("%s, %+v", d.State, d.Answer)
	}
}
