package herald

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

// tables are those of the package: how far the history of each ticket has had its consequences.
// They go with the tickets.
var tables = database.Tables{Name: "herald", Steps: []string{`
CREATE TABLE heralded (
	ticket   {word} PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
	seen     BIGINT NOT NULL,
	reminded BIGINT NOT NULL
);
`}}

// progress is how far the history of a ticket has had its consequences.
type progress struct {
	// seen is how many rows of the history; reminded how many of the escalations since the call
	// began to wait.
	seen, reminded int
}

// progressOf is that of a ticket, which nobody else changes until the transaction is over.
func progressOf(ctx context.Context, tx *database.Tx, ticket string) (p progress, err error) {
	if _, err = tx.ExecContext(ctx, "INSERT INTO heralded (ticket, seen, reminded) VALUES ($1, 0, 0) ON CONFLICT (ticket) DO NOTHING", ticket); err != nil {
		return p, err
	}
	err = tx.QueryRowContext(ctx, "SELECT seen, reminded FROM heralded WHERE ticket = $1"+tx.ToChange(), ticket).Scan(&p.seen, &p.reminded)
	return p, err
}

func (p progress) save(ctx context.Context, tx *database.Tx, ticket string) error {
	_, err := tx.ExecContext(ctx, "UPDATE heralded SET seen = $1, reminded = $2 WHERE ticket = $3", p.seen, p.reminded, ticket)
	return err
}
