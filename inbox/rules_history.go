package inbox

import (
	"context"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
)

// enterRule writes into the history of a call which rule was added with its answer: the rule
// outlives both, and whoever looks for where it comes from looks there. A server that goes on with
// what an earlier one has begun may find it there, whatever that one called the machine.
func (s *Server) enterRule(ctx context.Context, t approval.Ticket, u permission.Update) {
	text := addedBy(t.Answer.By, u)
	history, err := s.Tickets.History(ctx, t.ID)
	entered := func(e approval.Event) bool {
		return e.Who == approval.Self && strings.HasPrefix(e.Note, text) && !e.At.Before(t.Answer.At)
	}
	if err == nil && !slices.ContainsFunc(history, entered) {
		err = s.Tickets.Comment(ctx, t.ID, approval.Self, text+onlyOn(u.Destination))
		s.poke()
	}
	if err != nil {
		s.Log.Warn("a rule that was added is not in the history of its call", "ticket", t.ID, "err", mask(err.Error()))
	}
}

// addedBy says what somebody has changed about the rules, in one line.
func addedBy(who string, u permission.Update) string {
	who = policy.WellFormed(who)
	what := ""
	switch u.Type {
	case permission.SetMode:
		what = who + " set the mode " + u.Mode.String()
	case permission.AddDirectories:
		what = who + " added the " + counted(u.Directories, "directory", "directories") + " to the workspace"
	case permission.AddRules, permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories: // of which only the first is offered
		what = approval.RuleAdded(who) + counted(u.Rules, "", "s")
	}
	return what + " " + reachOf(u.Destination)
}

// counted is a list with the word for what is in it, as much as somebody reads.
func counted(all []string, one, several string) string {
	word := several
	if len(all) == 1 {
		word = one
	}
	return word + " " + clip(mask(policy.Visible(strings.Join(all, ", "))))
}

// reachOf is for what a rule holds that stands at a place.
func reachOf(place rule.Source) string {
	switch place {
	case rule.Session:
		return approval.ForSession
	case rule.LocalSettings, rule.ProjectSettings:
		return "for the project"
	case rule.UserSettings:
		return "for all projects of this user"
	default:
		return "for " + place.String()
	}
}

// onlyOn names this machine where a rule stands in a file that goes to no other. Several servers write
// into the same history, and whoever wants to remove the rule has to know where.
func onlyOn(place rule.Source) string {
	if place != rule.LocalSettings && place != rule.UserSettings {
		return ""
	}
	host, _ := machine()
	return ", on " + host + " only"
}
