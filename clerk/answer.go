package clerk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// Yes lets a call run.
type Yes struct {
	// By is who says so, and Reason why, for the record. Voter is the name of the person who has
	// signed in; empty for somebody at a terminal, or with the link of a server.
	By, Reason string
	Voter      string
	// Moment is that of his sign-in, see [approval.Vote].
	Moment int64
	// Terms are what has to be so before it counts, beside what the ticket says and the settings
	// of today.
	Terms permission.Terms
	// Digest is that of the call which the person was shown: another one is not approved.
	// Empty means whatever waits.
	Digest string
	// Places are the files that the person was shown, with all links followed, and Risk is the
	// risk: a call that leads elsewhere, or whose risk is higher, is not approved. Nil means the
	// files of the call when it was parked, and zero any risk.
	Places []string
	Risk   permission.Risk
	// Change is what the person was shown that the call does to its file; nil means what it does now.
	Change *FileChange
	// Input is to run in place of the one that waits; nil means that one.
	Input strictjson.Raw
	// Answers are those to questions, each QUESTION=ANSWER, where QUESTION is a number from
	// 1 or the text. They become part of the input, so there is either one or the other.
	Answers []string
	// Settles is until when it may be taken back, see [approval.Answer]; zero means that it
	// holds at once.
	Settles time.Time
	// Still is asked, in the change itself, who may still answer; see [approval.Answer].
	Still approval.Still
	// Agree is asked last of all. Its error keeps the yes from counting; nil agrees. It may take
	// its time: what was judged is what is approved.
	Agree func(Proposal) error
}

// Proposal is a call as it would run after a yes.
type Proposal struct {
	Call approval.Call
	// Judgement is what the rules make of it; nil when they do not know its tool.
	Judgement *policy.Judgement
	// Parked is the risk that was found when it was parked.
	Parked permission.Risk
	// Places are the files that it leads to, with all links followed.
	Places []string
	// Unheard is why nobody can say whether it was denied elsewhere.
	Unheard string
	// Change is what it does to its file as that is now; nil for a call that changes none. A yes is one to
	// this change.
	Change *FileChange
}

// No refuses a call.
type No struct {
	// By is who says so, and Reason why: the model is told. Voter is the name of the person who
	// has signed in; empty for others.
	By, Reason string
	Voter      string
	// Moment is that of his sign-in, see [approval.Vote].
	Moment int64
	// Digest is that of the call which the person was shown; empty means whatever waits.
	Digest string
	// Settles is until when it may be taken back, see [approval.Answer]; zero means that it
	// holds at once.
	Settles time.Time
	// Still is asked, in the change itself, who may still answer; see [approval.Answer].
	Still approval.Still
}

// Approve lets a call run when its session goes on. The call must wait for an answer and be
// what was parked, the rules of today must not deny it, it must lead to the files that were shown, questions must be answered, and
// another input must fit the tool. It returns the call as it stands then: where several people
// must say yes it still waits for the others, and [Matter.Votes] has those who have.
func (c *Clerk) Approve(ctx context.Context, id string, yes Yes) (Matter, error) {
	if err := yes.valid(); err != nil {
		return Matter{}, err
	}
	m, err := c.One(ctx, id, ToApprove)
	if err != nil {
		return m, err
	}
	return c.approve(ctx, m, yes)
}

// ApproveThis is [Clerk.Approve] for whoever has just found the call, which is not looked for
// again. What somebody has said since holds all the same: the ticket is read once more, in
// the change itself.
func (c *Clerk) ApproveThis(ctx context.Context, m Matter, yes Yes) (Matter, error) {
	if err := yes.valid(); err != nil {
		return m, err
	}
	if m.Asker() == "" {
		if err := c.answerable(m.Call.Session); err != nil {
			return m, err
		}
	}
	return c.approve(ctx, m, yes)
}

