package inbox

import (
	"testing"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/permission"
)

// Whoever looks through the list sees which calls need more than one yes of anybody.
func TestTheListSaysWhatAYesNeeds(t *testing.T) {
	c := newCrowd(t)
	plain := c.park(bash("npm run a"))[0]
	c.terms, c.requester = permission.Terms{Approvers: 2, Reason: true, NotRequester: true}, "vera@desk"
	strict := c.park(bash("npm run b"))[0]
	c.as("abe").yes(strict, "reason", "it is tested").into(t, new(detailView))
	var list listView
	a := c.as("vera").get("/api/v1/tickets")
	newSchemas(t).answer("GET", "/api/v1/tickets", a)
	a.into(t, &list)
	seen := map[string]item{}
	for _, one := range list.Tickets {
		seen[one.ID] = one
	}
	if one := seen[plain.ID]; one.Terms != nil || one.Approvals != 0 {
		t.Errorf("%+v", one)
	}
	one := seen[strict.ID]
	if one.Terms == nil || *one.Terms != (client.Terms{Approvers: 2, Reason: true, NotRequester: true}) || one.Requester != "vera@desk" || one.Approvals != 1 {
		t.Errorf("%+v of %q, %d", one.Terms, one.Requester, one.Approvals)
	}
	if d := c.as("ben").look(strict.ID); d.Approvals != 1 || d.Terms == nil || d.Requester != "vera@desk" {
		t.Errorf("the call itself: %d %+v %q", d.Approvals, d.Terms, d.Requester)
	}
	c.as("ben").yes(strict, "reason", "it is").into(t, new(detailView))
	if d := c.as("ben").look(strict.ID); d.Approvals != 0 {
		t.Errorf("an answered call has %d", d.Approvals)
	}
}
