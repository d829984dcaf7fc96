package inbox

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
)

// undoTime is how long an answer can be taken back that was given with that in mind.
const undoTime = 5 * time.Second

// graces are the answers that can be taken back. They are kept in memory: after a restart
// an answer holds at once.
type graces struct {
	mu sync.Mutex
	// all are those of each ticket: of several people who answer at once each has one, until
	// it is known who was first.
	all map[string][]*grace
}

// grace is an answer that can be taken back. Whoever gives the answer has it, so nobody
// takes back another one.
type grace struct {
	ticket string
	until  time.Time
	// said is what the ticket says with this answer, and no other; empty until it is
	// written.
	said string
}

// give lets an answer be taken back until a moment. It is called before the answer is
// written, so that nobody acts on it too early. What follows is [graces.written], or
// [graces.revoke] for an answer that was not written after all.
func (g *graces) give(ticket string, until time.Time) *grace {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == nil {
		g.all = map[string][]*grace{}
	}
	one := &grace{ticket: ticket, until: until}
	g.all[ticket] = append(g.all[ticket], one)
	return one
}

// revoke ends a grace, and no other; nil is none.
func (g *graces) revoke(one *grace) {
	if one == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep(one.ticket, func(other *grace) bool { return other != one })
}

// written says what a ticket says with an answer. It ends the grace of every answer before
// it; one is the grace of the answer itself, and nil if that holds at once.
func (g *graces) written(ticket, said string, one *grace) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep(ticket, func(other *grace) bool { return other == one || other.said == "" })
	if one != nil {
		one.said = said
	}
}

// keep keeps those graces of a ticket.
func (g *graces) keep(ticket string, which func(*grace) bool) {
	left := slices.DeleteFunc(g.all[ticket], func(one *grace) bool { return !which(one) })
	if len(left) == 0 {
		delete(g.all, ticket)
		return
	}
	g.all[ticket] = left
}

// last is the answer that can be taken back; nil when there is none.
func (g *graces) last(ticket string, now time.Time) *grace {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(now)
	for _, one := range slices.Backward(g.all[ticket]) {
		if one.said != "" {
			return one
		}
	}
	return nil
}

// of is until when nobody should act on an answer; zero means that one may.
func (g *graces) of(ticket string, now time.Time) (until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(now)
	for _, one := range g.all[ticket] {
		if one.until.After(until) {
			until = one.until
		}
	}
	return until
}

// forget forgets what is over.
func (g *graces) forget(now time.Time) {
	for ticket := range g.all {
		g.keep(ticket, func(one *grace) bool { return one.until.After(now) })
	}
}

// undoView is until when an answer can be taken back.
type undoView struct {
	Until time.Time `json:"until"`
}

func (g *graces) view(ticket string, now time.Time) *undoView {
	if one := g.last(ticket, now); one != nil {
		return &undoView{one.until}
	}
	return nil
}

// undo takes an answer back.
func (s *Server) undo(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Digest string `json:"digest"`
	}
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
		return nil, &Fault{Status: http.StatusConflict, Code: Changed, Message: "this is not the call that was shown (look at it again)"}
	}
	rule, err := s.takeBack(r.Context(), id)
	if err != nil {
		return nil, err
	}
	s.Log.Info("taken back", "ticket", id, "by", s.Who)
	s.crew.forgive(m.Ticket.Session)
	s.poke()
	d, err := s.show(r.Context(), id)
	if err == nil {
		d.Rule = rule
	}
	return d, err
}

// takeBack takes an answer back, with the rule that came with it.
func (s *Server) takeBack(ctx context.Context, id string) (*ruleView, error) {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	given := s.graces.last(id, s.now())
	if given == nil {
		return nil, &Fault{Status: http.StatusConflict, Code: Answered, Message: "the time to take this answer back is over (what was approved can still be denied, as long as it has not begun)"}
	}
	if _, err := s.Tickets.Retract(ctx, id, given.said, s.Who); err != nil {
		return nil, overtaken(err)
	}
	s.graces.revoke(given)
	return s.later.takenBack(given), nil
}

// keepUndoable ends what could be taken back before an answer. A no that mends a damaged
// ticket holds at once: nobody knows what stood there before.
func (s *Server) keepUndoable(t *approval.Ticket, own *grace) {
	if t.Answer != nil && t.Answer.Mends != approval.NoDamage {
		s.graces.revoke(own)
		own = nil
	}
	s.graces.written(t.ID, t.Said(), own)
}

// overtaken says that another answer counts by now.
func overtaken(err error) error {
	if _, ok := errors.AsType[*approval.Overtaken](err); ok {
		return &Fault{Status: http.StatusConflict, Code: Answered, Message: "somebody has said something else since, and that holds (look at the call again)"}
	}
	return err
}
