package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// The answers of a person at a terminal to calls that wait at a server. The server checks
// what the commands would check here.

func (d *counter) approveAt(ctx context.Context, c *client.Client, id string, f approveFlags) error {
	seen, err := remoteCall(ctx, c, id, []string{"pending", "expired"})
	if err != nil {
		return err
	}
	if seen.MayNotWhy != "" { // before a word is asked for
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("%s was not approved: %s", seen.ID, policy.Visible(seen.MayNotWhy))}
	}
	if f.several && seen.Unheard != "" {
		return unheardTogether(seen.ID, seen.Unheard)
	}
	if err := d.unheard(seen.ID, seen.Unheard); err != nil {
		return err
	}
	if f.readsFirst(seen) {
		one := readFirst{name: seen.ID, sentence: seen.Sentence, shown: seen.Shown, leads: leadsAt(seen), input: seen.Pretty, unheard: seen.Unheard, change: changeAt(seen)}
		if err := d.present(one); err != nil {
			return err
		}
		if err := d.askAlone(one); err != nil {
			return err
		}
	}
	yes := client.Yes{Digest: seen.Digest, Places: f.places, Reason: f.reason, Answers: f.answers}
	if !f.writesInput() { // the change of another input is the server's to say
		yes.Change = changeAt(seen).Seen()
	}
	if yes.Confirm, err = d.confirmAt(seen, f); err != nil {
		return err
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
	if after.Answer == nil && len(after.Votes) > 0 {
		p.remoteVote(after)
	} else {
		p.remoteReceipt("approved", green, after)
	}
	return p.flush(d.out)
}

// confirmAt is the word for a call at a server; empty when it needs none. Which one an input
// needs that the person has written is the server's to say.
func (d *counter) confirmAt(seen client.Detail, f approveFlags) (string, error) {
	switch {
	case f.input != "" || len(f.answers) > 0:
		return strings.Join(f.confirm, " "), nil
	case seen.Confirm == nil:
		return "", nil
	case f.several && !slices.Contains(f.confirm, seen.Confirm.Word): // which the server refuses
		return "", nil
	}
	shown := dangerous{name: seen.ID, sentence: seen.Sentence, word: seen.Confirm.Word, why: seen.Confirm.Why, cwd: seen.Cwd, leads: leadsAt(seen), input: seen.Pretty, change: changeAt(seen), at: f.server.flags()}
	return seen.Confirm.Word, d.confirm(shown, f.confirm)
}

// changeAt is what a call at a server would do to its file; nil for one that changes none.
func changeAt(d client.Detail) *clerk.FileChange {
	c := d.Change
	if c == nil {
		return nil
	}
	return &clerk.FileChange{Path: c.Path, Lines: c.Lines, Of: c.Of, Note: c.Note, Digest: c.Digest}
}

// leadsAt says where a call at a server leads; see [inbox.LeadsTo].
func leadsAt(d client.Detail) string {
	runs := approval.Call{Tool: d.Tool, Input: d.Input, Cwd: d.Cwd}
	if isEdited(d) {
		runs.Input = d.Edited
	}
	return inbox.LeadsTo(runs, d.Places)
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
