package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// tellBefore says which calls run as soon as the workers begin: those that somebody has
// approved while no server was there. That may be long ago, and whoever starts a server now
// may want something else. The most dangerous come first.
func (h *host) tellBefore(ctx context.Context) error {
	before, err := approvedBefore(ctx, h.config.Tickets)
	if err != nil {
		return err
	}
	if before, err = h.ours(ctx, before); err != nil {
		return err
	}
	if len(before) > 0 && isTerminal(h.err) {
		for _, line := range listBefore(before) {
			fmt.Fprintln(h.err, policy.Visible(line))
		}
		return nil
	}
	for _, t := range before {
		h.config.Log.Info("a call that was approved before goes on now", "ticket", t.ID, "risk", t.Risk, "call", sentenceOf(t),
			"by", t.Answer.By, "at", t.Answer.At.Format(time.RFC3339), "session", t.Session, "cwd", t.Cwd)
	}
	return nil
}

// ours are the calls whose sessions go on here. Others wait for a machine that has what they ask
// for, or lie in a database that nobody has named.
func (h *host) ours(ctx context.Context, list []approval.Ticket) (some []approval.Ticket, err error) {
	for _, t := range list {
		serves := h.config.Sessions.Elsewhere(t.Session) == nil
		if serves && h.config.Serves != nil {
			if serves, err = h.config.Serves(ctx, t.Session); err != nil {
				return nil, err
			}
		}
		if serves {
			some = append(some, t)
		}
	}
	return some, nil
}

// approvedBefore are the calls that were approved and have not begun, those of high risk
// first, and of these the oldest. What a guard holds is run by its agent.
func approvedBefore(ctx context.Context, tickets *approval.Store) ([]approval.Ticket, error) {
	list, err := tickets.List(ctx, approval.Query{States: []approval.State{approval.Approved}})
	if _, some := errors.AsType[approval.Damages](err); err != nil && !some { // a damaged one does not run
		return nil, err
	}
	list = slices.DeleteFunc(list, func(t approval.Ticket) bool { return t.Asker != "" || t.Answer == nil })
	for i := range list {
		if list[i].Risk == 0 { // nobody has thought about it
			list[i].Risk = permission.HighRisk
		}
		list[i].Risk = max(list[i].Risk, list[i].Answer.Risk)
	}
	slices.SortStableFunc(list, func(a, b approval.Ticket) int {
		return cmp.Or(cmp.Compare(b.Risk, a.Risk), a.Answer.At.Compare(b.Answer.At))
	})
	return list, nil
}

// listBefore is the calls for the person who has started the server, line by line.
func listBefore(before []approval.Ticket) []string {
	const most = 20
	first := fmt.Sprintf("%d calls that were approved before go on now:", len(before))
	if len(before) == 1 {
		first = "1 call that was approved before goes on now:"
	}
	lines := []string{first}
	for i, t := range before {
		if i == most {
			return append(lines, fmt.Sprintf("  and %d more", len(before)-most))
		}
		lines = append(lines, fmt.Sprintf("  %s  %v risk  %s", t.ID, t.Risk, sentenceOf(t)))
	}
	return lines
}

// sentenceOf says what the call of a ticket does with the input that runs.
func sentenceOf(t approval.Ticket) string {
	call := t.Call
	if t.Answer.Input != nil {
		call.Input = t.Answer.Input
	}
	return inbox.Sentence(call)
}
