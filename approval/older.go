package approval

import (
	"context"
	"database/sql"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// reads is where to read.
func (s *Store) reads() database.Querier {
	if s.older {
		return older{s.db.Reads()}
	}
	return s.db.Reads()
}

// older asks a file with the first tables only, which nobody can write, so that it has to be
// read as it is. What it lacks is what the defaults of the second tables say.
type older struct{ database.Querier }

var asOfBefore = strings.NewReplacer(
	", requester, terms FROM tickets", ", '', '' FROM tickets",
	", note, kind FROM history", ", note, '' FROM history",
	" AND kind = ''", "",
	" FROM votes WHERE", " FROM (SELECT '' AS ticket, '' AS voter, 0 AS fence, 0 AS at, '' AS digest, '' AS places, 0 AS risk, '' AS message, '' AS who WHERE 1 = 0) WHERE",
)

// QueryRowContext asks for one row.
func (o older) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return o.Querier.QueryRowContext(ctx, asOfBefore.Replace(query), args...)
}

// QueryContext asks for rows.
func (o older) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return o.Querier.QueryContext(ctx, asOfBefore.Replace(query), args...)
}
