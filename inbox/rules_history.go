package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
)

// self is under whose name this server writes into the history of a call. No person has it.
const self = "assent"

// enterRule writes into the history of a call which rule was added with its answer: the rule
// outlives both, and whoever looks for where it comes from looks there. A server that goes on with
// what an earlier one has begun may find it there.
func (s *Server) enterRule(ctx context.Context, t approval.Ticket, u permission.Update) {
	text := addedBy(t.Answer.By, u)
	history, err := s.Tickets.History(ctx, t.ID)
	entered := func(e approval.Event) bool { return e.Who == self && e.Note == text && !e.At.Before(t.Answer.At) }
	if err == nil && !slices.ContainsFunc(history, entered) {
		err = s.Tickets.Comment(ctx, t.ID, self, text)
		s.poke()
	}
	if err != nil {
		s.Log.Warn("a rule that was added is not in the history of its call", "ticket", t.ID, "err", mask(err.Error()))
	}
}

// addedBy says what somebody has changed about the rules, in one line.
func addedBy(who string, u permission.Update) string {
	what := ""
	switch u.Type {
	case permission.SetMode:
		what = "set the mode " + u.Mode.String()
	case permission.AddDirectories:
		what = "added " + counted(u.Directories, "the directory", "the directories") + " to the workspace"
	case permission.AddRules, permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories: // of which only the first is offered
		what = "added " + counted(u.Rules, "the rule", "the rules")
	}
	return fmt.Sprintf("%s %s %s", policy.WellFormed(who), what, reachOf(u.Destination))
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
		return "for this session"
	case rule.LocalSettings:
		return "for the project, on this machine only"
	case rule.ProjectSettings:
		return "for the project"
	case rule.UserSettings:
		return "for all projects of this user"
	default:
		return "for " + place.String()
	}
}
