package people

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// What is a kind of change.
type What string

// The kinds of changes.
const (
	Added         What = "added"
	PasswordSet   What = "password set"
	RoleSet       What = "role set"
	Disabled      What = "disabled"
	Enabled       What = "enabled"
	EmailSet      What = "e-mail set"
	Linked        What = "linked"
	Unlinked      What = "unlinked"
	Renewed       What = "renewed"
	Dropped       What = "dropped by the other server"
	SignedOut     What = "signed out everywhere"
	TokenIssued   What = "token issued"
	TokenRevoked  What = "token revoked"
	DeputyMade    What = "deputy made"
	DeputyRevoked What = "deputy revoked"
	AccountGiven  What = "account given"
	AccountTaken  What = "account taken"
)

// Change is one of the history.
type Change struct {
	Number int64
	At     time.Time
	// Who did it to Whom.
	Who, Whom string
	What      What
	Note      string
}

// note writes a change into the history. Whoever does has come by [Store.manage], which orders it.
func (s *Store) note(ctx context.Context, tx *database.Tx, who, whom string, what What, note string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO people_changes (at, who, whom, what, note) VALUES ($1, $2, $3, $4, $5)", micros(s.now()), who, whom, string(what), note)
	return err
}

// noted is the number of a change of a person in the history, with a note that is, or begins with one
// before a comma; of the last one, if there are several, and zero when there is none.
func noted(ctx context.Context, q database.Querier, whom string, what What, note string) (number int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT COALESCE(MAX(number), 0) FROM people_changes WHERE whom = $1 AND what = $2 AND (note = $3 OR SUBSTR(note, 1, $4) = $5)",
		whom, string(what), note, len(note)+1, note+",").Scan(&number)
	return number, err
}

// Changes is the history, the latest first, at most so many; of one person, or of all with an
// empty name.
func (s *Store) Changes(ctx context.Context, name string, most int) ([]Change, error) {
	const text = "SELECT number, at, who, whom, what, note FROM people_changes"
	read := func(row scanner) (c Change, err error) {
		var at int64
		err = row.Scan(&c.Number, &at, &c.Who, &c.Whom, &c.What, &c.Note)
		c.At = fromMicros(at)
		return c, err
	}
	if name == "" {
		all, err := readAll(ctx, s.db.Reads(), read, text+" ORDER BY number DESC LIMIT $1", most)
		return all, s.db.Explain(err)
	}
	if err := CheckName(name); err != nil {
		return nil, &Unknown{name}
	}
	all, err := readAll(ctx, s.db.Reads(), read, text+" WHERE whom = $1 ORDER BY number DESC LIMIT $2", name, most)
	return all, s.db.Explain(err)
}
