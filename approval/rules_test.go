package approval

import (
	"errors"
	"fmt"
	"slices"
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

// As many rules as are asked for are named, whatever else came after them: a rule for a session takes
// the place of none.
func TestA4_RulesForSessionsHideNoOthers(t *testing.T) {
	const asked = 3
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, test := range map[string]struct {
			standing, after, want int
		}{
			"one, and many for sessions after it": {1, 2 * asked, 1},
			"as many, and one after each":         {asked, asked, asked},
			"more than are asked for":             {asked + 2, 1, asked},
			"only for sessions":                   {0, asked, 0},
		} {
			c := newStore(t)
			ticket := c.parkWith("s", permission.Terms{})
			added := func(text string) { must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded("ben")+" "+text)) }
			for i := range max(test.standing, test.after) {
				if i < test.standing {
					added(fmt.Sprintf("Bash(%d) for the project, on build-7 only", i))
				}
				if i < test.after {
					added("Bash(once) " + ForSession)
				}
			}
			var want []string
			for i := range test.want {
				want = append(want, fmt.Sprintf("ben added the rule Bash(%d) for the project, on build-7 only", test.standing-1-i))
			}
			rules, err := c.RulesBy(t.Context(), "ben", asked)
			must(t, err)
			var got []string
			for _, r := range rules {
				got = append(got, r.Text)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

// A rule is that of everybody who stands under it: of a deputy, and of the person whose right he
// used. What the rule itself says names nobody.
func TestA4_RulesOfDeputiesAreThoseOfBoth(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", permission.Terms{})
		for _, by := range []string{"ben", DeputySignature("ben", "ann"), DeputySignature("a_n", "eve"), ProgramSignature("ben", 7), "ben.two", DeputySignature("eve", "benno"), "annA"} {
			must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded(by)+" Bash(echo a for ann added the rule, ben for a_n) for the project"))
		}
		for name, want := range map[string][]string{
			"ben":   {"ben (token 7)", "ben for ann", "ben"},
			"ann":   {"ben for ann"},
			"eve":   {"eve for benno", "a_n for eve"},
			"a_n":   {"a_n for eve"},
			"benno": {"eve for benno"},
			"be%":   nil,
			"token": nil,
		} {
			rules, err := c.RulesBy(t.Context(), name, len(want)+1)
			must(t, err)
			var got []string
			for _, r := range rules {
				by, _, _ := strings.Cut(r.Text, " added the rule")
				got = append(got, by)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

// Whoever is told of the last rules is told whether there are more.
func TestA4_WhetherThereAreMoreRules(t *testing.T) {
	c := newFileStore(t)
	ticket := c.parkWith("s", permission.Terms{})
	for n := range mostRules + 2 {
		last, more, err := c.LastRulesBy(t.Context(), "ben")
		must(t, err)
		if len(last) != min(n, mostRules) || more != (n > mostRules) {
			t.Errorf("of %d: %d, more: %v", n, len(last), more)
		}
		must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded("ben")+" Bash(ls) for the project"))
		must(t, c.Comment(t.Context(), ticket.ID, Self, RuleAdded("ben")+" Bash(once) "+ForSession))
	}
}

// A rule that was not added after all is none of those that stay, and one that was added later is.
func TestA4_ARuleThatWasNotAddedIsNotNamed(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		one, other := c.parkWith("s1", permission.Terms{}), c.parkWith("s2", permission.Terms{})
		const deployed, listed = "ben added the rule Bash(deploy:*) for the project", "ben added the rule Bash(ls) for the project, on build-7 only"
		for _, step := range []struct {
			ticket Ticket
			text   string
			want   []string
		}{
			{one, deployed, []string{deployed}},
			{other, deployed, []string{deployed, deployed}},
			{other, RuleNotAdded(deployed, "the file cannot be read"), []string{deployed}},
			{one, listed, []string{listed, deployed}},
			{one, RuleNotAdded(deployed, "it is full"), []string{listed}},
			{one, deployed, []string{deployed, listed}},
		} {
			must(t, c.Comment(t.Context(), step.ticket.ID, Self, step.text))
			rules, err := c.RulesBy(t.Context(), "ben", 10)
			must(t, err)
			var got []string
			for _, r := range rules {
				got = append(got, r.Text)
			}
			if !slices.Equal(got, step.want) {
				t.Errorf("%s: %q", step.text, got)
			}
		}
	})
}
