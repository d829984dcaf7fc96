package approval

import (
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A rule stands in a file when its yes lapses, and nobody but a person takes it out: the history
// names it, each that came with that yes, and no others.
func TestA4_TheHistoryNamesRulesThatStay(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", permission.Terms{})
		_, err := c.yes(ticket, "ben")
		must(t, err)
		for who, text := range map[string]string{
			Self:  RuleAdded("ben") + "s Bash(deploy:*), Bash(ls) for the project",
			"eve": RuleAdded("ben") + " Bash(invented) for the project",
		} {
			must(t, c.Comment(t.Context(), ticket.ID, who, text))
		}
		must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded("ben")+" Bash(once) "+ForSession))
		must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded("benno")+" Bash(other) for the project"))
		before, err := c.History(t.Context(), ticket.ID)
		must(t, err)
		c.minding("ben")
		for range 2 { // what it says the first time is no rule for the second
			var again *WaitsAgain
			if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker"); !errors.As(err, &again) {
				t.Fatal(err)
			}
			all, err := c.History(t.Context(), ticket.ID)
			must(t, err)
			if len(all) != len(before)+2 || !all[len(all)-1].YesLapsed() {
				t.Fatalf("%+v", all)
			}
			if e := all[len(all)-2]; e.Who != Self || e.Kind != KindComment || !strings.Contains(e.Note, "stays: ben added the rules Bash(deploy:*), Bash(ls) for the project (remove it") {
				t.Errorf("%+v", e)
			}
			_, err = c.yes(ticket, "ben")
			must(t, err)
			before, err = c.History(t.Context(), ticket.ID)
			must(t, err)
		}
	})
}
