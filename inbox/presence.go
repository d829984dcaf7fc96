package inbox

import (
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"github.com/assent-dev/assent/approval"
)

// presenceView is who has a call open beside the one who is told. It is kept in memory, as
// long as their connections last.
type presenceView struct {
	Ticket string       `json:"ticket"`
	Others []personView `json:"others"`
	// More is how many there are beside those.
	More int `json:"more,omitempty"`
}

// personView is somebody who has a call open.
type personView struct {
	Name string `json:"name"`
	// You: it is the name of the one who is told, in another window.
	You bool `json:"you"`
}

const (
	// maxTold is up to how many windows all are told what the others have open. Beyond that
	// only those are who have the same call open, and of them so many: news for everybody
	// about everybody would grow with the square.
	maxTold = 64
	// maxNamed is how many are named at one call.
	maxNamed = 20
)

// windowForm is what the name of a window looks like. The page makes it, so long that nobody
// guesses it.
var windowForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`) })

// presence says which call is open in a window.
func (s *Server) presence(r *http.Request) (any, error) {
	var body struct {
		Window string `json:"window"`
		Ticket string `json:"ticket"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if !windowForm().MatchString(body.Window) {
		return nil, noWindow()
	}
	if body.Ticket != "" {
		if !ticketID().MatchString(body.Ticket) {
			return nil, nothing()
		}
		_, err := s.Tickets.Find(r.Context(), body.Ticket)
		if _, bad := errors.AsType[*approval.Damaged](err); err != nil && !bad {
			return nil, err
		}
	}
	return s.events.look(body.Window, visitorIn(r.Context()).speaker(), body.Ticket)
}

func noWindow() *Fault {
	return invalid("window: want the name of a window, which is 16 to 64 letters and digits that nobody can guess")
}

// enter makes a follower known as a window. One of the same name that was lost, and that
// nobody has missed yet, is sent away.
func (b *broker) enter(f *follower, window, who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.windows[window]; old != nil && old != f {
		b.remove(old)
	}
	if _, follows := b.followers[f]; !follows {
		return
	}
	f.window, f.who = window, who
	b.windows[window] = f
	if len(b.windows) > maxTold {
		return
	}
	var frames []frame
	for _, ticket := range slices.Sorted(maps.Keys(b.looking)) {
		frames = append(frames, b.presenceFor(f, ticket).frame())
	}
	if len(frames) > 0 {
		b.hand(f, frames)
	}
}

// look notes which call is open in a window; none if the name is empty. It returns who else
// has it open.
func (b *broker) look(window, who, ticket string) (presenceView, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.windows[window]
	if f == nil || f.who != who {
		return presenceView{}, nothing()
	}
	if f.ticket != ticket {
		before := f.ticket
		b.stand(f, ticket)
		b.tellOthers(before, f)
		b.tellOthers(ticket, f)
	}
	return b.presenceFor(f, ticket), nil
}

// stand moves a follower from one call to another.
func (b *broker) stand(f *follower, ticket string) {
	if here := b.looking[f.ticket]; here != nil {
		if b.looking[f.ticket] = slices.DeleteFunc(here, func(other *follower) bool { return other == f }); len(b.looking[f.ticket]) == 0 {
			delete(b.looking, f.ticket)
		}
	}
	if f.ticket = ticket; ticket != "" {
		b.looking[ticket] = append(b.looking[ticket], f)
	}
}

// tellOthers tells who has a call open, but not the one whose doing it is: they know.
func (b *broker) tellOthers(ticket string, but *follower) {
	if ticket == "" || b.closed {
		return
	}
	told := slices.Clone(b.looking[ticket])
	if len(b.windows) <= maxTold {
		told = slices.Collect(maps.Values(b.windows))
	}
	for _, f := range told[:min(len(told), maxTold)] {
		if f != but {
			b.hand(f, []frame{b.presenceFor(f, ticket).frame()})
		}
	}
}

// presenceFor is who has a call open beside one who follows.
func (b *broker) presenceFor(f *follower, ticket string) presenceView {
	view := presenceView{Ticket: ticket, Others: []personView{}}
	here := b.looking[ticket]
	others := len(here)
	if f.ticket == ticket && ticket != "" {
		others--
	}
	for _, other := range here[:min(len(here), maxNamed+1)] {
		if other != f && len(view.Others) < maxNamed {
			view.Others = append(view.Others, personView{other.who, other.who == f.who})
		}
	}
	view.More = others - len(view.Others)
	return view
}

func (v presenceView) frame() frame { return frame{text: event("presence", 0, v)} }
