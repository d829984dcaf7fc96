package inbox

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// Whoever takes somebody's right away, or ends his sign-ins, is told which rules of his stay; whoever
// gives him more is not.
func TestA4_TheAnswerNamesTheRulesThatStay(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	s := newSchemas(t)
	told := func(what, body string) (m memberView) {
		t.Helper()
		a := c.as("ada").request("POST", "/api/v1/people/abe/"+what, body)
		s.answer("POST", "/api/v1/people/{name}/"+what, a)
		a.into(t, &m)
		return m
	}
	for what, body := range map[string]string{"sign-out": `{}`, "password": `{"password":"another one that is long"}`} {
		if m := told(what, body); m.StandingRules != nil || m.MoreRules {
			t.Errorf("%s names rules before there are any: %+v", what, m)
		}
	}
	token, _, err := c.People.SignIn(t.Context(), "abe", "another one that is long", "127.0.0.1:1")
	c.must(err)
	c.tokens["abe"] = token
	added := func(who, text string) {
		t.Helper()
		c.must(c.Tickets.Comment(t.Context(), ticket.ID, who, text))
	}
	added(approval.Self, "abe added the rule Bash(npm test:*) for the project, on build-7 only")
	added(approval.Self, "abe added the rule Bash(npm ci) "+approval.ForSession)
	added(approval.Self, "ben added the rule Bash(make) for the project")
	added("ben", "abe added the rule Bash(invented) for the project")
	var own passwordView
	a := c.as("abe").request("POST", "/api/v1/me/password", `{"old":"another one that is long","password":"one of his own"}`)
	s.answer("POST", "/api/v1/me/password", a)
	if a.into(t, &own); !own.OK || len(own.StandingRules) != 1 || own.MoreRules || own.StandingRules[0].Ticket != ticket.ID {
		t.Errorf("%+v", own)
	}
	steps := []struct {
		what, body string
		names      bool
	}{
		{"sign-out", `{}`, true},
		{"password", `{"password":"a third one that is long"}`, true},
		{"role", `{"role":"admin"}`, false},
		{"role", `{"role":"approver"}`, true},
		{"role", `{"role":"approver"}`, true}, // an answer that was lost is told once more
		{"role", `{"role":"viewer"}`, true},
		{"disable", `{}`, true},
		{"disable", `{}`, true},
		{"enable", `{}`, false},
	}
	for _, step := range steps {
		m := told(step.what, step.body)
		if !step.names {
			if m.StandingRules != nil || m.MoreRules {
				t.Errorf("%s %s: %+v", step.what, step.body, m)
			}
			continue
		}
		if len(m.StandingRules) != 1 || m.MoreRules {
			t.Fatalf("%s %s: %+v", step.what, step.body, m)
		}
		if r := m.StandingRules[0]; r.Ticket != ticket.ID || r.Cwd != ticket.Cwd || r.At.IsZero() || r.Text != "abe added the rule Bash(npm test:*) for the project, on build-7 only" {
			t.Errorf("%s %s: %+v", step.what, step.body, r)
		}
	}
	var all membersView
	c.as("ada").get("/api/v1/people").into(t, &all)
	for _, m := range all.People {
		if m.StandingRules != nil {
			t.Errorf("the list: %+v", m)
		}
	}
	const most = 20
	for i := range most {
		added(approval.Self, fmt.Sprintf("abe added the rule Bash(%d) for the project", i))
	}
	if m := told("disable", `{}`); len(m.StandingRules) != most || !m.MoreRules || m.StandingRules[0].Text != "abe added the rule Bash(19) for the project" {
		t.Errorf("%+v", m)
	}
}
