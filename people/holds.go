package people

import (
	"context"
	"database/sql"
	"errors"

	"github.com/assent-dev/assent/internal/database"
)

// A sign-in is looked at when a request comes, see [Store.Who], and the request may be under way for
// a while: it is read, waits for others, hashes a password. Whoever ends the sign-in meanwhile must
// not see anything come about by it afterwards. So every change that is made by a sign-in looks at it
// once more, in its own transaction.

// Holds refuses a sign-in that has ended since it was found: by whatever ends all of the person, by a
// sign-out, or because its time is over, or that of the token of a program, or that was revoked. In a
// transaction nobody ends it before that is over. It asks the querier and nothing else. The error is
// the [*NotSignedIn] that [Store.Who] would give.
func (s *Store) Holds(ctx context.Context, q database.Querier, in SignedIn) error {
	_, err := s.holder(ctx, q, in.Name, in.Number)
	return err
}

// holder is the person of a sign-in that counts. He comes before it, as he does for whoever ends all
// his sign-ins: otherwise the two could wait for each other.
func (s *Store) holder(ctx context.Context, q database.Querier, name string, number int64) (Person, error) {
	p, err := find(ctx, q, name, relying(q))
	if _, unknown := errors.AsType[*Unknown](err); unknown {
		return Person{}, &NotSignedIn{NoToken}
	}
	if err != nil {
		return Person{}, err
	}
	var until int64
	err = q.QueryRowContext(ctx, "SELECT until FROM people_sign_ins WHERE number = $1 AND person = $2"+relying(q), number, name).Scan(&until)
	if errors.Is(err, sql.ErrNoRows) {
		return Person{}, &NotSignedIn{NoToken}
	}
	if err != nil {
		return Person{}, err
	}
	return p, s.lapsed(p, until)
}

// lapsed is why a sign-in of a person until some time does not count; nil when it does.
func (s *Store) lapsed(p Person, until int64) error {
	switch {
	case p.Disabled:
		return &NotSignedIn{PersonDisabled}
	case s.unconfirmed(p):
		return &NotSignedIn{NotConfirmed}
	case until <= micros(s.now()):
		return &NotSignedIn{TokenExpired}
	}
	return nil
}
