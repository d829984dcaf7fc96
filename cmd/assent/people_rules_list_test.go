package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// However many rules somebody has added, all of them can be seen, the last one first.
func TestA4_AllRulesOfSomebodyCanBeSeen(t *testing.T) {
	for _, shared := range []bool{false, true} {
		w := votedIn(t, shared)
		w.looks("people", "rules", "ben")
		w.says("ben has added no rule with a yes that is on record")
		w.within(func(ctx context.Context, s *approval.Store) {
			for i := range 60 {
				w.check(s.Comment(ctx, w.ticket.ID, approval.Self, fmt.Sprintf("%s Bash(deploy %d) for the project", approval.RuleAdded("ben"), i)))
			}
			w.check(s.Comment(ctx, w.ticket.ID, approval.Self, approval.RuleAdded("ben")+" Bash(once) "+approval.ForSession))
			w.check(s.Comment(ctx, w.ticket.ID, approval.Self, approval.RuleAdded("benno")+" Bash(other) for the project"))
		})
		w.looks("people", "disable", "ben")
		w.says("stay in force unless somebody has removed them since", "There may be more: these are the last ones. `assent people rules ben` lists all.")
		w.looks("people", "rules", "ben")
		w.says("ben added the rule Bash(deploy 0) for the project", w.ticket.ID, w.ticket.Cwd, "!once", "!other")
		last := -1
		for i := 59; i >= 0; i-- {
			at := strings.Index(w.out, fmt.Sprintf("Bash(deploy %d) ", i))
			if at <= last {
				t.Fatalf("%d is not behind those that came later:\n%s", i, w.out)
			}
			last = at
		}
		w.looks("people", "rules", "ben", "--json")
		var rules []ruleLine
		w.check(json.Unmarshal([]byte(w.out), &rules))
		if first := rules[0]; len(rules) != 60 || first.Ticket != w.ticket.ID || first.Cwd != w.ticket.Cwd || first.At.IsZero() || first.Text != "ben added the rule Bash(deploy 59) for the project" {
			t.Errorf("%d %+v", len(rules), first)
		}
		w.run(2, append([]string{"people", "rules", "ghost"}, w.flags...)...)
		w.says(`there is nobody called "ghost"`)
	}
}
