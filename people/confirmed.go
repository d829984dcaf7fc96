package people

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Somebody whom another server knows is let in by its word, and whoever has left is told of by
// nobody: he does not come any more. So that word holds for some time after it was last given,
// and not for ever. When it is over, or the other server says that he has no role any more, he is
// as one who is disabled, with everything that is his: sign-ins, tokens of programs, deputies, a
// password, votes. It holds again with the next sign-in by that server, or when an admin enables
// him, who vouches for him then.

// confirmedFor is how long the word of another server holds.
const confirmedFor = 30 * 24 * time.Hour

// unconfirmed: another server knows the person, and has not stood up for him lately.
func (s *Store) unconfirmed(p Person) bool {
	return p.Issuer != "" && !p.Confirmed.Add(confirmedFor).After(s.now())
}

// Active: the person may do what his role says. Otherwise he is disabled, or the server that
// knows him has not confirmed him for too long.
func (s *Store) Active(p Person) bool { return s.inactive(p) == "" }

// inactive is why a person may do nothing, as a sentence about him; empty when he may.
func (s *Store) inactive(p Person) string {
	switch {
	case p.Disabled:
		return p.Name + " is disabled"
	case s.unconfirmed(p):
		return fmt.Sprintf("the other server that knows %s has not confirmed him for 30 days, or has dropped him", p.Name)
	}
	return ""
}

// confirm writes down that somebody stands up for a person now.
func (s *Store) confirm(ctx context.Context, tx *database.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "UPDATE people SET confirmed = $1 WHERE name = $2", micros(s.now()), name)
	return err
}

// drop ends all that a person has by the word of another server, which has taken it back.
func (s *Store) drop(ctx context.Context, tx *database.Tx, p Person, note string) error {
	if p.Confirmed.IsZero() { // that is so already, however often he tries
		return nil
	}
	if _, err := tx.ExecContext(ctx, "UPDATE people SET confirmed = 0 WHERE name = $1", p.Name); err != nil {
		return err
	}
	return s.endAll(ctx, tx, p.Issuer, p.Name, Dropped, note)
}
