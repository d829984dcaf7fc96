package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

const approveHelp = `Let a call run that waits for somebody's answer. It runs when its session goes on, once:

  assent sessions list               what waits
  assent sessions show ID            what exactly would run
  assent approve ID
  assent -p --resume SESSION         and the session goes on

Each call needs its own yes, so there is no flag for all of them. Several IDs are answered one by one,
and calls of high risk only by themselves, as are those of a fork that may have been denied elsewhere. The
rules judge the call once more when it runs, and a rule that denies it holds.

  assent approve ID --input '{"command": "deploy --dry-run"}'    run this input in place of the other
  assent approve ID --answer '1=Yes' --answer 'Which region?=eu'  answer questions, by number or text
  assent approve ID --reason 'as agreed on Monday'                for the record
  assent approve ID --server http://127.0.0.1:8722               at an inbox; the token is in ASSENT_TOKEN

Where the line of a call does not show all of it, all of its input is printed first, and on a terminal you
are asked once more; so you are where it may have been denied elsewhere. A call of high risk is shown first
and needs a word typed, which names what is at stake; where there is no terminal, --confirm WORD says it.

A yes is for the file that the path of the call led to, with all links followed, when it was parked. If it
leads elsewhere by now nothing is approved; --place PATH says that the new file is meant.

An input must fit the tool and the rules of today. Questions are answered with the labels of their
options (several are separated by commas where several may be chosen) or in other words.

Settings may ask for a reason, for several people, or for somebody else than whoever wanted the call. Where it
matters who says yes people sign in at the server, and say it there; what a terminal knows is an account.

Exit status 1: the answer is no, because somebody has answered already, the time is over, or the call
is not what it was. ID is that of the ticket, of a session in which one call waits, or the beginning.`

type approveFlags struct {
	input, reason string
	answers       []string
	confirm       []string
	places        []string
	several       bool // calls are answered
	server        remote
}

// writesInput: the person says what runs, or a part of it.
func (f *approveFlags) writesInput() bool { return f.input != "" || len(f.answers) > 0 }

func newApprove(a *app) *cobra.Command {
	d := &counter{app: a}
	var f approveFlags
	cmd := &cobra.Command{
		Use:               "approve ID…",
		Short:             "Let a call run that waits for an answer",
		Long:              approveHelp,
		Args:              atLeastOne("the ID of a ticket or session"),
		ValidArgsFunction: d.completeIDs(clerk.ToApprove.Fits, withoutSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 && (f.input != "" || len(f.answers) > 0) {
				return usage(cmd, "--input and --answer are for one call")
			}
			if len(args) > 1 && len(f.places) > 0 {
				return usage(cmd, "--place is for one call")
			}
			if err := f.server.check(cmd); err != nil {
				return err
			}
			if f.input != "" && len(f.answers) > 0 {
				return usage(cmd, "--input and --answer exclude each other: the answers are part of the input")
			}
			if err := errors.Join(validUTF8("reason", []string{f.reason}), validUTF8("answer", f.answers)); err != nil {
				return err
			}
			return d.approveAll(cmd.Context(), args, f)
		},
	}
	d.bind(cmd)
	f.server.bind(cmd)
	cmd.Flags().StringArrayVar(&f.confirm, "confirm", nil, "the word that a call of high risk needs (repeatable)")
	cmd.Flags().StringArrayVar(&f.places, "place", nil, "the file that the call may lead to, where that is not the one it led to when it was parked (repeatable), as `PATH`")
	cmd.Flags().Var((*something)(&f.input), "input", "the input to run in place of the one that waits, as JSON")
	cmd.Flags().StringArrayVar(&f.answers, "answer", nil, "the answer to a question (repeatable), as `QUESTION=ANSWER`")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why, for the record")
	return cmd
}

// approveAll approves calls one by one, here or at a server.
func (d *counter) approveAll(ctx context.Context, ids []string, f approveFlags) error {
	f.several = len(ids) > 1
	if f.server.given() {
		c, err := f.server.open()
		if err != nil {
			return err
		}
		return d.each(ids, func(id string) error { return d.declineRemote(d.approveAt(ctx, c, id, f)) })
	}
	return d.with(ctx, func() error {
		return d.each(ids, func(id string) error {
			if f.several {
				if err := d.together(ctx, id); err != nil {
					return d.decline(err)
				}
			}
			return d.decline(d.approve(ctx, id, f))
		})
	})
}

