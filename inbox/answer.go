package inbox

import (
	"context"
	"errors"
	"net/http"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// approveBody is a yes as it is sent.
type approveBody struct {
	Digest string `json:"digest"`
	// Places are the files that the person was shown; nil means those with which the call was
	// parked.
	Places []string `json:"places,omitempty"`
	// Change is the digest of the change of a file that the person was shown; empty means that it does
	// not matter.
	Change  string         `json:"change,omitempty"`
	Input   strictjson.Raw `json:"input,omitempty"`
	Answers []string       `json:"answers,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Confirm string         `json:"confirm,omitempty"`
	Rule    *ruleChoice    `json:"rule,omitempty"`
	// Undo: the answer may be taken back for a while, so the call does not run before.
	Undo bool `json:"undo,omitempty"`
	// Link is that of the notification by which the person came; the answer uses it up.
	Link string `json:"link,omitempty"`
}

// maxReason is how many bytes of a reason are kept.
const maxReason = 10_000

// approve lets a call run.
func (s *Server) approve(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body approveBody
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if err := said(body.Digest, body.Reason); err != nil {
		return nil, err
	}
	m, err := s.matter(r.Context(), id)
	if err != nil {
		return nil, err
	}
	y := yes{matter: m, body: body}
	added, err := s.say(r.Context(), &y)
	if err != nil {
		return nil, err
	}
	d, err := s.present(r.Context(), y.matter, *y.judged) // as it stands with the answer; who runs it meanwhile is told by events
	if err == nil {
		d.Rule = added
	}
	return d, err
}

// yes is a person's yes to a call.
type yes struct {
	matter
	body approveBody
	// judged is what the rules make of what would run. They are asked once, so that the risk,
	// the word that has to be typed and the files are those of one moment; nil before.
	judged *judged
	// change is what it does to a file.
	change *clerk.FileChange
	// by is how the person stands under it.
	by string
}

// runs is the call that would run.
func (y *yes) runs() approval.Call {
	call := y.Call
	if y.body.Input != nil {
		call.Input = y.body.Input
	}
	return call
}

// say records a yes, and adds the rule that goes with it.
func (s *Server) say(ctx context.Context, y *yes) (*ruleView, error) {
	id := y.Ticket.ID
	if y.judged == nil {
		found := s.judge(y.runs(), y.Mode)
		y.judged = &found
	}
	j := *y.judged
	if !clerk.ToApprove.Fits(y.Matter) { // somebody was faster, and is named
		if err := y.Answerable(); err != nil {
			return nil, late(y.matter, clerk.Late(y.Matter, err, func() ([]approval.Event, error) { return s.Tickets.History(ctx, id) }))
		}
	}
	if j.denied() && y.body.Digest == y.Digest() { // no word helps
		return nil, deniedBy(j)
	}
	if y.body.Digest == y.Digest() {
		if moved := y.MovedSince(y.body.Places, y.ReachOf(j.judgement, y.body.Input != nil)); moved != nil {
			return nil, movedFault(moved)
		}
	}
	if y.change = s.changeOf(y.matter, j); y.body.Digest == y.Digest() {
		if err := seen(y.change, y.body.Change); err != nil {
			return nil, err
		}
	}
	if y.body.Input != nil && j.judgement != nil && j.judgement.Call == nil { // no word makes it fit
		return nil, invalid("the input does not fit the tool %s: %s", policy.WellFormed(y.Call.Tool), policy.WellFormed(j.fits()))
	}
	if err := confirmed(confirmationOf(j, y.Ticket.Risk), y.body.Confirm); err != nil {
		return nil, err
	}
	terms, err := s.permitted(ctx, y, j)
	if err != nil {
		return nil, err
	}
	var update permission.Update
	if y.body.Rule != nil {
		if terms.Personal() {
			return nil, mayNot("rule: " + noRuleFor)
		}
		if visitorIn(ctx).program() {
			return nil, mayNot("rule: " + noRuleByProgram + " (approve it without one, or sign in on the page and add it there)")
		}
		if visitorIn(ctx).onlyDeputy() {
			return nil, mayNot("rule: " + noRuleByDeputy + " (approve it without one, or let somebody add it who may answer himself)")
		}
		if y.body.Input != nil || y.body.Answers != nil {
			return nil, invalid("rule: a rule can be added to a call that is approved as it is")
		}
		if update, err = y.body.Rule.choose(visitorIn(ctx), j, *y.Ticket); err != nil {
			return nil, err
		}
	}
	var rule *laterRule
	if y.body.Rule != nil { // before the yes is written, so that nobody who acts on it misses the rule
		rule = s.promise(*y.Ticket, update)
	}
	answered, err := s.record(ctx, y, terms)
	if err != nil {
		s.later.forget(rule)
		return nil, err
	}
	if y.Matter = answered; y.body.Answers != nil { // which are a part of what runs
		found := s.judge(y.Runs(), y.Mode)
		y.judged = &found
	}
	if y.Ticket.Answer == nil { // others must say yes, too
		s.Log.Info("approved by one of several", "ticket", id, "by", y.by)
		s.poke()
		return nil, nil
	}
	s.Log.Info("approved", "ticket", id, "by", y.by)
	var added *ruleView
	if rule != nil {
		added = s.keep(rule, *y.Ticket, s.inert(j, update))
	}
	s.crew.GoOn(*y.Ticket)
	s.poke()
	return added, nil
}

// record writes a yes down, after everything was checked once more. It is one to the call as
// it was judged: what somebody has said since is not replaced.
func (s *Server) record(ctx context.Context, y *yes, terms permission.Terms) (clerk.Matter, error) {
	s.answering.Lock()
	defer s.answering.Unlock()
	votes, err := s.votesOn(ctx, y.Ticket, terms, s.looks())
	if err != nil {
		return y.Matter, err
	}
	v := visitorIn(ctx)
	from, err := s.requesterOf(ctx, y.Ticket, terms)
	if err != nil {
		return y.Matter, err
	}
	by, why := v.yesAs(terms, votes, from)
	if why != "" {
		return y.Matter, mayNot(why)
	}
	y.by = by
	if now, err := s.Tickets.Find(ctx, y.Ticket.ID); err == nil && now.Said() != y.Ticket.Said() {
		return y.Matter, &approval.WrongState{ID: now.ID, State: now.State, Answer: now.Answer}
	}
	answered := y.Matter
	err = s.withLink(ctx, y.body.Link, y.Ticket.ID, func() error {
		answered, err = s.write(ctx, y, by, terms)
		return err
	})
	return answered, err
}

// write writes a yes down.
func (s *Server) write(ctx context.Context, y *yes, by string, terms permission.Terms) (clerk.Matter, error) {
	v := visitorIn(ctx)
	return s.answer(ctx, y.matter, func(c *clerk.Clerk) (clerk.Matter, error) {
		given := clerk.Yes{By: by, Voter: v.voter(), Moment: v.in.Moment, Terms: terms, Reason: y.body.Reason, Digest: y.body.Digest, Settles: s.settles(y.body.Undo, y.Ticket), Places: y.body.Places, Change: y.change, Risk: y.judged.risk(y.Ticket.Risk), Input: y.body.Input, Answers: y.body.Answers, Still: s.still(barred(y.Ticket, terms))}
		if y.Problem != "" || !y.Waits { // who finds it again may say more
			return c.Approve(ctx, y.Ticket.ID, given)
		}
		return c.ApproveThis(ctx, y.Matter, given)
	})
}

// answer gives an answer through the clerk. One that comes too late is told so.
func (s *Server) answer(ctx context.Context, m matter, give func(*clerk.Clerk) (clerk.Matter, error)) (clerk.Matter, error) {
	answered := m.Matter
	err := s.ask(ctx, func(c *clerk.Clerk) error {
		err := s.own.give(m.Ticket.ID, func() (approval.State, error) {
			after, err := give(c)
			if err != nil {
				return "", err
			}
			answered = after
			if after.Ticket.Said() == m.Ticket.Said() {
				return "", nil
			}
			return after.Ticket.State, nil
		})
		if err == nil { // who takes an answer back holds the rules while it is given
			s.later.answered(m.Ticket.ID)
		}
		return err
	})
	return answered, late(m, err)
}

// late is the error of an answer, which may have come too late, or where nobody can give one yet.
func late(m matter, err error) error {
	if _, away := errors.AsType[*clerk.Away](err); away {
		return conflict(Changed, err)
	}
	if clerk.KindOf(err) == clerk.Refused && m.Standing == clerk.Expired || errors.Is(err, clerk.ErrTimeOver) {
		return conflict(Expired, err)
	}
	return err
}

// deny refuses a call.
func (s *Server) deny(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Digest string `json:"digest"`
		Reason string `json:"reason"`
		Undo   bool   `json:"undo,omitempty"`
		Link   string `json:"link,omitempty"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if err := said(body.Digest, body.Reason); err != nil {
		return nil, err
	}
	m, err := s.matter(r.Context(), id)
	if err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	err = s.denyWithLink(r.Context(), body.Link, id, m.Digest(), func() error {
		_, err := s.answer(r.Context(), m, func(c *clerk.Clerk) (clerk.Matter, error) {
			return c.Deny(r.Context(), id, clerk.No{By: v.signature(), Voter: v.voter(), Moment: v.in.Moment, Reason: body.Reason, Digest: body.Digest, Settles: s.settles(body.Undo, m.Ticket), Still: s.still("")})
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Log.Info("denied", "ticket", id, "by", v.signature())
	s.poke()
	return s.show(r.Context(), id)
}

// resolve says what became of a call whose outcome is unknown.
func (s *Server) resolve(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Ran  *bool  `json:"ran"`
		Note string `json:"note,omitempty"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if body.Ran == nil {
		return nil, invalid("ran is missing: true or false")
	}
	if len(body.Note) > maxReason {
		return nil, invalid("note: at most %d bytes", maxReason)
	}
	if _, err := s.matter(r.Context(), id); err != nil {
		return nil, err
	}
	by := visitorIn(r.Context()).signature()
	err = s.ask(r.Context(), func(c *clerk.Clerk) error {
		_, err := c.Resolve(r.Context(), id, clerk.Finding{By: by, Note: body.Note, Ran: *body.Ran})
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Log.Info("resolved", "ticket", id, "by", by)
	s.poke()
	return s.show(r.Context(), id)
}

// said refuses an answer that does not say to what it is one.
func said(digest, reason string) error {
	if digest == "" {
		return noDigest()
	}
	if len(reason) > maxReason {
		return invalid("reason: at most %d bytes", maxReason)
	}
	return nil
}

func noDigest() *Fault {
	return invalid("digest is missing: an answer is one to the call that was shown, and the digest says which that was")
}
