package inbox

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
)

// undoTime is how long an answer can be taken back that was given with that in mind.
const undoTime = 5 * time.Second

// graces are the answers that can be taken back. They are kept in memory: after a restart
// an answer holds at once.
type graces struct {
	mu  sync.Mutex
	all map[string]grace
}

// grace is an answer that can be taken back.
type grace struct {
	until time.Time
	// said is what the ticket says with this answer, and no other; empty until it is
	// written.
	said string
}

// give lets an answer be taken back until a moment. It is called before the answer is
// written, so that nobody acts on it too early; revoke is for an answer that was not
// written after all, and leaves an earlier one as it was.
func (g *graces) give(ticket string, until time.Time) (revoke func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == nil {
		g.all = map[string]grace{}
	}
	before, had := g.all[ticket]
	g.all[ticket] = grace{until: until}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if delete(g.all, ticket); had {
			g.all[ticket] = before
		}
	}
}

// written says what the ticket says with the answer that can be taken back.
func (g *graces) written(ticket, said string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one, ok := g.all[ticket]; ok {
		one.said = said
		g.all[ticket] = one
	}
}

// said is what the ticket said with the answer that can be taken back; empty when there is
// none.
func (g *graces) said(ticket string, now time.Time) string {
	if g.of(ticket, now).IsZero() {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all[ticket].said
}

func (g *graces) end(ticket string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, ticket)
}

// of is until when nobody should act on an answer; zero means that one may. What is over is
// forgotten.
func (g *graces) of(ticket string, now time.Time) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, one := range g.all {
		if !one.until.After(now) {
			delete(g.all, id)
		}
	}
	return g.all[ticket].until
}

// undoView is until when an answer can be taken back.
type undoView struct {
	Until time.Time `json:"until"`
}

func (g *graces) view(ticket string, now time.Time) *undoView {
	if until := g.of(ticket, now); !until.IsZero() {
		return &undoView{until}
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
	said := s.graces.said(id, s.now())
	if said == "" {
		return nil, &Fault{Status: http.StatusConflict, Code: Answered, Message: "the time to take this answer back is over (what was approved can still be denied, as long as it has not begun)"}
	}
	if _, err := s.Tickets.Retract(r.Context(), id, said, s.Who); err != nil {
		return nil, overtaken(err)
	}
	s.graces.end(id)
	s.poke()
	return s.show(r.Context(), id)
}

// overtaken says that another answer counts by now.
func overtaken(err error) error {
	if _, ok := errors.AsType[*approval.Overtaken](err); ok {
		return &Fault{Status: http.StatusConflict, Code: Answered, Message: "somebody has said something else since, and that holds (look at the call again)"}
	}
	return err
}
