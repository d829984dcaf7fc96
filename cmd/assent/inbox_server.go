package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/policy"
)

// remote is a server that is asked in place of the state directory of this machine.
type remote struct {
	address, tokenFile string
}

func (r *remote) bind(cmd *cobra.Command) {
	cmd.Flags().Var((*something)(&r.address), "server", "ask the inbox at this URL, with the token in ASSENT_TOKEN or --token-file")
	cmd.Flags().Var((*something)(&r.tokenFile), "token-file", "a file with the token of the server, which only you may read")
	must(cmd.MarkFlagFilename("token-file"))
}

// flags are the words of a command that mean this server; empty when there is none.
func (r *remote) flags() string {
	if !r.given() {
		return ""
	}
	text := " --server " + policy.Visible(r.address)
	if r.tokenFile != "" {
		text += " --token-file " + asWord(policy.Visible(r.tokenFile))
	}
	return text
}

// given: there is one.
func (r *remote) given() bool { return r.address != "" }

// check refuses flags that mean nothing together.
func (r *remote) check(cmd *cobra.Command) error {
	if state := cmd.Flags().Lookup("state"); r.given() && state != nil && state.Changed {
		return usage(cmd, "--server and --state name two places: use one of them")
	}
	if r.tokenFile != "" && !r.given() {
		return usage(cmd, "--token-file is for --server URL")
	}
	return nil
}

// open is a client of the server. A token is never an argument: others see those.
func (r *remote) open() (*client.Client, error) {
	address, fragment, _ := strings.Cut(r.address, "#")
	if strings.HasPrefix(fragment, "token=") {
		return nil, errors.New("--server: leave the token out, because others see the arguments of a command (put it into ASSENT_TOKEN, or into a file for --token-file)")
	}
	token := tokenGiven
	if r.tokenFile != "" {
		var err error
		if token, err = readToken(r.tokenFile); err != nil {
			return nil, err
		}
	}
	if token == "" {
		return nil, errors.New("the server wants a token: it is in the link that `assent serve` has printed, or where people sign in one of `assent people token` (put it into ASSENT_TOKEN, or into a file for --token-file)")
	}
	c, err := client.New(address, token)
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	return c, nil
}

// remoteCall finds the call that an ID means at a server: that of the ticket, of the session
// in which one call is for the purpose, or the beginning of one.
func remoteCall(ctx context.Context, c *client.Client, id string, states []string) (client.Detail, error) {
	if len(id) == ticketLength {
		d, err := c.Detail(ctx, id)
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Code != client.NotFound {
			return d, err
		}
	}
	var found []client.Item
	for after := ""; ; {
		list, err := c.List(ctx, client.Query{After: after, Limit: 200})
		if err != nil {
			return client.Detail{}, err
		}
		for _, item := range list.Tickets {
			ofSession := strings.HasPrefix(item.Session, id) && strings.Contains(" "+strings.Join(states, " ")+" ", " "+item.State+" ")
			if strings.HasPrefix(item.ID, id) || ofSession {
				found = append(found, item)
			}
		}
		if after = list.Next; after == "" {
			break
		}
	}
	switch len(found) {
	case 0:
		return client.Detail{}, fmt.Errorf("there is no call %s that waits at the server (`assent inbox --server URL` lists them)", policy.Visible(id))
	case 1:
		return c.Detail(ctx, found[0].ID)
	}
	var names []string
	for _, item := range found {
		names = append(names, fmt.Sprintf("%s (%s)", item.ID, item.Sentence))
	}
	return client.Detail{}, fmt.Errorf("%s means %d calls: name one of them: %s", policy.Visible(id), len(found), strings.Join(names, ", "))
}

// ticketLength is how long the name of a ticket is.
const ticketLength = 12

// declineRemote turns what a server refuses, or what is refused before it is asked, into exit
// status 1, with the sentence printed.
func (d *counter) declineRemote(err error) error {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return d.decline(err)
	}
	switch e.Code {
	case client.Answered, client.Expired, client.Changed, client.Denied, client.HighRisk, client.Busy:
		d.complain(e.Message)
		return errNo
	case client.Confirm:
		d.complain(e.Message + " (--confirm WORD)")
		return errNo
	}
	return err
}

// remoteReceipt says who has answered what, and what comes next.
func (p *page) remoteReceipt(word string, s style, d client.Detail) {
	p.line(p.text(s, word) + fmt.Sprintf(" %s: %s", d.ID, d.Sentence))
	if word == "approved" {
		p.leads(leadsAt(d))
	}
	if isEdited(d) {
		p.line("  it runs with this input:")
		for _, line := range clerk.Pretty(d.Edited) {
			p.line("    " + line)
		}
	}
	if d.Answer != nil {
		p.line("  by " + policy.Visible(d.Answer.By) + ", " + d.Digest)
	}
	way := fetched(d)
	if way == "" {
		way = "its session goes on where its server lets it"
	}
	p.line("  " + way)
}

// isEdited: somebody has approved another input.
func isEdited(d client.Detail) bool { return len(d.Edited) > 0 && string(d.Edited) != "null" }

// fetched is how the answer to a held call comes to its agent; empty for other calls.
func fetched(d client.Detail) string {
	switch d.Guard {
	case client.GuardWaits:
		return policy.Visible(d.Asker) + " gets the answer now: its guard waits"
	case client.GuardGone:
		text := policy.Visible(d.Asker) + " has stopped waiting: it gets the answer when it tries this call again"
		if d.Expires.IsZero() {
			return text
		}
		return text + ", until " + d.Expires.Local().Format(time.DateTime)
	case client.GuardUnknown:
		return takenLater(d.Asker)
	}
	return ""
}
