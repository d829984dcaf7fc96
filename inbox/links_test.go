package inbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/link"
)

// linkTo is the link of a notification about a call.
func (w *world) linkTo(t approval.Ticket) (text string) {
	w.t.Helper()
	w.must(w.Tickets.Database().Within(w.t.Context(), func(tx *database.Tx) (err error) {
		text, err = w.Links.Make(w.t.Context(), tx, t.ID, t.Digest, "phone", time.Now().Add(time.Hour))
		return err
	}))
	return text
}

// A link shows a call as often as somebody opens it, and is used up by one answer: an answer
// that was refused uses nothing up.
func TestT18_ALinkIsForOneAnswer(t *testing.T) {
	w := newWorld(t)
	a, b := w.park(bash("git push --force origin main"))[0], w.park(bash("npm test"))[0]
	open := func(text string) answer { return w.post("/api/v1/links", map[string]any{"link": text}) }
	if got := open("x"); got.status != 410 || got.code() != "gone" {
		t.Errorf("a server without links: %d %s", got.status, got.body)
	}
	var err error
	w.Links, err = link.On(t.Context(), w.Tickets.Database())
	w.must(err)
	text := w.linkTo(a)
	before := w.everything()
	for range 20 {
		var v linkView
		open(text).into(t, &v)
		if v.Ticket != a.ID || v.State != "pending" || v.Used {
			t.Fatalf("%+v", v)
		}
	}
	for _, bad := range []string{"", text[1:], strings.ToLower(text), text + "A", strings.Repeat("x", 2000)} {
		if got := open(bad); got.status != 410 && got.status != 400 {
			t.Errorf("%q: %d %s", bad, got.status, got.body)
		}
	}
	if got := w.approveAs(b.ID, map[string]any{"digest": b.Digest, "link": text}); got.status != 410 {
		t.Errorf("the link of another call: %d %s", got.status, got.body)
	}
	if got := w.approveAs(a.ID, map[string]any{"digest": a.Digest, "link": text}); got.code() != "confirm" {
		t.Errorf("without the word: %d %s", got.status, got.body)
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	w.approveAs(a.ID, map[string]any{"digest": a.Digest, "link": text, "confirm": "main", "undo": true}).into(t, new(detailView))
	var v linkView
	open(text).into(t, &v)
	if !v.Used || v.State != "approved" {
		t.Errorf("%+v", v)
	}
	if got := w.approveAs(a.ID, map[string]any{"digest": a.Digest, "link": text, "confirm": "main"}); got.status != 409 && got.status != 410 {
		t.Errorf("once more: %d %s", got.status, got.body)
	}
	if got := w.post("/api/v1/tickets/"+b.ID+"/deny", map[string]any{"digest": b.Digest, "reason": "no", "link": text}); got.status != 410 || got.code() != "gone" {
		t.Errorf("a no with the link of another call: %d %s", got.status, got.body)
	}
	// A no does not fail because somebody has said yes with the link.
	w.post("/api/v1/tickets/"+a.ID+"/deny", map[string]any{"digest": a.Digest, "reason": "no", "link": text}).into(t, new(detailView))
	no := w.linkTo(b)
	w.post("/api/v1/tickets/"+b.ID+"/deny", map[string]any{"digest": b.Digest, "reason": "no", "link": no}).into(t, new(detailView))
	if got := fmt.Sprint(w.state(a.ID), w.state(b.ID)); got != "denieddenied" {
		t.Error(got)
	}
}
