package inbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people/voice"
)

// A rule comes with a yes, and a yes of somebody who may not answer any more counts for nothing: as
// long as the rule stands nowhere it is not added.
func TestA4_ARuleLapsesWithItsYes(t *testing.T) {
	for _, scope := range []string{"session", "local", "user"} {
		c := newCrowd(t)
		c.promote("abe") // who may choose every place
		ticket := c.park(bash("npm test"))[0]
		c.as("abe").approveAs(ticket.ID, ruled(ticket, scope)).into(t, new(detailView))
		c.must(c.People.Disable(t.Context(), operator, "abe"))
		c.at(time.Minute)
		c.settleRules()
		var d detailView
		c.as("ben").get("/api/v1/tickets/"+ticket.ID).into(t, &d)
		if d.Rule == nil || d.Rule.State != ruleTakenBack || !strings.Contains(d.Rule.Problem, "abe may not answer any more") {
			t.Fatalf("%s: %+v", scope, d.Rule)
		}
		if len(c.added.of(t.Context(), ticket.Session)) != 0 || ruleIn(d.Rule.File) || len(c.as("ben").written(ticket.ID)) != 0 {
			t.Errorf("%s: it was added all the same", scope)
		}
	}
}

// ruleIn: there is a rule in a file of settings, which need not be there.
func ruleIn(file string) bool {
	text, _ := os.ReadFile(file)
	return strings.Contains(string(text), "npm test")
}

// A rule for a session is kept nowhere but here, so it ends with the right of whoever has added it.
func TestA4_ARuleOfASessionEndsWithItsVoter(t *testing.T) {
	c := newCrowd(t)
	abes, bens := c.park(bash("npm test"))[0], c.park(bash("npm run build"))[0]
	for who, ticket := range map[string]approval.Ticket{"abe": abes, "ben": bens} {
		c.as(who).approveAs(ticket.ID, ruled(ticket, "session")).into(t, new(detailView))
	}
	c.at(time.Minute)
	c.settleRules()
	rules := func(ticket approval.Ticket) int { return len(c.added.of(t.Context(), c.found(ticket.ID).Session)) }
	before := rules(abes) + rules(bens)
	c.must(c.People.SignOutAll(t.Context(), operator, "abe"))
	after := rules(abes) + rules(bens)
	if before == 0 || after == 0 || after >= before || rules(bens) == 0 {
		t.Errorf("%d, then %d", before, after)
	}
}

// One that stands in a file nobody removes there but a person. The history of the call says so, for
// the moment at which the yes is found not to count, and so does what is told of whoever has added it.
func TestA4_ARuleInAFileIsNamedWhenItsYesLapses(t *testing.T) {
	for scope, stays := range map[string]bool{"session": false, "local": true, "project": true, "user": true} {
		c := newCrowd(t)
		c.promote("abe") // who may choose every place
		voice.Mind(c.Tickets)
		ticket := c.park(bash("npm test"))[0]
		yes := ruled(ticket, scope)
		yes["undo"] = false
		c.as("abe").approveAs(ticket.ID, yes).into(t, new(detailView))
		c.must(c.People.Disable(t.Context(), operator, "abe"))
		_, err := c.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker")
		if _, waits := errors.AsType[*approval.WaitsAgain](err); !waits || strings.Contains(err.Error(), "npm test") { // which is in logs as well
			t.Fatal(err)
		}
		all := c.as("ben").written(ticket.ID)
		if named := len(all) == 2 && strings.Contains(all[1].Note, "stays: abe added the rule Bash(npm test:*) for "); named != stays {
			t.Errorf("%s: %+v", scope, all)
		}
		for who, want := range map[string]bool{"abe": stays, "ab": false, "ben": false} {
			rules, err := c.Tickets.RulesBy(t.Context(), who, 10)
			c.must(err)
			if got := len(rules) == 1 && rules[0].Ticket == ticket.ID && rules[0].Cwd == ticket.Cwd && strings.HasPrefix(rules[0].Text, "abe added the rule Bash(npm test:*) for "); got != want || !want && len(rules) != 0 {
				t.Errorf("%s, %s: %+v", scope, who, rules)
			}
		}
	}
}

// Whoever ends all sign-ins of a person is told of every rule of his that stands in a file, also of one
// that is being added at that moment: either it is named, or it lapses with its yes.
func TestT15_ARuleIsNamedOrLapses(t *testing.T) {
	c := newCrowd(t)
	for round := range 25 {
		c.signIn("abe")
		c.now = time.Now
		command := fmt.Sprintf("npm run job%d", round)
		ticket := c.park(bash(command))[0]
		c.as("abe").approveAs(ticket.ID, ruled(ticket, "local")).into(t, new(detailView))
		c.at(time.Minute)
		var settled sync.WaitGroup
		settled.Go(c.settleRules)
		for range round * 5_000 { // a little later each time
			runtime.Gosched()
		}
		c.must(c.People.SignOutAll(t.Context(), operator, "abe"))
		named, err := c.Tickets.RulesBy(t.Context(), "abe", 100)
		c.must(err)
		settled.Wait()
		stands := strings.Contains(c.local(), command)
		if told := slices.ContainsFunc(named, func(r approval.StandingRule) bool { return r.Ticket == ticket.ID }); told != stands {
			t.Errorf("round %d: it stands in the file: %v, and was named: %v", round, stands, told)
		}
	}
}
