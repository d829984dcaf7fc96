package approval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// Unsigned: it matters who says yes to a ticket, and nobody has signed in. The name of
// somebody who uses a terminal is only that of an account, which others may use as well.
type Unsigned struct {
	ID    string
	Terms permission.Terms
}

func (e *Unsigned) Error() string {
	why := "whoever wanted the call cannot approve it"
	if n := e.Terms.Need(); n > 1 {
		why = fmt.Sprintf("%d people have to approve it", n)
	}
	return fmt.Sprintf("the ticket %s was not approved: %s, so it matters who says yes (sign in at the server, and approve it there)", e.ID, why)
}

// OwnRequest: whoever wanted a call says yes to it, and its terms want somebody else.
type OwnRequest struct{ ID, Requester string }

func (e *OwnRequest) Error() string {
	return fmt.Sprintf("the ticket %s was not approved: %s wanted the call, and somebody else has to approve it (ask a colleague, or deny it)", e.ID, e.Requester)
}

// NoReason: whoever says yes to a ticket has to say why.
type NoReason struct{ ID string }

func (e *NoReason) Error() string {
	return fmt.Sprintf("the ticket %s was not approved: a yes to it needs a reason (say why, with the yes)", e.ID)
}

// Admits is why a yes does not go with the terms of a ticket and those of the answer: an
// [*Unsigned], an [*OwnRequest] or a [*NoReason]. Nil means that it does. It says nothing about
// what others have to say.
func (t *Ticket) Admits(a Answer) error { return t.admit(&a, t.Terms.And(a.Terms)) }

// admit refuses a yes that does not go with terms.
func (t *Ticket) admit(a *Answer, terms permission.Terms) error {
	switch {
	case terms.Personal() && strings.TrimSpace(a.Voter) == "":
		return &Unsigned{t.ID, terms}
	case terms.NotRequester && (Requested(t.Requester, a.Voter) || Requested(t.Requester, InPlaceOf(a.By))):
		return &OwnRequest{t.ID, t.Requester}
	case terms.Reason && !policy.Shows(a.Message):
		return &NoReason{t.ID}
	}
	return nil
}

// Requested: a person is one of those who wanted a call. Each of them is an account or the name of
// a person. Whoever could be one of them, as [account.Alike] has it, is taken for the one, because
// somebody else can be asked. The text as a whole counts as well: it may be one name of a program
// that did not mind the commas in it.
func Requested(requester, person string) bool {
	return slices.ContainsFunc(append(account.Split(requester), requester), func(one string) bool { return account.Alike(one, person) })
}

// lapses: the end of its time lets the call run. Where it matters who says yes it never does.
func (t *Ticket) lapses() bool { return t.Outcome == permission.Allow && !t.Terms.Personal() }

// samePerson: two names are those of one person.
func samePerson(a, b string) bool { return strings.EqualFold(a, b) }

// fulfilled refuses a yes that is not all that the terms of a ticket ask for: a program that
// does not know them has written it, or somebody has edited the row.
func (t *Ticket) fulfilled() error {
	if t.Terms.IsZero() {
		return nil
	}
	last := Vote{Voter: t.Answer.Voter, By: t.Answer.By, Message: t.Answer.Message, Digest: t.Answer.Digest}
	var people []Vote
	for _, v := range append([]Vote{last}, t.Answer.Others...) {
		if err := t.admit(&Answer{Voter: v.Voter, By: v.By, Message: v.Message}, t.Terms); err != nil {
			return fmt.Errorf("it is approved against its terms: %w", err)
		}
		if v.Digest == t.Answer.Digest && !slices.ContainsFunc(people, v.sameVoice) {
			people = append(people, v)
		}
	}
	if need := t.Terms.Need(); need > 1 && len(people) < need {
		return fmt.Errorf("it is approved against its terms: %d people have to say yes, and it has the yes of %d", need, len(people))
	}
	return nil
}

// Fulfils refuses a yes that is less than terms ask for of which the ticket may know nothing: those
// on the record of a session.
func (t Ticket) Fulfils(terms permission.Terms) error {
	t.Terms = t.Terms.And(terms)
	return t.fulfilled()
}

// stricter are terms that a ticket gets from the settings at the place of a vote. Who is told
// later stays what it was when the call was parked.
func (t *Ticket) stricter(terms permission.Terms) permission.Terms {
	terms.Escalate = t.Terms.Escalate
	return terms
}

// termsText is terms as the database has them; empty for none.
func termsText(terms permission.Terms) (string, error) {
	if terms.IsZero() {
		return "", nil
	}
	text, err := strictjson.Marshal(terms)
	return string(text), err
}

func readTerms(text string) (terms permission.Terms, err error) {
	if text == "" {
		return terms, nil
	}
	err = strictjson.Unmarshal([]byte(text), &terms)
	if err = cmp.Or(err, plausible(terms)); err != nil {
		return permission.Terms{}, fmt.Errorf("what has to be so before a yes counts cannot be read: %w", err)
	}
	return terms, nil
}

// plausible refuses terms that nobody can have asked for.
func plausible(terms permission.Terms) error {
	if terms.Approvers < 0 || terms.IsZero() { // which is not written down
		return errors.New("it asks for nothing")
	}
	return nil
}
