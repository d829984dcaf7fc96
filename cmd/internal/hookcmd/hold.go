package hookcmd

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/permission"
)

// Place is where tickets are: in a state directory, or in a database that several machines
// share; the server of the directory listens there in both cases.
type Place struct {
	Dir      string
	Database string // its address; empty where there is none
}

// shared: people on other machines look into the tickets.
func (p Place) shared() bool { return p.Database != "" }

// Direct holds a call in tickets, where no server does.
type Direct func(ctx context.Context, at Place, h line.Hold) (line.Reply, error)

// Handed is the answer that the tickets have for a call, of which the server of the state
// directory says that it was handed over since a moment.
type Handed func(ctx context.Context, at Place, h line.Hold, ticket string, since time.Time) (line.Reply, error)

// Tickets are the ways in which a program gets at tickets without a server.
type Tickets struct {
	Hold   Direct
	Handed Handed
}

// Holder holds calls: where the server of the state directory listens, or else in the tickets
// themselves, if that is wanted, as it is where somebody has named a database. When the context
// ends it waits no longer. Any process of the user can listen in the server's place, so its yes
// counts only if the tickets say the same.
func Holder(ctx context.Context, at Place, tickets Tickets) guard.Holder {
	return holder{ctx, at, tickets}
}

type holder struct {
	ctx     context.Context
	at      Place
	tickets Tickets
}

// Hold puts a call to people.
func (h holder) Hold(held guard.Held) (guard.Answer, error) {
	call := line.Hold{
		Asker: held.Asker, Session: held.Session, Tool: held.Tool, Input: held.Input, Cwd: held.Cwd, Why: held.Why, Policy: held.Policy,
		Risk: held.Risk.String(), Kin: held.Kin, Places: held.Places, Edits: held.Edits.String(), Terms: held.Terms, LastsMS: milliseconds(held.Lasts), WaitMS: milliseconds(held.Wait), Nonce: line.NewNonce(),
	}
	began := time.Now()
	reply, err := line.Ask(h.ctx, h.at.Dir, call)
	onlyServed := held.OnlyServed && !h.at.shared() // somebody may look into a database from elsewhere
	none, gone := errors.Is(err, line.ErrNoServer), errors.Is(err, line.ErrGone)
	switch {
	case none && onlyServed:
		return guard.Answer{}, guard.ErrNobody
	case none, gone && !onlyServed:
		call.WaitMS = max(0, call.WaitMS-time.Since(began).Milliseconds())
		reply, err = h.tickets.Hold(h.ctx, h.at, call)
	case err == nil && reply.State == line.Allowed:
		reply, err = h.tickets.Handed(h.ctx, h.at, call, reply.Ticket, began)
	}
	if err != nil {
		return guard.Answer{}, err
	}
	answer := guard.Answer{Ticket: reply.Ticket, By: reply.By, Reason: reply.Reason, Input: reply.Input, Places: reply.Places, Behavior: permission.Deny}
	if reply.Risk != "" { // else it is that of the call as it was held
		if answer.Risk, err = permission.ParseRisk(reply.Risk); err != nil {
			return guard.Answer{}, err
		}
	}
	switch reply.State {
	case line.Allowed:
		answer.Behavior = permission.Allow
	case line.Pending:
		answer.Behavior = permission.Ask
	case line.Denied:
	}
	return answer, nil
}

// milliseconds rounds up: a moment is not none.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// record writes a decision into the log of a state directory.
func record(dir string) func(audit.Record) error {
	return func(r audit.Record) error {
		log := audit.Open(filepath.Join(dir, "audit"))
		defer log.Close()
		return log.Append(r)
	}
}
