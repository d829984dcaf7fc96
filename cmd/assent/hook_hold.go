package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/inbox/socket/line"
)

// runHook is `assent hook`. With --held it serves the small program of the guard, which
// knows no tickets: one call to hold comes as a line on standard input, and the answer goes
// as a line to standard output.
func runHook(args []string, in io.Reader, out, errOut io.Writer) int {
	if len(args) == 2 && args[0] == hookcmd.HeldFlag {
		return holdForGuard(args[1], in, out)
	}
	return hookcmd.Run(args, in, out, errOut, holdDirectly)
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
func holdForGuard(dir string, in io.Reader, out io.Writer) int {
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
		reply, err = holdDirectly(ctx, dir, h)
	}
	if err != nil {
		reply = line.Reply{Error: err.Error()}
	}
	answer, err := line.Answer(reply)
	if err != nil {
		return 1
	}
	if _, err := out.Write(answer); err != nil {
		return 1
	}
	return 0
}
