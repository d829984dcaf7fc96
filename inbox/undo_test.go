package inbox

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

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
		if d.Undo == nil || !d.Undo.Until.Equal(now.Add(undoTime)) || w.graces.of(ticket.ID, now).IsZero() {
			t.Fatalf("%s: %+v", answer, d.Undo)
		}
		if got := w.post(path+"/undo", map[string]any{"digest": "sha256:0"}); got.status == 200 {
			t.Errorf("another digest: %s", got.body)
		}
		if got := w.post(path+"/undo", map[string]any{}); got.code() != "invalid" {
			t.Errorf("no digest: %d %s", got.status, got.body)
		}
		now = now.Add(undoTime - time.Millisecond)
		d = detailView{}
		w.post(path+"/undo", map[string]any{"digest": ticket.Digest}).into(t, &d)
		if d.State != "pending" || d.Answer != nil || d.Undo != nil || len(d.History) != 3 {
			t.Errorf("%s: %+v", answer, d)
		}
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" {
			t.Errorf("twice: %d %s", got.status, got.body)
		}

		give(map[string]any{"undo": true})
		now = now.Add(undoTime)
		if got := w.post(path+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || !w.graces.of(ticket.ID, now).IsZero() {
			t.Errorf("%s: too late: %d %s", answer, got.status, got.body)
		}
	}
}

// An answer that was not given with that in mind holds at once, and what has begun to run
// cannot be taken back.
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
	if w.graces.of(begun.ID, w.now()).IsZero() {
		t.Error("the second answer has ended the grace of the first")
	}
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
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}); got.code() != "answered" || w.state(ticket.ID) != approval.Denied {
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
