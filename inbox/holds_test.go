package inbox

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Between the last look at who it is and what a request changes there is a moment. Whoever is signed
// out in it everywhere, or signs himself out, or whose token is revoked, changes nothing by it.
func TestT1_ARequestUnderWayEndsWithItsSignIn(t *testing.T) {
	c := newCrowd(t)
	c.deputy("abe", "ben")
	deputies, err := c.People.Deputies(t.Context(), time.Now())
	c.must(err)
	_, issued, err := c.People.Issue(t.Context(), operator, "abe", "ci", people.Viewer, time.Now().Add(time.Hour))
	c.must(err)
	end := `"until":"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"`
	fresh := func(*world) approval.Ticket { return c.park(bash("npm test"))[0] }
	answered := func(w *world) approval.Ticket {
		ticket := fresh(w)
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "undo": true}).into(t, new(detailView))
		return ticket
	}
	type request struct {
		// needs makes the ticket that it is about.
		needs func(w *world) approval.Ticket
		body  string // in which DIGEST and ID are those of the ticket
		// status is what it gets where that is not 401: it changes nothing that others see.
		status int
		number int64
		// person: it is none for a program.
		person bool
	}
	const v1, ticket, person = "POST /api/v1/", "POST /api/v1/tickets/{id}/", "POST /api/v1/people/{name}/"
	requests := map[string]request{
		v1 + "sign-out":                 {body: `{}`, status: http.StatusOK},
		v1 + "me/password":              {body: `{"old":"` + passwordOf("ada") + `","password":"a password that is long"}`, person: true},
		ticket + "check":                {needs: fresh, body: `{"input":{"command":"ls"}}`, status: http.StatusOK},
		ticket + "approve":              {needs: fresh, body: `{"digest":"DIGEST"}`},
		ticket + "deny":                 {needs: fresh, body: `{"digest":"DIGEST","reason":"no"}`},
		ticket + "undo":                 {needs: answered, body: `{"digest":"DIGEST"}`},
		ticket + "send":                 {needs: answered, body: `{"digest":"DIGEST"}`},
		ticket + "resolve":              {needs: c.unknown, body: `{"ran":true}`},
		ticket + "comment":              {needs: fresh, body: `{"text":"hm"}`},
		v1 + "batch":                    {needs: fresh, body: `{"approve":[{"id":"ID","digest":"DIGEST"}]}`, status: http.StatusOK},
		v1 + "links":                    {body: `{"link":"x"}`, status: http.StatusGone},
		v1 + "presence":                 {body: `{"window":"abcdefgh12345678","ticket":""}`, status: http.StatusNotFound},
		v1 + "people":                   {body: `{"name":"mal","role":"admin","password":"a password that is long"}`, person: true},
		person + "role":                 {body: `{"role":"admin"}`, person: true},
		person + "password":             {body: `{"password":"a password that is long"}`, person: true},
		person + "disable":              {body: `{}`, person: true},
		person + "enable":               {body: `{}`, person: true},
		person + "sign-out":             {body: `{}`, person: true},
		v1 + "deputies":                 {body: `{"from":"ada","to":"abe",` + end + `}`, person: true},
		v1 + "deputies/{number}/revoke": {body: `{}`, number: deputies[0].Number, person: true},
		v1 + "tokens":                   {body: `{"label":"x","role":"admin",` + end + `}`, person: true},
		v1 + "tokens/{number}/revoke":   {body: `{"name":"abe"}`, number: issued.Number, person: true},
	}
	ends := map[string]func(who string) error{
		"signed out everywhere": func(string) error { return c.People.SignOutAll(t.Context(), operator, "ada") },
		"signed out":            func(who string) error { return c.People.SignOut(t.Context(), c.tokens[who]) },
	}
	all := func() string {
		changes, err := c.People.Changes(t.Context(), "", 1)
		c.must(err)
		return fmt.Sprint(changes) + c.everything()
	}
	for _, route := range c.routes() {
		name := route.method + " " + route.path
		it, known := requests[name]
		if route.method != http.MethodPost || route.who == anybody {
			continue
		}
		if !known {
			t.Errorf("%s is not in the table", name)
			continue
		}
		for how, end := range ends {
			for _, who := range []string{"ada", "ci"} {
				if it.person && who == "ci" {
					continue
				}
				c.signIn("ada")
				c.tokens["ci"] = c.program("ada", people.Admin)
				var about approval.Ticket
				if it.needs != nil {
					about = it.needs(c.as(who))
				}
				body := strings.NewReplacer("DIGEST", about.Digest, `"ID"`, `"`+about.ID+`"`).Replace(it.body)
				r := c.sent(who, "/", body, nil)
				for key, value := range map[string]string{"id": about.ID, "name": "abe", "number": fmt.Sprint(it.number)} {
					r.SetPathValue(key, value)
				}
				v, f := c.meet(r)
				if f != nil {
					t.Fatal(f)
				}
				c.must(end(who))
				before := all()
				status, text := http.StatusOK, ""
				view, err := route.answer(r.WithContext(c.visitedBy(r.Context(), v)))
				if err != nil {
					status, text = faultOf(err).Status, err.Error()
				}
				want := it.status
				if want == 0 {
					want = http.StatusUnauthorized
				}
				if batch, ok := view.(batchView); ok && batch.Results[0].OK {
					t.Errorf("%s by %s, %s: it was approved", name, who, how)
				}
				if status != want || all() != before {
					t.Errorf("%s by %s, %s: %d %s", name, who, how, status, text)
				}
			}
		}
	}
	// One of several takes his yes back in another way.
	c.terms = permission.Terms{Approvers: 2}
	c.signIn("ada")
	one := fresh(nil)
	c.as("ada").yes(one).into(t, new(detailView))
	r := c.sent("ada", "/", fmt.Sprintf(`{"digest":%q}`, one.Digest), nil)
	r.SetPathValue("id", one.ID)
	v, f := c.meet(r)
	if f != nil {
		t.Fatal(f)
	}
	c.must(ends["signed out"]("ada"))
	if _, err := c.undo(r.WithContext(c.visitedBy(r.Context(), v))); err == nil || faultOf(err).Status != http.StatusUnauthorized {
		t.Errorf("%v", err)
	}
}

// unknown is a ticket of which nobody knows whether its call ran.
func (c *crowd) unknown(w *world) approval.Ticket {
	c.t.Helper()
	ticket := c.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(c.t, new(detailView))
	tr, err := c.Sessions.Resume(ticket.Session)
	c.must(err)
	_, err = c.Tickets.Claim(c.t.Context(), ticket.ID, ticket.Call, nil, "a process that dies")
	c.must(err)
	c.must(tr.Append(session.Began, session.Beginning{ToolUseID: ticket.ToolUseID, Input: ticket.Input}))
	c.must(tr.Close())
	w.look(ticket.ID) // which finds it out
	return ticket
}
