package inbox

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// An admin sees all rules that somebody has added, the last one first, however many there are.
func TestA4_AnAdminSeesAllRulesOfSomebody(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	s := newSchemas(t)
	asked := func(name string) answer {
		t.Helper()
		a := c.as("ada").get("/api/v1/people/" + name + "/rules")
		s.answer("GET", "/api/v1/people/{name}/rules", a)
		return a
	}
	var view rulesView
	if asked("abe").into(t, &view); view.Rules == nil || len(view.Rules) != 0 {
		t.Errorf("%+v", view)
	}
	const many = 60
	for i := range many {
		c.must(c.Tickets.Comment(t.Context(), ticket.ID, approval.Self, fmt.Sprintf("abe added the rule Bash(%d) for the project", i)))
	}
	c.must(c.Tickets.Comment(t.Context(), ticket.ID, approval.Self, "ben added the rule Bash(make) for the project"))
	asked("abe").into(t, &view)
	if len(view.Rules) != many {
		t.Fatalf("%+v", view)
	}
	for i, r := range view.Rules {
		if r.Ticket != ticket.ID || r.Cwd != ticket.Cwd || r.At.IsZero() || r.Text != fmt.Sprintf("abe added the rule Bash(%d) for the project", many-1-i) {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if a := asked("ghost"); a.status != 404 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
