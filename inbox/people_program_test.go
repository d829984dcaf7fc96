package inbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

// A token of a program lies in files, where an agent may find it. So it is not the person: it takes
// nothing back that the person has said, and what it says stands under its own name.

func TestT1_AProgramTakesNoVoteBack(t *testing.T) {
	c := newCrowd(t)
	c.terms = permission.Terms{Approvers: 2}
	c.tokens["ci"] = c.program("abe", people.Approver)
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	before := c.happened(ticket.ID)
	undo := func(who string) answer {
		return c.as(who).post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest})
	}
	if a := undo("ci"); a.status != http.StatusForbidden || !strings.Contains(a.body, "sign in on the page") || c.happened(ticket.ID) != before {
		t.Errorf("%d %s", a.status, a.body)
	}
	undo("abe").into(t, new(detailView))
	if c.happened(ticket.ID) == before {
		t.Error("the person cannot take it back")
	}
}

func TestT1_AProgramSpeaksForItself(t *testing.T) {
	c := newCrowd(t)
	c.deputy("abe", "vera")
	c.tokens["ci"] = c.program("abe", people.Viewer)
	ticket := c.park(bash("npm test"))[0]
	for who, by := range map[string]string{"ci": "abe (token ", "abe": "abe", "vera": "vera"} {
		var d detailView
		c.as(who).post("/api/v1/tickets/"+ticket.ID+"/comment", map[string]any{"text": "it is fine"}).into(t, &d)
		if last := d.History[len(d.History)-1]; last.Who != by && (who != "ci" || !strings.HasPrefix(last.Who, by)) {
			t.Errorf("%s: %+v", who, last)
		}
	}
}

// T16: whoever has many tokens has no more room for comments than others.
func TestT16_ProgramsTakeTheRoomOfTheirPerson(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	for range maxComments {
		c.must(c.Tickets.Comment(t.Context(), ticket.ID, "abe (token 7)", "wait"))
	}
	if a := c.as("abe").post("/api/v1/tickets/"+ticket.ID+"/comment", map[string]any{"text": "wait"}); a.status != http.StatusForbidden {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// T1: a rule outlives the token, and holds for more than the call.
func TestT1_AProgramAddsNoRule(t *testing.T) {
	for _, scope := range []string{"session", "local", "user"} {
		c := newCrowd(t)
		c.tokens["ci"] = c.program("abe", people.Approver)
		ticket := c.park(bash("npm test"))[0]
		a := c.as("ci").approveAs(ticket.ID, ruled(ticket, scope))
		if a.status != http.StatusForbidden || !strings.Contains(a.body, "sign in on the page") || c.state(ticket.ID) != "pending" {
			t.Errorf("%s: %d %s", scope, a.status, a.body)
		}
		c.as("ci").yes(ticket).into(t, new(detailView)) // without a rule it may
	}
}

// T1: a rule outlives the time of a deputy as well. One who may answer himself adds it as himself.
func TestT1_ADeputyAddsNoRule(t *testing.T) {
	for _, scope := range []string{"session", "local"} {
		c := newCrowd(t)
		c.deputy("abe", "vera")
		c.deputy("abe", "ben")
		ticket := c.park(bash("npm test"))[0]
		a := c.as("vera").approveAs(ticket.ID, ruled(ticket, scope))
		if a.status != http.StatusForbidden || !strings.Contains(a.body, "a deputy adds no rules") || c.state(ticket.ID) != "pending" {
			t.Errorf("%s: %d %s", scope, a.status, a.body)
		}
		var d detailView
		c.as("vera").get("/api/v1/tickets/"+ticket.ID).into(t, &d)
		if d.Suggestion != nil || !strings.Contains(d.NoRule, "a deputy adds no rules") {
			t.Errorf("%+v, %q", d.Suggestion, d.NoRule)
		}
		c.as("ben").approveAs(ticket.ID, ruled(ticket, scope)).into(t, new(detailView))
		other := c.park(bash("npm test"))[0]
		c.as("vera").yes(other).into(t, new(detailView)) // without a rule she may
	}
}

// A rule holds for longer than a call, so the log says who has added one, and where. It does not say
// which: a rule can hold the whole command of a call, and what calls contain is in no log.
func TestTheLogTellsOfARule(t *testing.T) {
	for _, scope := range []string{"session", "local"} {
		c := newCrowd(t)
		ticket := c.park(bash("npm test"))[0]
		c.as("abe").approveAs(ticket.ID, ruled(ticket, scope)).into(t, new(detailView))
		const told = "a rule was added"
		if strings.Contains(c.logged(), told) {
			t.Errorf("%s: too early: %s", scope, c.logged())
		}
		c.at(time.Minute)
		c.settleRules()
		for _, want := range []string{told, ticket.ID, "rules=1", "scope=" + scope, "by=abe"} {
			if !strings.Contains(c.logged(), want) {
				t.Errorf("%s: no %s in the log: %s", scope, want, c.logged())
			}
		}
		if strings.Contains(c.logged(), "npm test") {
			t.Errorf("%s: the log says what the call contains: %s", scope, c.logged())
		}
	}
}
