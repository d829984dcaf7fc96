package inbox

import (
	"errors"
	"net/http"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/policy"
)

// What is listed has the form that the client reads.
type (
	listView    = client.List
	damagedView = client.Damaged
	crowdView   = client.Crowd
)

// list is what is not over, by state and risk.
func (s *Server) list(r *http.Request) (any, error) {
	given, err := values(r, "state", "after", "limit")
	if err != nil {
		return nil, err
	}
	most, err := limit(given)
	if err != nil {
		return nil, err
	}
	states, err := statesOf(given["state"])
	if err != nil {
		return nil, err
	}
	var view listView
	if view.Serial, err = s.Tickets.Settled(r.Context()); err != nil { // before the list, which may only be newer
		return nil, err
	}
	part, err := s.queue(r.Context(), states, given["after"], most)
	if err != nil {
		return nil, err
	}
	view.Tickets, view.Next, view.Crowds, view.Damaged = part.rows.items(part.tickets), part.next, part.crowds, damagedViews(part.damaged)
	if err := s.addApprovals(r.Context(), part.tickets, view.Tickets); err != nil {
		return nil, err
	}
	counts, err := s.Tickets.Counts(r.Context())
	if err != nil {
		return nil, err
	}
	view.Counts = map[string]int{}
	for state, n := range counts {
		view.Counts[string(state)] = n
	}
	return view, nil
}

// maxDamaged is how many damaged tickets are named in one answer. More of them are one
// problem, and not as many as there are tickets.
const maxDamaged = 20

func damagedViews(all approval.Damages) []damagedView {
	views := []damagedView{}
	for _, d := range all[:min(len(all), maxDamaged)] {
		views = append(views, damagedView{ID: d.Ticket.ID, Problem: policy.WellFormed(mask(d.Error()))})
	}
	return views
}

// statesOf reads a list of states; none means all that are not over.
func statesOf(text string) ([]approval.State, error) {
	if text == "" {
		return nil, nil
	}
	var all []approval.State
	for name := range strings.SplitSeq(text, ",") {
		state, err := approval.ParseState(name)
		if err != nil || state.Over() {
			return nil, invalid("state: want some of unknown, pending, approved, denied, expired and running, with commas between them (the history shows what is over)")
		}
		all = append(all, state)
	}
	return all, nil
}

// historyView is a part of all tickets, the newest first.
type historyView struct {
	Tickets []item        `json:"tickets"`
	Next    string        `json:"next"`
	Damaged []damagedView `json:"damaged"`
}

// maxSearches is how many look for a text at once. Each takes long where there are many
// tickets, and needs a connection to the database: some must be left for everybody else.
const maxSearches = 2

// turn lets somebody look for a text: one search of each person at a time, so that one who sends many
// does not take all there are.
func (s *Server) turn(r *http.Request) (done func(), err error) {
	own, _ := s.searching.LoadOrStore(visitorIn(r.Context()).taker(r), make(chan struct{}, 1))
	var taken []chan struct{}
	done = func() {
		for _, c := range taken {
			<-c
		}
	}
	for _, c := range []chan struct{}{own.(chan struct{}), s.searches} {
		select {
		case c <- struct{}{}:
			taken = append(taken, c)
		case <-r.Context().Done():
			done()
			return nil, r.Context().Err()
		}
	}
	return done, nil
}

// history is tickets of any state, or those that mention a text.
func (s *Server) history(r *http.Request) (any, error) {
	given, err := values(r, "q", "after", "limit")
	if err != nil {
		return nil, err
	}
	most, err := limit(given)
	if err != nil {
		return nil, err
	}
	const longest = 200
	if len(given["q"]) > longest {
		return nil, invalid("q: a text to look for has at most %d bytes", longest)
	}
	if given["q"] != "" {
		done, err := s.turn(r)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	rows := newRows()
	page, err := s.Tickets.PastKnowing(r.Context(), rows.knows, given["q"], approval.Cursor(given["after"]), most)
	if errors.Is(err, approval.ErrCursor) {
		return nil, noCursor()
	}
	if err != nil {
		return nil, err
	}
	return historyView{rows.items(page.Tickets), string(page.Next), damagedViews(page.Damaged)}, nil
}

func noCursor() *Fault { return invalid("after: %v", approval.ErrCursor) }
