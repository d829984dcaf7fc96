package metrics

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
)

// open are the states of calls that are not over. How many are over the counters say, and
// counting those would take longer the longer assent is in use.
var open = []approval.State{approval.Pending, approval.Approved, approval.Denied, approval.Expired, approval.Running, approval.Unknown}

const (
	// fresh is for how long what was read is told again, so that whoever asks often costs no
	// more. limit is how long the database may take: whoever asks wants to know, in time, that
	// it does not answer.
	fresh = 5 * time.Second
	limit = 2 * time.Second
)

// stock is what lies in the database, read when somebody asks.
type stock struct {
	tickets *approval.Store
	now     func() time.Time

	mu   sync.Mutex
	last reading
}

// reading is what the database has said.
type reading struct {
	at      time.Time
	up      bool
	latency time.Duration
	waiting map[approval.State]int
}

func newStock(tickets *approval.Store) *stock { return &stock{tickets: tickets, now: time.Now} }

// families tells the figures. A database that is away has none: the last ones would look as if
// they held. One that only reads is as good as away.
func (s *stock) families() []family {
	const name, help = "assent_database_up", "Whether the database answers, and can be written: 1 or 0."
	r := s.read()
	if !r.up {
		return gauged(name, help, 0)
	}
	waiting := family{name: "assent_tickets", help: "Calls that are not over, by their state.", kind: gauges}
	for state, n := range r.waiting {
		waiting.samples = append(waiting.samples, sample{labels: []label{{"state", string(state)}}, value: float64(n)})
	}
	took := gauged("assent_database_latency_seconds", "How long the database took to say how many calls wait.", r.latency.Seconds())
	return slices.Concat(gauged(name, help, 1), took, []family{waiting})
}

// read asks the database, unless that was a moment ago.
func (s *stock) read() reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := s.now()
	if !s.last.at.IsZero() && began.Sub(s.last.at) < fresh {
		return s.last
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	r := reading{up: true, waiting: map[approval.State]int{}}
	for i, state := range open {
		n, err := s.tickets.Number(ctx, approval.Query{States: []approval.State{state}})
		if err != nil {
			r = reading{}
			break
		}
		if r.waiting[state] = n; i == 0 {
			r.latency = s.now().Sub(began)
		}
	}
	if only, err := s.tickets.Database().OnlyReads(ctx); err != nil || only { // nobody can answer anything there
		r = reading{}
	}
	r.at = s.now()
	s.last = r
	return r
}
