package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/database"
)

// ownTickets are the tickets as this program gets at them.
var ownTickets = hookcmd.Tickets{Hold: holdDirectly, Handed: handedDirectly}

// runHook is `assent hook`. With --held and --handed it serves the small program of the
// guard, which knows no tickets: one call comes as a line on standard input, and the answer
// goes as a line to standard output.
func runHook(args []string, in io.Reader, out, errOut io.Writer) int {
	switch {
	case len(args) == 2 && args[0] == hookcmd.HeldFlag:
		return holdForGuard(in, out, func(ctx context.Context, h line.Hold) (line.Reply, error) {
			return holdDirectly(ctx, hookcmd.Place{Dir: args[1], Database: databaseGiven}, h)
		})
	case len(args) == 4 && args[0] == hookcmd.HandedFlag:
		return holdForGuard(in, out, func(ctx context.Context, h line.Hold) (line.Reply, error) {
			since, err := strconv.ParseInt(args[3], 10, 64)
			if err != nil {
				return line.Reply{}, err
			}
			return handedDirectly(ctx, hookcmd.Place{Dir: args[1], Database: databaseGiven}, h, args[2], time.UnixMicro(since))
		})
	}
	return hookcmd.Run(args, in, out, errOut, ownTickets, databaseGiven)
}

// handedDirectly is the answer to a call that was handed over, as the tickets have it. Where
// there is a database only that counts: a file here is anybody's to write who works here.
func handedDirectly(ctx context.Context, at hookcmd.Place, h line.Hold, ticket string, since time.Time) (line.Reply, error) {
	if at.Database == "" && !approval.Exists(at.Dir) {
		return line.Reply{}, &socket.Forged{Ticket: ticket, Why: "there are no tickets"}
	}
	tickets, done, err := ticketsAt(ctx, at)
	if err != nil {
		return line.Reply{}, err
	}
	defer done()
	reply, err := socket.Handed(ctx, tickets, h, ticket, since)
	if forged, ok := errors.AsType[*socket.Forged](err); ok && at.Database != "" {
		forged.Why += " (in the database that was named here; the server must use the same one)"
	}
	return reply, err
}

// holdDirectly holds a call in tickets. The account of this process is that of whoever asks: its
// guard has started it, or is itself.
func holdDirectly(ctx context.Context, at hookcmd.Place, h line.Hold) (line.Reply, error) {
	began := time.Now()
	wait := time.Duration(h.WaitMS) * time.Millisecond
	reaching, stop := context.WithTimeout(ctx, max(wait, shortestReach))
	tickets, done, err := ticketsAt(reaching, at)
	stop()
	if err != nil {
		return line.Reply{}, err
	}
	defer done()
	h.WaitMS = max(0, (wait - time.Since(began)).Milliseconds())
	reply := socket.Direct(ctx, tickets, whoami(), h)
	if reply.Error != "" {
		return line.Reply{}, errors.New(reply.Error)
	}
	return reply, nil
}

// shortestReach is how long a database may take to be reached, however short the guard waits:
// its answer must come before the guard gives up.
const shortestReach = 1500 * time.Millisecond

// ticketsAt opens the tickets of a place. Nothing else of a database is opened: a guard needs no
// sessions.
func ticketsAt(ctx context.Context, at hookcmd.Place) (_ *approval.Store, done func(), err error) {
	if at.Database == "" {
		tickets, err := openTickets(at.Dir)
		if err != nil {
			return nil, nil, err
		}
		return tickets, func() { _ = tickets.Close() }, nil
	}
	db, err := database.Connect(ctx, at.Database)
	if err != nil {
		return nil, nil, err
	}
	tickets, err := approval.On(ctx, db)
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	prepare(tickets)
	return tickets, func() {
		_ = tickets.Close()
		_ = db.Close()
	}, nil
}

// holdForGuard answers one line. As long as the guard lives its end of the pipe is open:
// one that has gone gets no yes.
func holdForGuard(in io.Reader, out io.Writer, answering func(context.Context, line.Hold) (line.Reply, error)) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	reader := bufio.NewReader(in)
	text, err := reader.ReadBytes('\n')
	if err != nil {
		err = fmt.Errorf("the call to hold is not a whole line: %w", err)
	}
	var h line.Hold
	if err == nil {
		h, err = line.ReadRequest(text[:len(text)-1])
	}
	var reply line.Reply
	if err == nil {
		go func() { // it ends with the process
			_, _ = reader.ReadByte()
			stop()
		}()
		reply, err = answering(ctx, h)
	}
	if err != nil {
		reply = line.Reply{Error: err.Error()}
	}
	text, err = line.Answer(reply)
	if err != nil {
		return 1
	}
	if _, err := out.Write(text); err != nil {
		return 1
	}
	return 0
}
