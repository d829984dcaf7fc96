package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
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
		password := filepath.Join(w.home, "password")
		w.check(os.WriteFile(password, []byte("another horse battery\n"), 0o600))
		for _, args := range [][]string{
			{"sign-out", "ben"},
			{"password", "ben", "--password-file", password},
			{"role", "ben", "viewer"},
			{"role", "ben", "viewer"},
			{"disable", "ben"},
			{"link", "ben", "--issuer", "https://id.example.org", "--subject", "1"},
			{"unlink", "ben"},
		} {
			w.looks(append([]string{"people"}, args...)...)
			w.says("Rules that came with a yes of ben stay in force", "ben added the rule Bash(deploy:*) for the project (ticket "+w.ticket.ID+", in "+w.ticket.Cwd+")", "!once", "!Bash(other)", "!invented", "!There may be more")
		}
		for _, args := range [][]string{{"enable", "ben"}, {"role", "ben", "approver"}, {"role", "ben", "admin"}} {
			w.looks(append([]string{"people"}, args...)...)
			w.says("!stay in force")
		}
	}
}

// Whoever reads the last rules of somebody is told that there are more, however many for sessions came after them.
func TestA4_WhoeverDisablesSomebodyIsToldThatThereAreMoreRules(t *testing.T) {
	w := votedIn(t, false)
	w.within(func(ctx context.Context, s *approval.Store) {
		for i := range 21 {
			w.check(s.Comment(ctx, w.ticket.ID, approval.Self, fmt.Sprintf("%s Bash(deploy %d) for the project", approval.RuleAdded("ben"), i)))
			w.check(s.Comment(ctx, w.ticket.ID, approval.Self, approval.RuleAdded("ben")+" Bash(once) "+approval.ForSession))
		}
	})
	w.looks("people", "disable", "ben")
	w.says("Bash(deploy 20)", "Bash(deploy 1) ", "!Bash(deploy 0)", "!once", "There may be more: these are the last ones.")
}

// Whoever is linked to another identity is signed out, which is said.
func TestA4_WhoeverLinksSomebodySignsHimOut(t *testing.T) {
	w := votedIn(t, false)
	w.looks("people", "link", "ben", "--issuer", "https://id.example.org", "--subject", "1")
	w.says("ben signs in as 1 of https://id.example.org, and is signed out everywhere", "!stay in force")
	w.looks("people", "link", "ben", "--issuer", "https://id.example.org", "--subject", "1")
	w.says("ben signs in as 1 of https://id.example.org already", "!signed out")
}

// Where the other server takes a role away no admin is told of the rules that stay, so the log is: of
// their calls, and not of what they say.
func TestA4_TheLogIsToldOfRulesThatStay(t *testing.T) {
	w := votedIn(t, false)
	w.within(func(ctx context.Context, s *approval.Store) {
		var said strings.Builder
		log := slog.New(slog.NewTextHandler(&said, nil))
		logRules(ctx, log, s, "ben")
		if said.String() != "" {
			t.Error(said.String())
		}
		w.check(s.Comment(ctx, w.ticket.ID, approval.Self, approval.RuleAdded("ben")+" Bash(deploy:*) for the project"))
		logRules(ctx, log, s, "ben")
		if got := said.String(); !strings.Contains(got, "who=ben") || !strings.Contains(got, w.ticket.ID) || strings.Contains(got, "deploy") {
			t.Error(got)
		}
	})
}
