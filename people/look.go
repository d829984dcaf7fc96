package people

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/internal/database"
)

// Look opens the store of a database as it is, for somebody who only looks: no table is made or
// brought forward, which would lock out an older server that still runs. Nil means that there were
// never people there. The error is why the tables cannot be read by this program.
func Look(ctx context.Context, db *database.DB) (*Store, error) {
	none := tables
	none.Steps = nil
	if db.Check(ctx, none) == nil {
		return nil, nil
	}
	if err := db.Check(ctx, tables); err != nil {
		return nil, fmt.Errorf("the tables of people cannot be read as they are: %w (the next start of `assent serve`, or `assent people list`, brings older ones forward; back up before)", err)
	}
	return over(db), nil
}
