package main

import (
	"context"
	"path/filepath"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/session"
)

// office is the sessions and tickets of a process that serves people or lets sessions go on:
// those of its state directory, or of a database.
type office struct {
	tickets  *approval.Store
	sessions *session.Store
	joined   *joined // nil where there is no database
}

// readers is how many may read tickets at the same time.
const readers = 8

func (d *counter) openOffice(ctx context.Context) (*office, error) {
	if d.shared() {
		s, err := d.join(ctx, d.dir)
		if err != nil {
			return nil, err
		}
		return &office{s.tickets, s.sessions, s}, nil
	}
	tickets, err := openTickets(d.dir)
	if err != nil {
		return nil, err
	}
	if err := tickets.Share(readers); err != nil {
		_ = tickets.Close()
		return nil, err
	}
	return &office{tickets, session.NewStore(filepath.Join(d.dir, "sessions")), nil}, nil
}

// openTickets opens the tickets of a state directory to change them. Those in a database are
// opened by join.
func openTickets(dir string) (*approval.Store, error) {
	tickets, err := approval.Open(dir)
	if err == nil {
		prepare(tickets)
	}
	return tickets, err
}

// prepare makes every change of tickets ring, for whoever hears bells, and every call ask before
// it begins whether the yes to it still counts.
func prepare(tickets *approval.Store) {
	herald.Ring(tickets)
	voice.Mind(tickets)
}

func (o *office) close() {
	if o.joined != nil {
		o.joined.close()
		return
	}
	_ = o.tickets.Close()
}
