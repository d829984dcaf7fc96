package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
)

// The answers of a person at a terminal to calls that wait at a server. The server checks
// what the commands would check here.

func (d *counter) approveAt(ctx context.Context, c *client.Client, id string, f approveFlags) error {
	seen, err := remoteCall(ctx, c, id, []string{"pending", "expired"})
	if err != nil {
		return err
	}
	yes := client.Yes{Digest: seen.Digest, Reason: f.reason, Answers: f.answers}
	if seen.Confirm != nil && slices.Contains(f.confirm, seen.Confirm.Word) {
		yes.Confirm = seen.Confirm.Word
	}
	if f.input != "" {
		yes.Input = strictjson.Raw(f.input)
		if err := strictjson.Valid(yes.Input); err != nil {
			return fmt.Errorf("--input: %w", err)
		}
	}
	after, err := c.Approve(ctx, seen.ID, yes)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.remoteReceipt("approved", green, after)
	return p.flush(d.out)
}

func (d *counter) denyAt(ctx context.Context, c *client.Client, id, reason string) error {
	seen, err := remoteCall(ctx, c, id, []string{"pending", "approved", "expired"})
	if err != nil {
		return err
	}
	after, err := c.Deny(ctx, seen.ID, client.No{Digest: seen.Digest, Reason: reason})
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.remoteReceipt("denied", red, after)
	return p.flush(d.out)
}

func (d *counter) resolveAt(ctx context.Context, c *client.Client, id string, f clerk.Finding) error {
	seen, err := remoteCall(ctx, c, id, []string{"unknown"})
	if err != nil {
		return err
	}
	if _, err := c.Resolve(ctx, seen.ID, client.Finding{Ran: f.Ran, Note: f.Note}); err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s", seen.ID, seen.Sentence))
	if f.Ran {
		p.line("  it ran, as you say; its session goes on where its server lets it")
	} else {
		p.line("  it did not run, as you say, and waits for an answer again: assent approve " + seen.ID + " --server URL")
	}
	return p.flush(d.out)
}
