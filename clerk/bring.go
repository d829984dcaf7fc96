package clerk

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// BringNoes makes tickets in a database of the calls of a session that a person has denied before
// it comes there; see [approval.Store.Heed]. Others get theirs when the session goes on: nothing that
// was said about them counts there, and a no must be there before somebody can say yes.
func BringNoes(ctx context.Context, sessions *session.Store, tickets *approval.Store, id string) error {
	stand, err := sessions.Standing(id)
	if err != nil {
		return err
	}
	for _, call := range stand.Calls {
		if call.Stage != session.Waiting {
			continue
		}
		m := onRecord(id, call, stand)
		p := m.parking().Comes()
		said, err := tickets.Before(ctx, p)
		if err != nil {
			return fmt.Errorf("session %s does not come into the database: %w", id, err)
		}
		if said.No == nil {
			continue
		}
		if _, err := tickets.Park(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