func (c *Clerk) approve(ctx context.Context, m Matter, yes Yes) (Matter, error) {
	err := c.late(ctx, m, m.Answerable())
	again := m.Standing == Approved && yes.changes() // it is approved with another input
	if again || m.WillRun() {                        // which may need a person all the same
		err = m.matches()
	}
	if err == nil {
		err = m.shown(yes.Digest)
	}
	if err == nil {
		err = m.asIs(yes)
	}
	if err != nil {
		return m, err
	}
	input, err := yes.input(m.Call)
	if err != nil {
		return m, err
	}
	now, err := c.permitted(m, input)
	if err == nil {
		err = m.asShown(yes, now)
	}
	yes.Terms = yes.Terms.And(now.terms).And(m.terms)
	if err == nil {
		err = m.admits(yes)
	}
	if err != nil {
		return m, err
	}
	change := func() *FileChange { return m.ChangeBy(now.call, now.judgement, RunsHere(c.store)) }
	if yes.Change == nil {
		yes.Change = change()
	}
	if yes.Agree != nil {
		if err := yes.Agree(Proposal{Call: now.call, Judgement: now.judgement, Parked: m.Risk(), Places: now.Places, Unheard: m.Unheard, Change: yes.Change}); err != nil {
			return m, err
		}
		if change().Seen() != yes.Change.Seen() {
			return m, &Error{Kind: Refused, Said: m.Name() + " was not approved: the file is not what it was when the change was shown", Way: SeeCall, ID: m.Name()}
		}
	}
	if waits, err := c.stillWaits(&m); err != nil || !waits { // a person may have taken his time
		return m, m.overMeanwhile(err)
	}
	if err := c.park(ctx, &m); err != nil {
		return m, err
	}
	t, err := c.tickets.Say(ctx, m.Ticket.ID, m.Digest(), approval.Answer{Behavior: permission.Allow, Change: yes.Change, Input: input, By: yes.By, Voter: yes.Voter, Moment: yes.Moment, Terms: yes.Terms, Message: yes.Reason, Places: append([]string{}, now.Places...), Risk: now.risk, Settles: yes.Settles, Still: yes.Still})
	if err != nil {
		return m, err
	}
	if m.Ticket, m.Standing = &t, standingOf(t.State); m.Standing == Pending {
		m.Votes, _ = c.tickets.Votes(ctx, t.ID) // the vote is kept, whoever else can be shown
	}
	return m, c.stillHere(m)
}

// overMeanwhile: the session of a call has gone on, or away, while somebody read it; or an error is why
// nobody can say.
func (m *Matter) overMeanwhile(err error) error {
	_, elsewhere := errors.AsType[*session.Elsewhere](err)
	switch {
	case elsewhere:
		return &Error{Kind: Refused, Said: fmt.Sprintf("%s was not answered: %v", m.Name(), err), Err: err}
	case err != nil:
		return err
	}
	return &Error{Kind: Refused, Said: m.Name() + " was not answered: its session does not wait for it any more", Way: SeeList}
}

// stillHere refuses an answer to a call whose session has come into a database since somebody looked
// for it: whoever brought it may have looked for answers before this one was there. The session is
// marked before that.
func (c *Clerk) stillHere(m Matter) error {
	if m.Asker() != "" {
		return nil
	}
	if err := c.store.Elsewhere(m.Call.Session); err != nil {
		return &Error{Kind: Refused, Said: fmt.Sprintf("what was just said about %s may not count: %v", m.Name(), err), Err: err}
	}
	return nil
}

// Deny refuses a call: one that waits, that was approved, that would run because nobody
// has answered in time, or that somebody has denied who may take that back. It returns the call as it stands then.
func (c *Clerk) Deny(ctx context.Context, id string, no No) (Matter, error) {
	if err := no.valid(); err != nil {
		return Matter{}, err
	}
	m, err := c.One(ctx, id, ToDeny)
	if err != nil {
		return m, err
	}
	// A damaged ticket is mended by a no, also if nobody waits for one.
	bad := c.damagedTicket(m.Ticket)
	if bad != nil && bad.Ticket.Asker == "" && c.store.Gone(m.Call.Session) { // nobody can say that it has not run
		return m, &Error{Kind: Refused, Said: fmt.Sprintf("the ticket %s was not denied: no session waits for it, and it is damaged: %v", m.Name(), bad.Err), Way: Forget, ID: m.Name(), Err: bad}
	}
	damaged := bad != nil && (!m.Waits || m.Stage == session.Waiting)
	fits := ToDeny.Fits(m) || m.Standing == Denied && m.unsettled()    // nobody's no is lost when another one is taken back
	if !damaged && (!fits || !m.Waits || m.Stage != session.Waiting) { // a no is for whatever the call is
		if err := c.late(ctx, m, m.Answerable()); err != nil {
			return m, err
		}
	}
	if err := m.shown(no.Digest); err != nil {
		return m, err
	}
	m.Forks = nil // a no needs none that was said before, and nothing wrong with one keeps it back
	if err := c.park(ctx, &m); err != nil {
		return m, err
	}
	t, err := c.tickets.Say(ctx, m.Ticket.ID, m.Digest(), approval.Answer{Behavior: permission.Deny, By: no.By, Voter: no.Voter, Moment: no.Moment, Message: no.Reason, Settles: no.Settles, Still: no.Still})
	if err != nil {
		return m, err
	}
	m.Ticket, m.Standing = &t, Denied
	return m, c.stillHere(m)
}

