package alarm

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/database"
)

// Kind is what a bell is for. Whoever sets bells declares the kinds: words of letters, digits,
// "-" and "_".
type Kind string

// Bell is something that is to be looked at, at a time. Only one bell of the same kind, ticket
// and argument waits; it rings at the earliest of the times for which it was set. Whoever hears
// it and is too early says [Again].
type Bell struct {
	Kind   Kind
	Ticket string
	Arg    string
	At     time.Time // zero: now
	// Try is how often it was heard in vain; whoever sets a bell leaves it at zero.
	Try int
}

// Alarm is where bells are set and heard. It is safe for concurrent use.
type Alarm struct {
	db    *database.DB
	clock clock
}

// clock is the work that is done by River, on one kind of database.
type clock interface {
	install(context.Context) error
	current(context.Context, database.Querier) (bool, error)
	changes([]Bell) ([]database.Change, error)
	work(context.Context, Config) error
}

// On is the alarm of a database. It makes the tables, or brings them forward. The error is a
// [*database.Unusable], also when a newer program has been there.
func On(ctx context.Context, db *database.DB) (*Alarm, error) {
	if why := db.Only(); why != nil {
		return nil, why
	}
	c, err := clockOf(db)
	if err != nil {
		return nil, err
	}
	if err := c.install(ctx); err != nil {
		return nil, err
	}
	return &Alarm{db, c}, nil
}

// Set sets bells in the transaction of the caller: they ring if it is committed, and there are
// none if it is rolled back.
func (a *Alarm) Set(ctx context.Context, tx *database.Tx, bells ...Bell) error {
	changes, err := a.Changes(bells...)
	if err != nil {
		return err
	}
	if _, err := tx.Make(ctx, changes...); err != nil {
		return fmt.Errorf("bells cannot be set: %w", err)
	}
	tx.News() // for whoever hears them
	return nil
}

// Changes are what [Alarm.Set] makes, for a caller that makes them together with others, and says
// [database.Tx.News].
func (a *Alarm) Changes(bells ...Bell) ([]database.Change, error) {
	for _, b := range bells {
		if err := b.check(); err != nil {
			return nil, err
		}
	}
	return a.clock.changes(bells)
}

// kinds are the names that River takes for a queue, see [due.options].
var kinds = regexp.MustCompile(`^[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*$`)

// longest is the limit of each text of a bell: it says where to look, and not what is there.
const longest = 1024

// check: what the database would refuse would end the transaction of the caller.
func (b Bell) check() error {
	if len(b.Kind) > 64 || !kinds.MatchString(string(b.Kind)) {
		return fmt.Errorf("%q is no kind of a bell: write letters and digits, with - or _ between them, at most 64", b.Kind)
	}
	if b.Ticket == "" {
		return fmt.Errorf("a bell of kind %q names no ticket: whoever hears it would not know where to look", b.Kind)
	}
	for _, text := range []string{b.Ticket, b.Arg} {
		if len(text) > longest || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return fmt.Errorf("a bell of kind %q has a ticket or an argument that cannot be kept: it must be UTF-8 without zeros, at most %d bytes", b.Kind, longest)
		}
	}
	return nil
}
