package desk_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// Who wanted a call, and what a yes to it needs, are on its ticket, also on one that is made
// only later.
func TestA4_TheTicketSaysWhoWantedTheCallAndWhatAYesNeeds(t *testing.T) {
	for _, isNew := range []bool{true, false} {
		o, c := newOffice(t), deploy()
		c.New, c.Requester = isNew, "ann@desk"
		c.Terms = permission.Terms{Approvers: 2, NotRequester: true, Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}}
		o.park(c)
		o.people(func(_ context.Context, _ *approval.Store, ticket approval.Ticket) error {
			if ticket.Requester != c.Requester || !reflect.DeepEqual(ticket.Terms, c.Terms) {
				t.Errorf("wanted by %q, needs %+v", ticket.Requester, ticket.Terms)
			}
			return nil
		})
	}
}
