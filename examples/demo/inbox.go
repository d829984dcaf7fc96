package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/assent-dev/assent/inbox/client"
)

// inbox is a server at work, where the deploy can be answered.
type inbox struct {
	*client.Client
	link  string
	ended chan error
	end   func()
}

// serve starts the server. It ends with the context, in good order.
func (s stage) serve(ctx context.Context, model string) (*inbox, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, s.program, "serve", "--", "--setting-sources", "user", "--model", model)
	cmd.Dir = s.project
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 15 * time.Second
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	link, _ := bufio.NewReader(out).ReadString('\n')
	i := &inbox{link: strings.TrimSpace(link), ended: make(chan error, 1)}
	go func() { i.ended <- cmd.Wait() }()
	i.end = func() {
		cancel()
		<-i.ended
	}
	address, token, ok := strings.Cut(i.link, "/#token=")
	if !ok {
		i.end()
		return nil, fmt.Errorf("assent serve: %s", strings.TrimSpace(said.String()))
	}
	if i.Client, err = client.New(address, token); err != nil {
		i.end()
	}
	return i, err
}

// waiting is the call that waits in a session.
func (i *inbox) waiting(ctx context.Context, session string) (client.Detail, error) {
	list, err := i.List(ctx, client.Query{States: []string{"pending"}})
	if err != nil {
		return client.Detail{}, err
	}
	for _, item := range list.Tickets {
		if item.Session == session {
			return i.Detail(ctx, item.ID)
		}
	}
	return client.Detail{}, errors.New("the deploy should wait in the inbox, and it does not")
}

// settle gets the deploy answered: on the page, or here, whichever comes first.
func (s stage) settle(ctx context.Context, i *inbox, call client.Detail, yes bool) (onPage bool, err error) {
	if yes {
		s.say("(YES=1 answers in your place, through the API of the inbox.)")
		return false, i.answer(ctx, call, true)
	}
	if !isTerminal(os.Stdin) {
		return false, errNobody
	}
	s.say("Open the link and answer there, or answer here.")
	asking, found := context.WithCancelCause(ctx)
	defer found(nil)
	go func() { found(i.elsewhere(asking, call.ID)) }()
	approved, err := s.ask(asking, s.typed())
	switch {
	case context.Cause(asking) == errAnswered:
		s.say("(It was answered on the page.)")
		return true, nil
	case err != nil:
		return false, err
	}
	return false, i.answer(ctx, call, approved)
}

var (
	errNobody = errors.New("nobody can answer here: run it at a terminal, or with YES=1")
	// errAnswered ends the question here, because somebody has answered elsewhere.
	errAnswered = errors.New("somebody has answered")
)

// elsewhere waits until somebody has answered a call.
func (i *inbox) elsewhere(ctx context.Context, ticket string) error {
	for {
		d, err := i.Detail(ctx, ticket)
		switch {
		case err != nil:
			return err
		case d.State != "pending":
			return errAnswered
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// answer is the answer of this program's user.
func (i *inbox) answer(ctx context.Context, call client.Detail, approved bool) error {
	if !approved {
		_, err := i.Deny(ctx, call.ID, client.No{Digest: call.Digest, Reason: "Not today."})
		return err
	}
	y := client.Yes{Digest: call.Digest}
	if call.Confirm != nil { // whoever answers by hand types it
		y.Confirm = call.Confirm.Word
	}
	_, err := i.Approve(ctx, call.ID, y)
	return err
}

// watch tells how the session goes on in the server, until it has come to its end.
func (s stage) watch(ctx context.Context, i *inbox, session string, seen int) error {
	for {
		now, err := i.Session(ctx, session)
		if err != nil {
			return err
		}
		for ; seen < len(now.Turns); seen++ {
			turn := now.Turns[seen]
			word := map[string]string{"tool": "result", "model": "model", "person": "person"}[turn.Who]
			s.printf("  %-7s %s\n", word, strings.TrimSpace(turn.Text))
		}
		switch {
		case now.State == "done":
			return nil
		case now.Problem != "":
			return errors.New(now.Problem)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-i.ended:
			i.ended <- err
			return fmt.Errorf("the server has ended: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
