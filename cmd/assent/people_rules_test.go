package main

import (
	"context"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// Whoever takes somebody's right away is told which rules he has added that stay.
func TestA4_WhoeverDisablesSomebodyIsToldOfHisRules(t *testing.T) {
	for _, shared := range []bool{false, true} {
		w := votedIn(t, shared)
		w.looks("people", "disable", "ben")
		w.says("ben is disabled", "!stay in force")
		w.looks("people", "enable", "ben")
		w.within(func(ctx context.Context, s *approval.Store) {
			for _, text := range []string{approval.RuleAdded("ben") + " Bash(deploy:*) for the project", approval.RuleAdded("ben") + " Bash(once) " + approval.ForSession, approval.RuleAdded("benno") + " Bash(other) for the project"} {
				w.check(s.Comment(ctx, w.ticket.ID, approval.Self, text))
			}
			w.check(s.Comment(ctx, w.ticket.ID, "ben", approval.RuleAdded("ben")+" Bash(invented) for the project"))
		})
		for _, verb := range []string{"sign-out", "disable"} {
			w.looks("people", verb, "ben")
			w.says("Rules that came with a yes of ben stay in force", "ben added the rule Bash(deploy:*) for the project (ticket "+w.ticket.ID+", in "+w.ticket.Cwd+")", "!once", "!other", "!invented")
		}
		w.looks("people", "enable", "ben")
		w.says("!stay in force")
	}
}
