package people

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/database"
)

// Whoever ends all sign-ins of a person does that on one machine, and what was said in the name of
// the person before was said on another: their clocks do not say what came first. The history of
// people does: its changes wait for each other, see [Store.manage], so they are numbered as they happen.
// Whoever says something keeps the number of the last one when his sign-in was looked at: his moment.
// A change that ends the sign-in later has a higher number.

// latest is the number of the last change of all.
const latest = "(SELECT COALESCE(MAX(number), 0) FROM people_changes)"

// endings are the changes that end all sign-ins of a person.
var endings = []What{PasswordSet, RoleSet, Disabled, Linked, Unlinked, Dropped, SignedOut}

// ended is the number of the change that has last ended all sign-ins of a person; zero when none has.
// In a transaction it is asked when nobody can change the person any more.
func ended(ctx context.Context, q database.Querier, name string) (number int64, err error) {
	args := []any{name}
	var which []string
	for _, what := range endings {
		args = append(args, string(what))
		which = append(which, fmt.Sprintf("$%d", len(args)))
	}
	err = q.QueryRowContext(ctx, "SELECT COALESCE(MAX(number), 0) FROM people_changes WHERE whom = $1 AND what IN ("+strings.Join(which, ", ")+")", args...).Scan(&number)
	return number, err
}

// ends: a change ends all sign-ins of a person.
func (w What) ends() bool { return slices.Contains(endings, w) }

// outdates: something was said before all sign-ins of the person have ended.
func (p Person) outdates(ctx context.Context, q database.Querier, said Said) (bool, error) {
	if said.Moment == 0 {
		return !said.At.After(p.Since), nil
	}
	number, err := ended(ctx, q, p.Name)
	return said.Moment < number, err
}

// outdates: something was said before he was the deputy, or before all sign-ins of the person have
// ended.
func (d Deputy) outdates(ctx context.Context, q database.Querier, said Said) (bool, error) {
	person := Person{Name: d.From, Since: d.since}
	if before, err := person.outdates(ctx, q, said); err != nil || before {
		return before, err
	}
	if said.Moment == 0 {
		return said.At.Before(d.Created), nil
	}
	made, err := noted(ctx, q, d.From, DeputyMade, fmt.Sprint(d.Number))
	return said.Moment < made, err
}
