package clerk

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// inspectBrought is [Clerk.Inspect] after the session has come into the database. Whoever answers a
// call there gives an answer that holds wherever the session goes on: as long as it lay on this
// machine only, somebody could go on with it here, and the answer would not be known.
func (c *Clerk) inspectBrought(ctx context.Context, t Target) (Sight, error) {
	s, err := c.store.Resume(t.Session)
	if err != nil {
		return Sight{}, fmt.Errorf("session %s does not come into the database, and nothing was said about its calls there: %w", t.Session, err)
	}
	if err := s.Close(); err != nil {
		return Sight{}, err
	}
	return c.Inspect(ctx, t)
}

// BringSaid makes tickets in a database of the calls of a session about which people have said
// something before it comes there; see [approval.Store.Heed]. A no must be there before somebody can
// say yes. Others get theirs when the session goes on.
func BringSaid(ctx context.Context, sessions *session.Store, tickets *approval.Store, id string) error {
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
		if said.Nothing() {
			continue
		}
		if _, err := tickets.Park(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