func (d *counter) approve(ctx context.Context, id string, f approveFlags) error {
	yes := clerk.Yes{By: whoami(), Reason: f.reason, Answers: f.answers, Agree: d.agree(id, f), Places: f.places}
	if f.input != "" {
		yes.Input = strictjson.Raw(f.input)
	}
	m, err := d.clerk.Approve(ctx, id, yes)
	if err != nil {
		return inPerson(id, err)
	}
	p := &page{painter: d.painter(d.out)}
	p.line(p.text(green, "approved") + p.call(m))
	p.leads(inbox.LeadsTo(m.Runs(), m.Answer().Places))
	if input := m.Answer().Input; input != nil {
		p.line("  it runs with this input:")
		for _, line := range clerk.Pretty(input) {
			p.line("    " + line)
		}
	}
	p.receipt(m, d.afterAnswer(m.Call.Session))
	return p.flush(d.out)
}

// afterAnswer says how a session goes on whose call was answered. Where several machines share the
// sessions a worker that fits goes on with it, and whoever does it by hand may not.
func (d *counter) afterAnswer(session string) string {
	if d.workersGoOn(session) {
		return "a worker goes on with it (or you here: " + d.resume(session) + ")"
	}
	return d.next(session)
}

// call names a call that was answered.
func (p *page) call(m clerk.Matter) string {
	return fmt.Sprintf(" %s: %s %s", m.Name(), policy.Visible(m.Ticket.Tool), clerk.Describe(m.Call))
}

// leads says where a call leads; nothing when that is the path as given.
func (p *page) leads(where string) {
	if where != "" {
		p.line("  " + p.text(red, "it leads to ") + where)
	}
}

// receipt says who has answered what, and what comes next.
func (p *page) receipt(m clerk.Matter, next string) {
	p.line("  by " + policy.Visible(m.Answer().By) + ", " + m.Answer().Digest)
	if asker := m.Asker(); asker != "" {
		p.line("  " + takenLater(asker))
		return
	}
	p.line("  " + next)
}

const denyHelp = `Refuse a call that waits for somebody's answer. The model is told the reason when the session goes on.

  assent deny ID --reason 'not on a Friday'
  assent -p --resume SESSION
  assent deny ID --reason 'not on a Friday' --server http://127.0.0.1:8722

One that was approved, or that would run because nobody has answered in time, can be denied as long as
nobody has begun to run it. Exit status 1: it cannot any more. ID is that of the ticket, of a session in
which one call waits, or the beginning of one.`

func newDeny(a *app) *cobra.Command {
	d := &counter{app: a}
	var reason string
	var server remote
	cmd := &cobra.Command{
		Use:               "deny ID --reason TEXT",
		Short:             "Refuse a call that waits for an answer",
		Long:              denyHelp,
		Args:              exactly("the ID of a ticket or session"),
		ValidArgsFunction: d.completeIDs(clerk.ToDeny.Fits, withoutSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !policy.Shows(reason) {
				return usage(cmd, "the reason is missing, which the model is told: --reason TEXT")
			}
			if err := validUTF8("reason", []string{reason}); err != nil {
				return err
			}
			if err := server.check(cmd); err != nil {
				return err
			}
			if server.given() {
				c, err := server.open()
				if err != nil {
					return err
				}
				return d.declineRemote(d.denyAt(cmd.Context(), c, args[0], reason))
			}
			return d.with(cmd.Context(), func() error { return d.decline(d.deny(cmd.Context(), args[0], reason)) })
		},
	}
	d.bind(cmd)
	server.bind(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why; the model is told")
	return cmd
}

func (d *counter) deny(ctx context.Context, id, reason string) error {
	m, err := d.clerk.Deny(ctx, id, clerk.No{By: whoami(), Reason: reason})
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(p.text(red, "denied") + p.call(m))
	p.receipt(m, d.afterAnswer(m.Call.Session))
	return p.flush(d.out)
}
