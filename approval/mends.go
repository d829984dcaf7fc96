package approval

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Mending says whether a no has mended a ticket on which nobody could rely. Such a no is
// never taken back: nobody knows what the ticket would say without it.
type Mending string

// The ways of it.
const (
	// NoDamage: the ticket was in order.
	NoDamage Mending = ""
	// OnlyMends: nobody had denied the call before, as far as the history of the ticket
	// knows. The no is for that ticket, and not for forks of its session.
	OnlyMends Mending = "only"
	// DeniesAgain: somebody had denied the call before the ticket was damaged.
	DeniesAgain Mending = "again"
)

// DeniedInForks: somebody has denied the call, and that holds in forks of the session.
func (t *Ticket) DeniedInForks() bool { return t.DeniedByPerson() && t.Answer.Mends != OnlyMends }

// mend notes in a no what it says about the call beside mending its ticket.
func (t *Ticket) mend(ctx context.Context, q database.Querier) error {
	t.Answer.Settles = time.Time{} // it is never taken back
	before, err := noOnRecord(ctx, q, t.ID)
	if t.Answer.Mends = OnlyMends; before != nil {
		t.Answer.Mends = DeniesAgain
	}
	return err
}
