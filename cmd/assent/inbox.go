package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/permission"
)

const inboxHelp = `Show the calls that wait for somebody, those first of which nobody knows whether they ran. On a terminal
the list stays, and changes when something does; ^C ends it. Below it stand the commands that answer.

  assent inbox                                  what waits in the state directory of this machine
  assent inbox --once                           print it once, as it does when the output is no terminal
  assent inbox --json                           the same for programs
  assent inbox --server http://127.0.0.1:8722   what waits at a server; the token is in ASSENT_TOKEN

The token is the one in the link that ` + "`assent serve`" + ` prints. It is never an argument, because others see
those; --token-file FILE reads it from a file that only you may read.`

func newInbox(a *app) *cobra.Command {
	d := &counter{app: a}
	var once, asJSON bool
	var server remote
	cmd := &cobra.Command{
		Use:   "inbox",
		Short: "Show what waits for an answer, live",
		Long:  inboxHelp,
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.check(cmd); err != nil {
				return err
			}
			ctx, live := cmd.Context(), !asJSON && !once && isTerminal(d.out)
			if live { // everything else may end where it is
				var stop context.CancelFunc
				ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
				defer stop()
			}
			v, err := d.view(ctx, &server)
			if err != nil {
				return err
			}
			defer v.close()
			switch {
			case asJSON:
				list, err := v.look(ctx)
				if err != nil {
					return err
				}
				return d.printJSON(list)
			case live:
				return d.showLive(ctx, v)
			}
			return d.showOnce(ctx, v)
		},
	}
	d.bind(cmd)
	server.bind(cmd)
	cmd.Flags().BoolVar(&once, "once", false, "print the list once")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it once, as JSON")
	return cmd
}

// waitingList is what waits, as programs get it.
type waitingList struct {
	Calls []client.Item `json:"calls"`
	// More is how many further calls wait that are not listed one by one.
	More int `json:"more,omitempty"`
	// Problems are what keeps calls from being seen.
	Problems []string `json:"problems,omitempty"`
	// serial is the last change that it shows.
	serial int64
}

// view is where somebody looks: here, or at a server.
type view struct {
	// server is what to add to the commands that answer.
	server string
	look   func(ctx context.Context) (waitingList, error)
	// await returns when something has changed after a serial, or the context ends.
	await func(ctx context.Context, after int64) error
	close func()
}

func (d *counter) view(ctx context.Context, r *remote) (*view, error) {
	if !r.given() {
		return d.localView(ctx)
	}
	c, err := r.open()
	if err != nil {
		return nil, err
	}
	return &view{
		server: " --server " + r.address, close: func() {},
		look: func(ctx context.Context) (waitingList, error) { return lookAt(ctx, c) },
		await: func(ctx context.Context, after int64) error {
			for _, err := range c.Events(ctx, after) {
				return err
			}
			return nil
		},
	}, nil
}

// lookAt is what waits at a server.
func lookAt(ctx context.Context, c *client.Client) (waitingList, error) {
	list, err := c.List(ctx, client.Query{States: []string{"unknown", "pending"}, Limit: 200})
	all := waitingList{Calls: []client.Item{}, serial: list.Serial}
	all.Calls = append(all.Calls, list.Tickets...)
	for _, crowd := range list.Crowds {
		all.More += crowd.More
	}
	if list.Next != "" {
		all.More = max(all.More, list.Counts["unknown"]+list.Counts["pending"]-len(all.Calls))
	}
	for _, bad := range list.Damaged {
		all.Problems = append(all.Problems, bad.ID+": "+bad.Problem)
	}
	return all, err
}

// localView is what waits in the state directory. There may be no ticket yet.
func (d *counter) localView(ctx context.Context) (*view, error) {
	dir, err := stateDirectory(d.state)
	if err != nil {
		return nil, err
	}
	var tickets *approval.Store
	v := &view{close: func() {
		if tickets != nil {
			_ = tickets.Close()
		}
	}}
	switch {
	case d.shared():
		s, err := d.join(ctx, dir)
		if err != nil {
			return nil, err
		}
		tickets, v.close = s.tickets, s.close
	case approval.Exists(dir):
		if tickets, err = approval.Open(dir); err != nil {
			tickets, _ = approval.Look(dir, err) // what can be seen is seen
		}
	}
	v.look = func(ctx context.Context) (list waitingList, err error) {
		if tickets != nil {
			if list.serial, err = tickets.Settled(ctx); err != nil {
				return list, err
			}
		}
		return list, d.serve(ctx, clerk.Look, func() error { return d.waiting(ctx, &list) })
	}
	v.await = func(ctx context.Context, after int64) error {
		if tickets == nil {
			<-ctx.Done()
			return nil
		}
		ctx, changed := context.WithCancel(ctx)
		return tickets.Follow(ctx, after, nil, func([]approval.Change) { changed() })
	}
	return v, nil
}

// waiting gathers what waits here.
func (d *counter) waiting(ctx context.Context, list *waitingList) error {
	matters, closed, err := d.clerk.Matters(ctx)
	if err != nil {
		return err
	}
	list.Calls = []client.Item{}
	for _, m := range matters {
		switch {
		case m.OnlyHere:
			list.Problems = append(list.Problems, "a call waits in session "+m.Call.Session+", and is not answered here: "+m.Problem)
		case m.Standing == clerk.Unknown, m.Standing == clerk.Pending:
			list.Calls = append(list.Calls, localItem(m, d.clerk.ViewWithVotes(ctx, m)))
		}
	}
	list.Calls, list.More = inbox.Ordered(list.Calls)
	for _, u := range closed {
		list.Problems = append(list.Problems, "session "+u.Session+" cannot be read, and a call may wait in it: "+u.Problem.Error())
	}
	for _, warning := range d.clerk.Warnings() {
		list.Problems = append(list.Problems, warning.Error())
	}
	return nil
}

// localItem is a call that waits here. It may have no ticket yet.
func localItem(m clerk.Matter, v clerk.CallView) client.Item {
	ticket := approval.Ticket{Risk: permission.HighRisk}
	if m.Ticket != nil {
		ticket = *m.Ticket
	}
	ticket.ID, ticket.Call, ticket.Digest = m.Name(), m.Call, m.Digest() // those of the session count
	i := inbox.ItemOf(ticket)
	i.State, i.Since, i.Expires, i.Outcome = m.Standing.String(), m.Since, m.Until, ""
	if !m.Until.IsZero() {
		i.Outcome = m.Outcome
	}
	i.Requester, i.Terms = v.Requester, nil
	if v.Terms != nil {
		i.Terms = &client.Terms{Approvers: v.Terms.Approvers, Reason: v.Terms.Reason, NotRequester: v.Terms.NotRequester}
	}
	for _, vote := range v.Votes {
		if vote.Same {
			i.Approvals++
		}
	}
	return i
}
