package approval

import (
	"context"
	"database/sql"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// reads is where to read.
func (s *Store) reads() database.Querier {
	if s.older != nil {
		return older{s.db.Reads(), s.older}
	}
	return s.db.Reads()
}

// older asks a file whose tables have not gone through all steps, which nobody can write, so that it
// has to be read as it is. What it lacks is what the defaults of the later steps say.
type older struct {
	database.Querier
	as *strings.Replacer
}

// asOfFirst reads the first tables only, and asOfSecond those without the third.
var asOfFirst = strings.NewReplacer(
	", requester, terms, waits FROM tickets", ", '', '', 0 FROM tickets",
	", note, kind FROM history", ", note, '' FROM history",
	", note, kind, shown FROM history", ", note, '', '' FROM history",
	" AND kind = ''", "",
	" FROM votes WHERE", " FROM (SELECT '' AS ticket, '' AS voter, 0 AS fence, 0 AS at, '' AS digest, '' AS places, 0 AS risk, '' AS message, '' AS who, 0 AS moment, '' AS shown WHERE 1 = 0) WHERE",
)

var asOfSecond = strings.NewReplacer(", who, moment, shown FROM votes", ", who, 0, '' FROM votes", withoutWaits, noWaits, withoutShown, noneShown)

// asOfThird reads those without the fourth.
var asOfThird = strings.NewReplacer(withoutWaits, noWaits, withoutShown, noneShown, voteWithoutShown, voteNoneShown)

// asOfFourth reads those without the fifth.
var asOfFourth = strings.NewReplacer(withoutShown, noneShown, voteWithoutShown, voteNoneShown)

// What the columns of tickets end with, and what stands for that before the fourth step.
const withoutWaits, noWaits = ", terms, waits FROM tickets", ", terms, 0 FROM tickets"

// The same for those of history and votes before the fifth.
const (
	withoutShown, noneShown         = ", kind, shown FROM history", ", kind, '' FROM history"
	voteWithoutShown, voteNoneShown = ", moment, shown FROM votes", ", moment, '' FROM votes"
)

// QueryRowContext asks for one row.
func (o older) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return o.Querier.QueryRowContext(ctx, o.as.Replace(query), args...)
}

// QueryContext asks for rows.
func (o older) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return o.Querier.QueryContext(ctx, o.as.Replace(query), args...)
}
