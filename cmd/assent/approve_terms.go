package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/policy"
)

// inPerson says why a yes at a terminal does not count, and what does.
func inPerson(id string, err error) error {
	if e, ok := errors.AsType[*approval.Unsigned](err); ok {
		why := "somebody else than whoever wanted it has to approve it"
		if n := e.Terms.Need(); n > 1 {
			why = fmt.Sprintf("%d people have to approve it, each with a name", n)
		}
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("%s was not approved: %s, and a terminal knows only the account %s: %s", id, why, whoami(), signIn(id)), Err: err}
	}
	if _, ok := errors.AsType[*approval.NoReason](err); ok {
		return &clerk.Error{Kind: clerk.Refused, Said: fmt.Sprintf("%s was not approved: a yes to it needs a reason: assent approve %s --reason '…'", id, id), Err: err}
	}
	return err
}

// signIn is how a person says yes where it matters who does.
func signIn(id string) string {
	return "sign in at the page of `assent serve`, and approve " + id + " there"
}

// approveWay is the command that approves a call, or what has to be done in its place.
func approveWay(c clerk.ShownCall) string {
	if c.Terms != nil && (c.Terms.Approvers > 1 || c.Terms.NotRequester) {
		return signIn(c.Name())
	}
	way := "assent approve " + c.Name()
	if c.Tool == "AskUserQuestion" {
		way += " --answer '1=…'"
	}
	if c.Terms != nil && c.Terms.Reason {
		way += " --reason '…'"
	}
	return way
}

// terms shows who wanted a call, what has to be so before a yes counts, and who has said yes.
func (p *page) terms(c clerk.ShownCall) {
	if c.Requester != "" {
		p.row("wanted by", policy.Visible(c.Requester))
	}
	if c.Terms != nil {
		p.row("needs", needs(*c.Terms, c.Requester))
	}
	for _, v := range c.Votes {
		text := fmt.Sprintf("%s, at %s", policy.Visible(v.By), v.At.Local().Format(time.DateTime))
		if v.Reason != "" {
			text += ": " + policy.Visible(v.Reason)
		}
		if !v.Same {
			text += " " + p.text(yellow, "(for another input, or other files)")
		}
		p.row("yes of", text)
	}
}

// needs is what has to be so before a yes counts, in words.
func needs(t clerk.TermsView, requester string) string {
	var all []string
	if t.Approvers > 1 {
		all = append(all, fmt.Sprintf("the yes of %d people", t.Approvers))
	}
	switch {
	case t.NotRequester && requester == "":
		all = append(all, "somebody else than whoever wanted it, who is unknown")
	case t.NotRequester:
		all = append(all, "somebody else than whoever wanted it")
	}
	if t.Reason {
		all = append(all, "a reason")
	}
	return strings.Join(all, "; ")
}

// tally is how many people have said yes to a call as it is shown; empty when nobody has, or
// one is enough.
func tally(c clerk.ShownCall) string {
	if c.Terms == nil || c.Terms.Approvers < 2 || len(c.Votes) == 0 {
		return ""
	}
	all := approval.Tally{Need: c.Terms.Approvers}
	for _, v := range c.Votes {
		if v.Same {
			all.Have++
		}
	}
	return all.String()
}

// remoteVote says that a yes at a server was one of several, of which it is the last so far.
func (p *page) remoteVote(d client.Detail) {
	all := approval.Tally{Need: 1}
	if d.Terms != nil {
		all.Need = d.Terms.Approvers
	}
	last := d.Votes[len(d.Votes)-1]
	for _, v := range d.Votes {
		if v.Digest == last.Digest && v.Same == last.Same {
			all.Have++
		}
	}
	p.line(p.text(yellow, "noted") + fmt.Sprintf(" the yes of %s to %s: %s", policy.Visible(last.By), d.ID, d.Sentence))
	p.line("  " + all.String())
	p.line("  " + last.Digest)
}

// after names those who have said yes before the last one.
func after(others []clerk.VoteView) string {
	var names []string
	for _, v := range others {
		names = append(names, policy.Visible(v.By))
	}
	if len(names) == 0 {
		return ""
	}
	return ", after " + strings.Join(names, ", ")
}
