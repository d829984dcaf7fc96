package inbox

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/people"
)

// T1: whom another server has not confirmed for long may do nothing, is told why, and is shown to
// admins as one whom they can enable.
func TestT1_WhoIsNotConfirmedDoesNothing(t *testing.T) {
	c := newCrowd(t)
	long := people.Clock(func() time.Time { return time.Now().Add(-40 * 24 * time.Hour) })
	before, err := people.On(t.Context(), c.Tickets.Database(), long)
	c.must(err)
	ida := people.Identity{Issuer: "https://id.example.org", Subject: "1", Name: "ida", Role: people.Approver}
	_, _, err = before.Admit(t.Context(), ida, people.Create)
	c.must(err)
	token, _, err := before.Issue(t.Context(), operator, "ida", "ci", people.Approver, time.Now().Add(24*time.Hour))
	c.must(err)
	c.tokens["ida"] = token
	if a := c.as("ida").get("/api/v1/tickets"); a.status != 401 || !strings.Contains(a.body, "has not confirmed him for 30 days") {
		t.Errorf("%d %s", a.status, a.body)
	}
	disabled := func() bool {
		var view membersView
		c.as("ada").get("/api/v1/people").into(t, &view)
		i := slices.IndexFunc(view.People, func(m memberView) bool { return m.Name == "ida" })
		return view.People[i].Disabled
	}
	if !disabled() {
		t.Error("she is shown as one who may do something")
	}
	c.must(c.People.Enable(t.Context(), operator, "ida"))
	if a := c.as("ida").get("/api/v1/tickets"); a.status != 200 || disabled() {
		t.Errorf("%d %s", a.status, a.body)
	}
}
