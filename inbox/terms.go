package inbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// voteView is the yes of one of several people.
type voteView struct {
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Digest string    `json:"digest"`
	Reason string    `json:"reason,omitempty"`
	// Same: it is for what is shown, and counts for it.
	Same bool `json:"same"`
}

// termsFor are what a yes to a call needs: what was asked for when it was parked, and what the
// settings of its place ask for today. Those of a place that is on another machine were asked when
// the call was parked: then the settings of this one have their say beside them.
func (s *Server) termsFor(t *approval.Ticket, j judged) (permission.Terms, error) {
	risk := j.risk(t.Risk)
	if j.judgement != nil {
		return t.Terms.And(j.judgement.Approvals(risk)), nil
	}
	dir := t.Cwd
	if j.away() != nil {
		dir = s.Dir
	}
	checker, err := s.checker(dir)
	if err != nil {
		return t.Terms, err
	}
	today, err := checker.Approvals(query(j.call, j.mode), risk)
	return t.Terms.And(today), err
}

// votesOn are the votes on a ticket that needs several people, of those who may still answer. One that is damaged counts for
// nothing: the store refuses a yes as long as it is there.
func (s *Server) votesOn(ctx context.Context, t *approval.Ticket, terms permission.Terms, stillFor approval.StillFor) ([]approval.Vote, error) {
	if terms.Need() == 1 {
		return nil, nil
	}
	votes, err := s.Tickets.Votes(ctx, t.ID)
	if _, damaged := errors.AsType[*approval.DamagedVote](err); damaged {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return s.counting(ctx, votes, stillFor, barred(t, terms))
}

// yesAs is how somebody stands under a yes to a call; else why he cannot say yes. He says it
// for himself if he may, and otherwise in the place of somebody whose deputy he is: but not of
// one who wanted the call or could have, where that matters, nor of one for whom somebody has
// spoken already.
func (v *visitor) yesAs(terms permission.Terms, votes []approval.Vote, from requester) (by, why string) {
	own := from.is(v.name)
	switch {
	case !v.mayAnswer():
		return "", noAnswers(v)
	case terms.Personal() && !v.signedIn():
		return "", "it matters who approves this, and this server knows no people (add some with `assent people add`, and start it again)"
	case terms.Personal() && v.program():
		return "", "it matters who approves this, and the token of a program proves nothing about that (sign in on the page, and approve it there)"
	case len(from.Strange) > 0:
		return "", from.whoIsThat()
	case own != "":
		return "", own + ", and somebody else has to approve it (ask a colleague, or deny it)"
	}
	for _, person := range v.own() {
		spoken := slices.IndexFunc(votes, func(vote approval.Vote) bool {
			return !strings.EqualFold(vote.Voter, v.name) && account.Alike(approval.InPlaceOf(vote.By), person)
		})
		switch own := from.is(person); {
		case own != "":
			why = fmt.Sprintf("%s, so nobody can approve it in the place of %s (somebody else has to)", own, person)
		case spoken >= 0:
			why = fmt.Sprintf("%s has approved it already: that is the yes of %s, and somebody else has to say another one", policy.WellFormed(votes[spoken].By), person)
		default:
			return v.signatureFor(person), ""
		}
	}
	return "", why
}

// own are those for whom he may answer, himself first.
func (v *visitor) own() []string {
	if slices.Contains(v.answers, v.name) {
		return append([]string{v.name}, v.deputyOf()...)
	}
	return v.answers
}

// mayNot refuses what yesAs refuses.
func mayNot(why string) *Fault { return forbidden(http.StatusForbidden, why) }

// permitted refuses a yes that the one who says it may not say, or not in this way, before
// anything is written. It returns what a yes needs.
func (s *Server) permitted(ctx context.Context, y *yes, j judged) (permission.Terms, error) {
	terms, err := s.termsFor(y.Ticket, j)
	if err != nil {
		return terms, err
	}
	from, err := s.requesterOf(ctx, y.Ticket, terms)
	if err != nil {
		return terms, err
	}
	if _, why := visitorIn(ctx).yesAs(terms, nil, from); why != "" {
		return terms, mayNot(why)
	}
	if terms.Reason && !policy.Shows(y.body.Reason) {
		return terms, &approval.NoReason{ID: y.Ticket.ID}
	}
	return terms, s.checkLink(ctx, y.body.Link, y.Ticket.ID, y.Digest())
}

// addTerms says what a yes needs, who has given one, and whether the one who asks can.
func (s *Server) addTerms(ctx context.Context, d *detailView, m matter, j judged) error {
	d.Requester = policy.WellFormed(m.Ticket.Requester)
	terms := m.Ticket.Terms
	if m.answerable() {
		var err error
		if terms, err = s.termsFor(m.Ticket, j); err != nil {
			d.Problem = policy.WellFormed(err.Error())
		}
	}
	d.Terms = termsOf(terms)
	votes, err := s.votesOn(ctx, m.Ticket, terms, s.looks())
	if err != nil {
		return err
	}
	digest, places, change, counted := m.Digest(), d.Places, d.Change.Seen(), votes
	if a := m.Ticket.Answer; a != nil { // those who have said yes to what was approved, and nobody else
		digest, places, change, counted = a.Digest, a.Places, a.Change.Seen(), a.Others
	}
	if d.State == string(approval.Pending) {
		d.Approvals = approvals(votes, digest, places, change)
	}
	for _, vote := range counted {
		d.Votes = append(d.Votes, voteView{By: policy.WellFormed(vote.By), At: vote.At, Digest: vote.Digest, Reason: policy.WellFormed(vote.Message), Same: vote.For(digest, places, change)})
	}
	from, err := s.requesterOf(ctx, m.Ticket, terms)
	if err != nil {
		return err
	}
	by, why := visitorIn(ctx).yesAs(terms, votes, from)
	if why == "" {
		if why, err = s.notBeside(ctx, by, m.Digest(), d.Places, d.Change.Seen(), votes); err != nil {
			return err
		}
	}
	d.MayAnswer, d.MayNotWhy = why == "", why
	if terms.Personal() && d.Suggestion != nil {
		d.Suggestion, d.NoRule = nil, noRuleFor
	}
	return nil
}

// noRuleFor is why no rule comes with a yes that certain people must say.
const noRuleFor = "the settings say who has to approve such calls, and a rule would let them run without those"

// termsFault is an error about terms as it is told; nil when it is another one.
func termsFault(err error) *Fault {
	if e, ok := errors.AsType[*approval.Unsigned](err); ok {
		return mayNot(e.Error())
	}
	if e, ok := errors.AsType[*approval.OwnRequest](err); ok {
		return mayNot(policy.WellFormed(e.Error()))
	}
	if e, ok := errors.AsType[*approval.NoReason](err); ok {
		return invalid("reason: %s", e.Error())
	}
	if e, ok := errors.AsType[*approval.BadComment](err); ok {
		return invalid("text: %s", e.Error())
	}
	if e, ok := errors.AsType[*approval.Voted](err); ok {
		return conflict(Answered, e)
	}
	if e, ok := errors.AsType[*approval.NoVote](err); ok {
		return conflict(Changed, e)
	}
	if e, ok := errors.AsType[*approval.DamagedVote](err); ok {
		return conflict(Changed, e)
	}
	return nil
}
