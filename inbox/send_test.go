package inbox

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// Only who has given an answer sends it before its time, and only that answer. The rule that came with it
// is added then.
func TestT9_WhoSendsAnAnswer(t *testing.T) {
	c := newCrowd(t)
	c.at(0)
	ticket := c.park(bash("npm test"))[0]
	path := "/api/v1/tickets/" + ticket.ID
	var d detailView
	digest := func(more ...any) map[string]any {
		body := map[string]any{"digest": ticket.Digest}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return body
	}
	if got := c.as("abe").post(path+"/send", digest()); got.status != 409 || got.code() != "answered" {
		t.Errorf("nobody has answered: %d %s", got.status, got.body)
	}
	c.as("abe").approveAs(ticket.ID, ruled(ticket, "local")).into(t, &d)
	for who, want := range map[string]int{"ben": 403, "ada": 403, "vera": 403} {
		if got := c.as(who).post(path+"/send", digest()); got.status != want || c.settled(ticket.ID) {
			t.Errorf("%s: %d %s", who, got.status, got.body)
		}
	}
	for name, body := range map[string]map[string]any{"another call": {"digest": "sha256:0"}, "another answer": digest("until", d.Undo.Until.Add(1e9)), "no call": {}} {
		if got := c.as("abe").post(path+"/send", body); got.status != 409 && got.status != 400 || c.settled(ticket.ID) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if c.local() != "" {
		t.Fatal("the rule was added before the answer held")
	}
	for range 2 { // also by who presses twice
		c.as("abe").post(path+"/send", digest("until", d.Undo.Until)).into(t, new(detailView))
	}
	if !c.settled(ticket.ID) || !strings.Contains(c.local(), "npm test") || c.found(ticket.ID).State != approval.Approved {
		t.Errorf("%+v, %s", c.found(ticket.ID), c.local())
	}
	sent := 0
	for _, e := range c.as("abe").look(ticket.ID).History {
		if e.Kind == approval.KindSent && e.Who == "abe" {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("it is in the history %d times", sent)
	}
	if got := c.as("abe").post(path+"/undo", digest()); got.code() != "answered" {
		t.Errorf("it can still be taken back: %d %s", got.status, got.body)
	}
}
