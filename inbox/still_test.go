package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
)

// The vote of somebody who may not answer any more counts for nothing, and nobody is shown it as
// one that does: he was disabled because somebody else may have used his name.
func TestA4_AVoteEndsWithTheRightToVote(t *testing.T) {
	for name, end := range map[string]func(c *crowd) error{
		"disabled": func(c *crowd) error { return c.People.Disable(t.Context(), operator, "abe") },
		"demoted":  func(c *crowd) error { return c.People.SetRole(t.Context(), operator, "abe", people.Viewer) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t)
			c.terms = permission.Terms{Approvers: 2}
			ticket := c.park(bash("npm test"))[0]
			c.as("abe").yes(ticket).into(t, new(detailView))
			c.must(end(c))
			var d detailView
			c.as("ben").yes(ticket).into(t, &d)
			if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "ben" {
				t.Fatalf("%s %+v", d.State, d.Votes)
			}
			d = detailView{}
			c.as("ada").yes(ticket).into(t, &d)
			if others := c.found(ticket.ID).Answer.Others; d.State != "approved" || len(others) != 1 || others[0].Voter != "ben" {
				t.Errorf("%s %+v", d.State, others)
			}
		})
	}
}

// What was said before a person was signed out everywhere was perhaps not said by him: it does not
// come alive again with him, and he is asked again.
func TestA4_AVoteDoesNotComeAliveAgain(t *testing.T) {
	disable := func(c *crowd) error { return c.People.Disable(c.t.Context(), operator, "abe") }
	enable := func(c *crowd) error { return c.People.Enable(c.t.Context(), operator, "abe") }
	role := func(role people.Role) func(c *crowd) error {
		return func(c *crowd) error { return c.People.SetRole(c.t.Context(), operator, "abe", role) }
	}
	for name, steps := range map[string][]func(c *crowd) error{
		"disabled and enabled": {disable, enable},
		"demoted and promoted": {role(people.Viewer), role(people.Approver)},
		"another password": {func(c *crowd) error {
			return c.People.SetPassword(c.t.Context(), operator, "abe", passwordOf("abe"))
		}},
		"signed out": {func(c *crowd) error { return c.People.SignOutAll(c.t.Context(), operator, "abe") }},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t)
			c.terms = permission.Terms{Approvers: 2}
			ticket := c.park(bash("npm test"))[0]
			c.as("abe").yes(ticket).into(t, new(detailView))
			for _, step := range steps {
				c.must(step(c))
			}
			var d detailView
			c.as("ben").yes(ticket).into(t, &d)
			if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "ben" {
				t.Fatalf("%s %+v", d.State, d.Votes)
			}
			c.signIn("abe")
			d = detailView{}
			if c.as("abe").yes(ticket).into(t, &d); d.State != "approved" { // he says it again
				t.Errorf("%s %+v", d.State, d.Votes)
			}
		})
	}
}

// A deputy who is made one again has not said anything yet.
func TestA4_AVoteDoesNotComeAliveWithANewDeputy(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.terms = permission.Terms{Approvers: 2}
	ticket := c.park(bash("npm test"))[0]
	c.as("dee").yes(ticket).into(t, new(detailView))
	all, err := c.People.Deputies(t.Context(), time.Now())
	c.must(err)
	c.must(c.People.RevokeDeputy(t.Context(), operator, all[0].Number))
	c.deputy("abe", "dee")
	var d detailView
	if c.as("ben").yes(ticket).into(t, &d); d.State != "pending" {
		t.Fatalf("%s %+v", d.State, d.Votes)
	}
	d = detailView{}
	if c.as("dee").yes(ticket).into(t, &d); d.State != "approved" {
		t.Errorf("%s %+v", d.State, d.Votes)
	}
}

// With the end of a deputy his vote ends, and whom he has spoken for may speak himself.
func TestA4_AVoteEndsWithTheDeputy(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.terms = permission.Terms{Approvers: 2}
	ticket := c.park(bash("npm test"))[0]
	c.as("dee").yes(ticket).into(t, new(detailView))
	all, err := c.People.Deputies(t.Context(), time.Now())
	c.must(err)
	c.must(c.People.RevokeDeputy(t.Context(), operator, all[0].Number))
	var d detailView
	c.as("ben").yes(ticket).into(t, &d)
	if d.State != "pending" {
		t.Fatalf("%s %+v", d.State, d.Votes)
	}
	d = detailView{}
	c.as("abe").yes(ticket).into(t, &d)
	if others := c.found(ticket.ID).Answer.Others; d.State != "approved" || len(others) != 1 || others[0].Voter != "ben" {
		t.Errorf("%s %+v", d.State, others)
	}
}

