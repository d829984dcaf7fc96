package inbox

import (
	"context"
	"net/http"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// approveBody is a yes as it is sent.
type approveBody struct {
	Digest  string         `json:"digest"`
	Input   strictjson.Raw `json:"input,omitempty"`
	Answers []string       `json:"answers,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Confirm string         `json:"confirm,omitempty"`
	Rule    *ruleChoice    `json:"rule,omitempty"`
	// Undo: the answer may be taken back for a while, so the call does not run before.
	Undo bool `json:"undo,omitempty"`
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
	d, err := s.show(r.Context(), id)
	if err == nil {
		d.Rule = added
	}
	return d, err
}

// yes is a person's yes to a call.
type yes struct {
	matter
	body approveBody
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
	j := s.judge(y.runs(), y.Mode)
	again := y.Standing == clerk.Approved && (y.body.Input != nil || y.body.Answers != nil)
	if clerk.ToApprove.Fits(y.Matter) || again { // else somebody was faster, and is named
		if j.denied() && y.body.Digest == y.Digest() { // no word helps
			return nil, deniedBy(j)
		}
		if err := confirmed(confirmationOf(j, y.Ticket.Risk), y.body.Confirm); err != nil {
			return nil, err
		}
	}
	var update permission.Update
	if y.body.Rule != nil {
		var err error
		if y.body.Input != nil || y.body.Answers != nil {
			return nil, invalid("rule: a rule can be added to a call that is approved as it is")
		}
		if update, err = y.body.Rule.choose(j); err != nil {
			return nil, err
		}
	}
	revoke := s.undoable(id, y.body.Undo)
	if err := s.record(ctx, y); err != nil {
		revoke()
		return nil, err
	}
	s.Log.Info("approved", "ticket", id, "by", s.Who)
	var added *ruleView
	if y.body.Rule != nil {
		added = s.add(ctx, *y.Ticket, update)
	}
	s.goOn(*y.Ticket)
	s.poke()
	return added, nil
}

// undoable lets an answer be taken back for a while, if whoever gives it wants that.
func (s *Server) undoable(id string, wanted bool) (revoke func()) {
	if !wanted {
		return func() {}
	}
	return s.graces.give(id, s.now().Add(undoTime))
}

// record writes a yes down, after everything was checked once more.
func (s *Server) record(ctx context.Context, y *yes) error {
	return s.answer(ctx, y.matter, func(c *clerk.Clerk) (clerk.Matter, error) {
		return c.Approve(ctx, y.Ticket.ID, clerk.Yes{By: s.Who, Reason: y.body.Reason, Digest: y.body.Digest, Input: y.body.Input, Answers: y.body.Answers})
	})
}

// answer gives an answer through the clerk. One that comes too late is told so.
func (s *Server) answer(ctx context.Context, m matter, give func(*clerk.Clerk) (clerk.Matter, error)) error {
	err := s.ask(ctx, func(c *clerk.Clerk) error {
		answered, err := give(c)
		if err == nil {
			s.graces.written(m.Ticket.ID, answered.Ticket.Said())
		}
		return err
	})
	if clerk.KindOf(err) == clerk.Refused && m.Standing == clerk.Expired {
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
	revoke := s.undoable(id, body.Undo)
	err = s.answer(r.Context(), m, func(c *clerk.Clerk) (clerk.Matter, error) {
		return c.Deny(r.Context(), id, clerk.No{By: s.Who, Reason: body.Reason, Digest: body.Digest})
	})
	if err != nil {
		revoke()
		return nil, err
	}
	s.Log.Info("denied", "ticket", id, "by", s.Who)
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
	err = s.ask(r.Context(), func(c *clerk.Clerk) error {
		_, err := c.Resolve(r.Context(), id, clerk.Finding{By: s.Who, Note: body.Note, Ran: *body.Ran})
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Log.Info("resolved", "ticket", id, "by", s.Who)
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
