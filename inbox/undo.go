package inbox

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

// UndoTime is how long an answer can be taken back that was given with that in mind, where [Config] does
// not say.
const UndoTime = 5 * time.Second

// settles is until when the answer to a ticket can be taken back that is given now; zero means
// not at all. It is kept with the answer, so everybody goes by it: other processes, and this server
// after a restart.
func (s *Server) settles(undo bool, t *approval.Ticket) time.Time {
	if !undo || s.Undo <= 0 {
		return time.Time{}
	}
	return t.UndoUntil(s.now(), s.Undo)
}

// undoView is until when an answer can be taken back. LeftMS is how long that is from now, for those whose
// clock is another one.
type undoView struct {
	Until  time.Time `json:"until"`
	LeftMS int64     `json:"left_ms"`
}

// undoable is until when the answer to a ticket can be taken back; nil when it cannot.
func (s *Server) undoable(t *approval.Ticket) *undoView {
	until := t.UnsettledUntil(s.now())
	if until.IsZero() {
		return nil
	}
	return &undoView{until, max(0, until.Sub(s.now()).Milliseconds())}
}

// undoBody says which answer is taken back.
type undoBody struct {
	Digest string `json:"digest"`
	// Until is that of the answer, as whoever gave it was told. Nil means the last one,
	// whoever gave it.
	Until *time.Time `json:"until,omitempty"`
}

// undo takes an answer back.
func (s *Server) undo(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body undoBody
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if body.Digest == "" {
		return nil, noDigest()
	}
	m, err := s.matter(r.Context(), id)
	if err != nil {
		return nil, err
	}
	if body.Digest != m.Digest() {
		return nil, notShown()
	}
	if m.Ticket.State == approval.Pending && visitorIn(r.Context()).signedIn() {
		return s.withdraw(r.Context(), id)
	}
	rule, err := s.takeBack(r.Context(), *m.Ticket, body.Until)
	if err != nil {
		return nil, err
	}
	s.Log.Info("taken back", "ticket", id, "by", visitorIn(r.Context()).signature())
	s.crew.Forgive(m.Ticket.Session)
	s.poke()
	d, err := s.show(r.Context(), id)
	if err == nil {
		d.Rule = rule
	}
	return d, err
}

// withdraw takes the vote of the one who asks back. A program has none, and is not the person who
// has one.
func (s *Server) withdraw(ctx context.Context, id string) (*detailView, error) {
	v := visitorIn(ctx)
	if v.program() {
		return nil, mayNot("a program takes no yes of a person back (sign in on the page, and take it back there)")
	}
	_, err := s.Tickets.Withdraw(ctx, id, v.name)
	if _, none := errors.AsType[*approval.NoVote](err); none {
		return nil, tooLate()
	}
	if err != nil {
		return nil, err
	}
	s.Log.Info("one of several was taken back", "ticket", id, "by", v.name)
	s.poke()
	return s.show(ctx, id)
}

// takeBack takes the answer to a ticket back, with the rule that came with it.
func (s *Server) takeBack(ctx context.Context, t approval.Ticket, until *time.Time) (*ruleView, error) {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	shown := s.undoable(&t)
	if v := visitorIn(ctx); shown != nil && t.Answer != nil && !v.gave(t.Answer) {
		return nil, forbidden(http.StatusForbidden, "only who has given an answer can take it back, and that was "+policy.WellFormed(t.Answer.By)+" (what was approved can be denied, as long as it has not begun)")
	}
	if until != nil && (shown == nil || !shown.Until.Equal(*until)) && t.Answer != nil && !t.Answer.Settles.Equal(*until) {
		return nil, overtaken(&approval.Overtaken{ID: t.ID})
	}
	if shown == nil {
		return nil, tooLate()
	}
	err := s.own.give(t.ID, func() (approval.State, error) {
		back, err := s.Tickets.Retract(ctx, t.ID, t.Said(), visitorIn(ctx).signature())
		return back.State, err
	})
	if err != nil {
		return nil, overtaken(err)
	}
	rule := s.later.takenBack(t)
	if err := s.Sessions.Elsewhere(t.Session); err != nil && t.Asker == "" { // whoever brought it may have heard the answer
		return nil, &Fault{Status: http.StatusConflict, Code: Answered, Message: "that it was taken back may not count: " + policy.WellFormed(err.Error())}
	}
	return rule, nil
}

func notShown() *Fault {
	return &Fault{Status: http.StatusConflict, Code: Changed, Message: "this is not the call that was shown (look at it again)"}
}

func tooLate() *Fault {
	return &Fault{Status: http.StatusConflict, Code: Answered, Message: "the answer that stands here cannot be taken back: the time for that is over, or somebody has said something else since (what was approved can still be denied, as long as it has not begun)"}
}

// overtaken says that another answer counts by now, or that this one does for good.
func overtaken(err error) error {
	if _, ok := errors.AsType[*approval.Overtaken](err); ok {
		return &Fault{Status: http.StatusConflict, Code: Answered, Message: "somebody has said something else since, and that holds (look at the call again)"}
	}
	if _, ok := errors.AsType[*approval.Settled](err); ok {
		return tooLate()
	}
	return err
}