// Two people with one e-mail could be one human: the second one is told so, and where both have
// voted before that was known one of them is counted.
func TestA4_OneEMailIsCountedOnce(t *testing.T) {
	c := newCrowd(t)
	c.terms = permission.Terms{Approvers: 3}
	c.must(c.People.Add(t.Context(), operator, people.Person{Name: "hal", Email: "hal@corp.com", Role: people.Approver}, passwordOf("hal")))
	c.signIn("hal")
	comes := func(email string) {
		t.Helper()
		token, _, err := c.People.Admit(t.Context(), people.Identity{Issuer: "https://idp.example", Subject: "9", Name: "b.bo", Email: email, EmailVerified: email != "", Role: people.Approver}, people.Create)
		c.must(err)
		c.tokens["b.bo"] = token
	}
	comes("")
	both, one := c.park(bash("npm test"))[0], c.park(bash("npm run build"))[0]
	c.as("hal").yes(both).into(t, new(detailView))
	c.as("b.bo").yes(both).into(t, new(detailView))
	c.as("hal").yes(one).into(t, new(detailView))
	comes("hal@corp.com")
	if a := c.as("b.bo").yes(one); a.status != http.StatusForbidden || !strings.Contains(a.body, "could be the same person by the e-mail") {
		t.Errorf("%d %s", a.status, a.body)
	}
	for _, ticket := range []approval.Ticket{both, one} {
		var d detailView
		if c.as("abe").get("/api/v1/tickets/"+ticket.ID).into(t, &d); d.Approvals != 1 || len(d.Votes) != 1 || d.Votes[0].By != "hal" {
			t.Errorf("%d %+v", d.Approvals, d.Votes)
		}
		d = detailView{}
		if c.as("abe").yes(ticket).into(t, &d); d.State != "pending" || d.Approvals != 2 {
			t.Errorf("%s %+v", d.State, d.Votes)
		}
	}
}

// slow is a body before whose end something happens. Nobody reads it before it is known who
// has sent the request.
type slow struct {
	io.Reader
	meanwhile func()
}

func (s *slow) Read(p []byte) (int, error) {
	if s.meanwhile != nil {
		s.meanwhile()
		s.meanwhile = nil
	}
	return s.Reader.Read(p)
}

// sent is a request about a ticket as somebody sends it.
func (c *crowd) sent(who, path, body string, meanwhile func()) *http.Request {
	r := httptest.NewRequestWithContext(c.t.Context(), http.MethodPost, path, &slow{strings.NewReader(body), meanwhile})
	r.Host = c.Hosts[0]
	r.Header.Set("Authorization", "Bearer "+c.tokens[who])
	r.Header.Set("Content-Type", "application/json")
	return r
}

