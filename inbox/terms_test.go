package inbox

import (
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

// Two people have to say yes: the first one is a vote that can be taken back, the second lets
// the call run, and one person is not two.
func TestA4_TwoPeopleApprove(t *testing.T) {
	c := newCrowd(t)
	c.terms = permission.Terms{Approvers: 2}
	ticket := c.park(bash("npm test"))[0]
	var d detailView
	c.as("abe").yes(ticket, "reason", "it is tested").into(t, &d)
	if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "abe" || !d.Votes[0].Same || d.Votes[0].Reason != "it is tested" || d.Terms == nil || d.Terms.Approvers != 2 {
		t.Errorf("%s %+v %+v", d.State, d.Votes, d.Terms)
	}
	if a := c.as("abe").yes(ticket); a.status != 409 || a.code() != "answered" {
		t.Errorf("once more: %d %s", a.status, a.body)
	}
	undo := map[string]any{"digest": ticket.Digest}
	if a := c.as("ben").post("/api/v1/tickets/"+ticket.ID+"/undo", undo); a.status != 409 {
		t.Errorf("the vote of somebody else: %d %s", a.status, a.body)
	}
	d = detailView{}
	c.as("abe").post("/api/v1/tickets/"+ticket.ID+"/undo", undo).into(t, &d)
	if len(d.Votes) != 0 || d.State != "pending" {
		t.Errorf("%+v", d.Votes)
	}
	c.as("abe").yes(ticket).into(t, new(detailView))
	d = detailView{}
	c.as("ben").yes(ticket).into(t, &d)
	if d.State != "approved" || d.Answer.By != "ben" || len(d.Votes) != 1 || d.Votes[0].By != "abe" {
		t.Errorf("%s %+v %+v", d.State, d.Answer, d.Votes)
	}
}

// Who wanted a call does not approve it, nor does anybody in his place.
func TestA4_TheRequesterAndHisDeputy(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.terms, c.requester = permission.Terms{NotRequester: true}, "Abe@desk"
	ticket := c.park(bash("npm test"))[0]
	for who, says := range map[string]string{"abe": "abe wanted this call", "dee": "in the place of abe"} {
		d := c.as(who).look(ticket.ID)
		if d.MayAnswer || !strings.Contains(d.MayNotWhy, says) || d.Requester != "Abe@desk" {
			t.Errorf("%s: %v %q", who, d.MayAnswer, d.MayNotWhy)
		}
		if a := c.as(who).yes(ticket); a.status != 403 || a.code() != "forbidden" || !strings.Contains(a.body, says) {
			t.Errorf("%s: %d %s", who, a.status, a.body)
		}
	}
	if c.state(ticket.ID) != approval.Pending {
		t.Fatal(c.state(ticket.ID))
	}
	c.deputy("ben", "dee") // in whose place it is something else
	var d detailView
	c.as("dee").yes(ticket).into(t, &d)
	if d.Answer.By != "dee for ben" || c.found(ticket.ID).Answer.Voter != "dee" {
		t.Errorf("%+v", d.Answer)
	}
	other := c.park(bash("npm run build"))[0] // and denying is free
	c.as("abe").post("/api/v1/tickets/"+other.ID+"/deny", map[string]any{"digest": other.Digest, "reason": "not any more"}).into(t, new(detailView))
}

// A deputy lends a voice and makes no second one of it.
func TestA4_ADeputyIsNoSecondVoice(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.terms = permission.Terms{Approvers: 2}
	for first, second := range map[string]string{"abe": "dee", "dee": "abe"} {
		ticket := c.park(bash("npm test"))[0]
		c.as(first).yes(ticket).into(t, new(detailView))
		if a := c.as(second).yes(ticket); a.status != 403 || c.state(ticket.ID) != approval.Pending {
			t.Errorf("%s after %s: %d %s", second, first, a.status, a.body)
		}
		c.as("ben").yes(ticket).into(t, new(detailView))
		if c.state(ticket.ID) != approval.Approved {
			t.Error(c.state(ticket.ID))
		}
	}
}

// Where it matters who says yes, nobody does it with the link of a server, with several at
// once, or by a rule that lets the next ones run.
func TestA4_ItMattersWhoSaysYes(t *testing.T) {
	w := newWorld(t)
	w.terms = permission.Terms{NotRequester: true}
	ticket := w.park(bash("npm test"))[0]
	if d := w.look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, "assent people add") {
		t.Errorf("%v %q", d.MayAnswer, d.MayNotWhy)
	}
	if a := w.yes(ticket); a.status != 403 || a.code() != "forbidden" {
		t.Errorf("with the link: %d %s", a.status, a.body)
	}
	c := newCrowd(t)
	c.terms = permission.Terms{NotRequester: true}
	ticket = c.park(bash("npm test"))[0]
	if a := c.as("abe").post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": ticket.ID, "digest": ticket.Digest}}}); a.status != 403 || !strings.Contains(a.body, "by itself") {
		t.Errorf("several at once: %d %s", a.status, a.body)
	}
	if d := c.as("abe").look(ticket.ID); d.Suggestion != nil || d.NoRule == "" || !d.MayAnswer {
		t.Errorf("%+v %q %v", d.Suggestion, d.NoRule, d.MayAnswer)
	}
	if a := c.as("abe").post("/api/v1/tickets/"+ticket.ID+"/approve", map[string]any{"digest": ticket.Digest, "rule": map[string]any{"index": 0, "scope": "local"}}); a.status != 403 {
		t.Errorf("a rule: %d %s", a.status, a.body)
	}
	if c.state(ticket.ID) != approval.Pending {
		t.Error(c.state(ticket.ID))
	}
}

// The settings of today count, also for what was parked before.
func TestA4_TheSettingsOfToday(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	c.rules(`{"assent": {"approvals": {"any": {"approvers": 2, "reason": true}}}}`)
	if d := c.as("abe").look(ticket.ID); d.Terms == nil || d.Terms.Approvers != 2 || !d.Terms.Reason {
		t.Errorf("%+v", d.Terms)
	}
	if a := c.as("abe").yes(ticket, "reason", " "); a.status != 400 || !strings.Contains(a.body, "reason") {
		t.Errorf("without a reason: %d %s", a.status, a.body)
	}
	c.as("abe").yes(ticket, "reason", "tested").into(t, new(detailView))
	if c.state(ticket.ID) != approval.Pending {
		t.Error(c.state(ticket.ID))
	}
}

// Many who say yes at the same moment are so many votes, and the call is approved once.
func TestA4_VotesAtTheSameMoment(t *testing.T) {
	c := newCrowd(t)
	c.terms = permission.Terms{Approvers: 3}
	ticket := c.park(bash("npm test"))[0]
	var all sync.WaitGroup
	for _, who := range []string{"abe", "ben", "ada", "abe", "ben"} {
		w := c.as(who)
		all.Go(func() { w.yes(ticket) })
	}
	all.Wait()
	found := c.found(ticket.ID)
	if found.State != approval.Approved || len(found.Answer.Others) != 2 {
		t.Errorf("%s %+v", found.State, found.Answer)
	}
}
