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
)

// ownTickets are the tickets as this program gets at them.
var ownTickets = hookcmd.Tickets{Hold: holdDirectly, Handed: handedDirectly}

// runHook is `assent hook`. With --held and --handed it serves the small program of the
// guard, which knows no tickets: one call comes as a line on standard input, and the answer
// goes as a line to standard output.
func runHook(args []string, in io.Reader, out, errOut io.Writer) int {
	switch {
	case len(args) == 2 && args[0] == hookcmd.HeldFlag:
		return holdForGuard(in, out, func(ctx context.Context, h line.Hold) (line.Reply, error) { return holdDirectly(ctx, args[1], h) })
	case len(args) == 4 && args[0] == hookcmd.HandedFlag:
		return holdForGuard(in, out, func(ctx context.Context, h line.Hold) (line.Reply, error) {
			since, err := strconv.ParseInt(args[3], 10, 64)
			if err != nil {
				return line.Reply{}, err
			}
			return handedDirectly(ctx, args[1], h, args[2], time.UnixMicro(since))
		})
	}
	return hookcmd.Run(args, in, out, errOut, ownTickets)
}

// handedDirectly is the answer to a call that was handed over, as the tickets have it.
func handedDirectly(ctx context.Context, dir string, h line.Hold, ticket string, since time.Time) (line.Reply, error) {
	if !approval.Exists(dir) {
		return line.Reply{}, &socket.Forged{Ticket: ticket, Why: "there are no tickets"}
	}
	tickets, err := approval.Open(dir)
	if err != nil {
		return line.Reply{}, err
	}
	defer tickets.Close()
	return socket.Handed(ctx, tickets, h, ticket, since)
}

// holdDirectly holds a call in the tickets of a state directory.
func holdDirectly(ctx context.Context, dir string, h line.Hold) (line.Reply, error) {
	tickets, err := approval.Open(dir)
	if err != nil {
		return line.Reply{}, err
	}
	defer tickets.Close()
	reply := socket.Direct(ctx, tickets, h)
	if reply.Error != "" {
		return line.Reply{}, errors.New(reply.Error)
	}
	return reply, nil
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