// Who is disabled while his request is on its way does nothing by it, whatever it is.
func TestA4_ASlowRequestOutlivesNoRight(t *testing.T) {
	for name, body := range map[string]string{
		"approve": `{"digest":%q}`,
		"deny":    `{"digest":%q,"reason":"no"}`,
		"undo":    `{"digest":%q}`,
		"comment": `{"text":%q}`,
		"resolve": `{"ran":true,"note":%q}`,
		"batch":   `{"approve":[{"id":"ID","digest":%q}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t)
			ticket := c.park(bash("npm test"))[0]
			before := c.happened(ticket.ID)
			path := "/api/v1/tickets/" + ticket.ID + "/" + name
			if name == "batch" {
				path = "/api/v1/batch"
			}
			text := strings.ReplaceAll(fmt.Sprintf(body, ticket.Digest), "ID", ticket.ID)
			w := httptest.NewRecorder()
			c.HTTP().Handler.ServeHTTP(w, c.sent("abe", path, text, func() { c.must(c.People.Disable(t.Context(), operator, "abe")) }))
			if w.Code != http.StatusUnauthorized || c.happened(ticket.ID) != before {
				t.Errorf("%d %s, %s", w.Code, w.Body, c.happened(ticket.ID))
			}
		})
	}
}

// Who stops being a deputy while his request is on its way has no right to it any more, though
// he may still look.
func TestA4_ASlowRequestOutlivesNoDeputy(t *testing.T) {
	c := newCrowd(t)
	c.deputy("abe", "vera")
	all, err := c.People.Deputies(t.Context(), time.Now())
	c.must(err)
	ticket := c.park(bash("npm test"))[0]
	w := httptest.NewRecorder()
	c.HTTP().Handler.ServeHTTP(w, c.sent("vera", "/api/v1/tickets/"+ticket.ID+"/resolve", `{"ran":true}`, func() {
		c.must(c.People.RevokeDeputy(t.Context(), operator, all[0].Number))
	}))
	if w.Code != http.StatusForbidden {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Between the last look at who it is and the answer there is a moment, too: the answer itself
// looks once more.
func TestA4_TheAnswerLooksAgain(t *testing.T) {
	for name, give := range map[string]func(*Server, *http.Request) (any, error){"approve": (*Server).approve, "deny": (*Server).deny} {
		for who, end := range map[string]func(c *crowd) error{
			"abe": func(c *crowd) error { return c.People.Disable(t.Context(), operator, "abe") },
			"ada": func(c *crowd) error { return c.People.SignOutAll(t.Context(), operator, "ada") },
			"ci":  func(c *crowd) error { return c.People.Disable(t.Context(), operator, "ben") },
			"vera": func(c *crowd) error {
				return c.People.SetRole(t.Context(), operator, "abe", people.Viewer)
			},
		} {
			t.Run(name+" by "+who, func(t *testing.T) {
				c := newCrowd(t)
				c.deputy("abe", "vera")
				c.tokens["ci"] = c.program("ben", people.Approver)
				ticket := c.park(bash("npm test"))[0]
				r := c.sent(who, "/", fmt.Sprintf(`{"digest":%q,"reason":"so"}`, ticket.Digest), nil)
				r.SetPathValue("id", ticket.ID)
				v, f := c.meet(r)
				if f != nil {
					t.Fatal(f)
				}
				c.must(end(c))
				_, err := give(c.Server, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
				if err == nil {
					t.Fatal("it counts", c.state(ticket.ID))
				}
				if f := faultOf(err); f.Status != http.StatusForbidden || !strings.Contains(f.Message, "answer") || c.state(ticket.ID) != approval.Pending {
					t.Errorf("%v, %s", err, c.state(ticket.ID))
				}
			})
		}
	}
}

// happened is all that has happened to a ticket.
func (c *crowd) happened(id string) string {
	c.t.Helper()
	history, err := c.Tickets.History(c.t.Context(), id)
	c.must(err)
	return fmt.Sprintf("%+v", history)
}

// T1: a yes from before all sign-ins of a person have ended does not let a call begin, and one that he
// says after signing in anew does, whatever the clock says of the machine on which they were ended.
func TestT1_AYesAndASignOutOnMachinesWithOtherClocks(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		c := newCrowd(t)
		voice.Mind(c.Tickets)
		elsewhere, err := people.On(t.Context(), c.Tickets.Database(), people.Clock(func() time.Time { return time.Now().Add(ahead) }))
		c.must(err)
		token, _, err := c.People.Issue(t.Context(), operator, "abe", "ci", people.Approver, time.Now().Add(time.Hour))
		c.must(err)
		c.tokens["abe's program"] = token
		ticket, programs := c.park(bash("make deploy"))[0], c.park(bash("make release"))[0]
		approve := func(who string, one approval.Ticket) {
			t.Helper()
			c.as(who).approveAs(one.ID, map[string]any{"digest": one.Digest, "undo": false}).into(t, new(detailView))
		}
		claim := func(one approval.Ticket) error {
			_, err := c.Tickets.Claim(t.Context(), one.ID, one.Call, nil, "worker")
			return err
		}
		approve("abe", ticket)
		approve("abe's program", programs)
		c.must(elsewhere.SignOutAll(t.Context(), operator, "abe"))
		for _, one := range []approval.Ticket{ticket, programs} {
			if err := claim(one); !errors.As(err, new(*approval.WaitsAgain)) {
				t.Errorf("%v ahead: %v", ahead, err)
			}
		}
		c.signIn("abe")
		approve("abe", ticket)
		c.must(claim(ticket))
	}
}
