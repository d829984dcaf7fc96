package inbox

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
)

// The client and the server understand each other.
func TestTheClient(t *testing.T) {
	w := newWorld(t)
	w.run()
	c, err := client.New(w.web.URL, testToken)
	w.must(err)
	tickets := w.park(bash("npm test"), bash("git push --force origin main"))
	list, err := c.List(t.Context(), client.Query{States: []string{"pending"}, Limit: 1})
	w.must(err)
	more, err := c.List(t.Context(), client.Query{After: list.Next})
	w.must(err)
	if len(list.Tickets) != 1 || len(more.Tickets) != 1 || list.Tickets[0].ID != tickets[1].ID || list.Counts["pending"] != 2 || list.Serial != 2 {
		t.Errorf("%+v, %+v", list, more)
	}
	d, err := c.Detail(t.Context(), tickets[1].ID)
	w.must(err)
	if d.Confirm == nil || d.Confirm.Word != "main" || string(d.Input) != string(tickets[1].Input) || d.Risk != "high" {
		t.Errorf("%+v", d)
	}
	if _, err = c.Approve(t.Context(), d.ID, client.Yes{Digest: d.Digest}); code(err) != client.Confirm {
		t.Error(err)
	}
	if d, err = c.Approve(t.Context(), d.ID, client.Yes{Digest: d.Digest, Confirm: "main"}); err != nil || d.State != "approved" || d.Answer == nil {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err = c.Approve(t.Context(), tickets[0].ID, client.Yes{Digest: tickets[0].Digest, Input: strictjson.Raw(`{"command":"npm test -- -q"}`)}); err != nil {
		t.Error(err)
	}
	if d, err = c.Deny(t.Context(), tickets[0].ID, client.No{Digest: tickets[0].Digest, Reason: "not now"}); err != nil || d.State != "denied" {
		t.Error(d.State, err)
	}
	_, err = c.Deny(t.Context(), tickets[0].ID, client.No{Digest: tickets[0].Digest, Reason: "again"})
	e, ok := errors.AsType[*client.Error](err)
	if !ok || e.Code != client.Answered || e.First() == nil || e.First().Reason != "not now" {
		t.Errorf("%+v", err)
	}
	if _, err = c.Resolve(t.Context(), tickets[0].ID, client.Finding{Ran: true}); code(err) != client.Changed {
		t.Error(err)
	}
	s, err := c.Session(t.Context(), tickets[0].Session)
	if err != nil || s.State != "waits" || len(s.Turns) != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, id := range []string{"aaaaaaaaaaaa", "", "../me", "x?y"} {
		if _, err := c.Detail(t.Context(), id); code(err) != client.NotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
	var to []string
	for event, err := range c.Events(t.Context(), list.Serial) {
		w.must(err)
		if to = append(to, event.To); len(to) == 3 {
			break
		}
	}
	if to[0] != "approved" || to[1] != "approved" || to[2] != "denied" {
		t.Error(to)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range c.Events(ctx, 0) {
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	stranger, err := client.New(w.web.URL, "another-token")
	w.must(err)
	if _, err := stranger.List(t.Context(), client.Query{}); code(err) != client.Forbidden {
		t.Error(err)
	}
}

func code(err error) string {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Code
	}
	return ""
}