// matches refuses a call that is not the one which was parked.
func (m *Matter) matches() error {
	if m.Ticket == nil || !m.Waits {
		return nil
	}
	if err := m.Ticket.Matches(m.Call); err != nil {
		return &Error{Kind: KindOf(err), Said: err.Error(), Way: DenyIt, ID: m.Name(), Err: err}
	}
	return nil
}

// shown refuses a call that is not the one which the person was shown.
func (m *Matter) shown(digest string) error {
	if digest == "" || digest == m.Digest() {
		return nil
	}
	return &Error{Kind: Refused, Said: fmt.Sprintf("%s is not what was shown: it has the digest %s, and not %s", m.Name(), m.Digest(), digest), Way: SeeCall, ID: m.Name()}
}

// Answerable refuses what cannot be answered any more, or not yet.
func (m *Matter) Answerable() error {
	if err := m.matches(); err != nil {
		return err
	}
	no := func(w Way, id, format string, args ...any) error {
		return &Error{Kind: Refused, Said: fmt.Sprintf(format, args...), Way: w, ID: id}
	}
	switch m.Standing {
	case Unknown:
		return no(FindOut, m.Name(), "nobody knows whether %s ran", m.Name())
	case Ran:
		return no(GoOn, m.Call.Session, "%s has run already, as a person said", m.Name())
	case Expired:
		if m.Asker() != "" {
			return no(NoWay, "", "the time for %s was over at %s: %s is told so when it tries again", m.Name(), m.Until.Local().Format(approval.WithZone), m.Asker())
		}
		return no(GoOn, m.Call.Session, "the time for %s was over at %s, so %s holds", m.Name(), m.Until.Local().Format(approval.WithZone), m.Outcome)
	case Approved, Denied, Running:
		return &approval.WrongState{ID: m.Name(), State: m.state(), Answer: m.Answer()}
	case Over, Pending:
		if !m.Waits && m.Answer() != nil { // whose it is matters more than what became of it
			first := &approval.WrongState{ID: m.Name(), State: m.state(), Answer: m.Answer()}
			return &Error{Kind: Refused, Said: fmt.Sprintf("%s cannot be answered any more: %v", m.Name(), first), Way: NoWay, Err: first}
		}
		if !m.Waits && m.Problem == "" {
			return no(NoWay, "", "%s cannot be answered any more: it is %s", m.Name(), m.state())
		}
		if !m.Waits {
			return no(NoWay, "", "%s cannot be answered: %s", m.Name(), m.Problem)
		}
	}
	return nil
}

func (y Yes) valid() error {
	if y.Input != nil && len(y.Answers) > 0 {
		return &Error{Kind: Invalid, Said: "an input and answers exclude each other: the answers are part of the input"}
	}
	return legible(append([]string{y.By, y.Reason, y.Voter}, y.Answers...)...)
}

func (n No) valid() error {
	if !policy.Shows(n.Reason) {
		return &Error{Kind: Invalid, Said: "the reason is missing, which the model is told"}
	}
	return legible(n.By, n.Reason, n.Voter)
}

// legible refuses an answer of nobody, whose name comes first, and what no record could
// hold.
func legible(texts ...string) error {
	if strings.TrimSpace(texts[0]) == "" {
		return &Error{Kind: Invalid, Said: "nobody is named who answers"}
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return &Error{Kind: Invalid, Said: fmt.Sprintf("%q is not valid UTF-8", text)}
		}
	}
	return nil
}
