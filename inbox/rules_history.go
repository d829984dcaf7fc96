package inbox

import (
	"context"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
)

// entered is how the history of a call names the rule that came with an answer; empty when it does not,
// or says that it was not added. An earlier server may have written that and ended before the rule stood
// anywhere, whatever it called the machine.
func (s *Server) entered(ctx context.Context, t approval.Ticket, u permission.Update) (entry string, err error) {
	if t.Answer == nil {
		return "", nil
	}
	text := addedBy(t.Answer.By, u)
	history, err := s.Tickets.History(ctx, t.ID)
	for _, e := range history {
		switch {
		case e.Who != approval.Self || e.At.Before(t.Answer.At):
		case strings.HasPrefix(e.Note, text):
			entry = e.Note
		case approval.SaysNotAdded(e.Note, entry):
			entry = ""
		}
	}
	return entry, err
}

// enterRule writes into the history of a call which rule is added with its answer: the rule outlives
// both, and whoever looks for where it comes from looks there. That is before it is added, and in one
// transaction with the question whether the answer still counts: whoever takes the right to answer away
// from a person is either told of the rule, or it is not added.
func (s *Server) enterRule(ctx context.Context, t approval.Ticket, u permission.Update) (entry string, err error) {
	entry = addedBy(t.Answer.By, u) + onlyOn(u.Destination)
	err = s.Tickets.EnterRule(ctx, t.ID, entry, func(ctx context.Context, q database.Querier, now approval.Ticket) error {
		if !sameAnswer(now.Answer, t.Answer) {
			return &approval.Overtaken{ID: t.ID}
		}
		return s.vouched(ctx, q, now.Answer.Vote())
	})
	if err != nil {
		return "", err
	}
	s.poke()
	return entry, nil
}

// enterNotAdded writes into the history of a call that a rule which it names is not there.
func (s *Server) enterNotAdded(ctx context.Context, ticket, entry, why string) {
	if why == "" {
		why = "the yes with which it came does not count any more"
	}
	if err := s.Tickets.Comment(ctx, ticket, approval.Self, approval.RuleNotAdded(entry, clip(mask(policy.Visible(why))))); err != nil {
		s.Log.Warn("a rule that was not added is named in the history of its call", "ticket", ticket, "err", mask(err.Error()))
	}
	s.poke()
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
