package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

const approveHelp = `Let a call run that waits for somebody's answer. It runs when its session goes on, once:

  assent sessions list               what waits
  assent sessions show ID            what exactly would run
  assent approve ID
  assent -p --resume SESSION         and the session goes on

Each call needs its own yes, so there is no flag for all of them. The rules judge the call once more
when it runs, and a rule that denies it holds.

  assent approve ID --input '{"command": "deploy --dry-run"}'    run this input in place of the other
  assent approve ID --answer '1=Yes' --answer 'Which region?=eu'  answer questions, by number or text
  assent approve ID --reason 'as agreed on Monday'                for the record

An input must fit the tool and the rules of today. Questions are answered with the labels of their
options (several are separated by commas where several may be chosen) or in other words.

Exit status 1: the answer is no, because somebody has answered already, the time is over, or the call
is not what it was. ID is that of the ticket, of a session in which one call waits, or the beginning.`

type approveFlags struct {
	input, reason string
	answers       []string
}

func newApprove(a *app) *cobra.Command {
	d := &clerk{app: a}
	var f approveFlags
	cmd := &cobra.Command{
		Use:               "approve ID",
		Short:             "Let a call run that waits for an answer",
		Long:              approveHelp,
		Args:              exactly("the ID of a ticket or session"),
		ValidArgsFunction: d.completeIDs(isPending, withoutSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.input != "" && len(f.answers) > 0 {
				return usage(cmd, "--input and --answer exclude each other: the answers are part of the input")
			}
			if err := errors.Join(validUTF8("reason", []string{f.reason}), validUTF8("answer", f.answers)); err != nil {
				return err
			}
			return d.with(cmd.Context(), func() error { return d.decline(d.approve(cmd.Context(), args[0], f)) })
		},
	}
	d.bind(cmd)
	cmd.Flags().Var((*something)(&f.input), "input", "the input to run in place of the one that waits, as JSON")
	cmd.Flags().StringArrayVar(&f.answers, "answer", nil, "the answer to a question, as QUESTION=ANSWER (repeatable)")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why, for the record")
	return cmd
}

func isPending(m matter) bool { return m.standing == standingPending || m.willRun() }

func (d *clerk) approve(ctx context.Context, id string, f approveFlags) error {
	m, err := d.one(ctx, id, "waits for an answer", isPending)
	if err != nil {
		return err
	}
	err = m.answerable()
	again := m.standing == standingApproved && (f.input != "" || len(f.answers) > 0) // it is approved with another input
	if again || m.willRun() {                                                        // which may need a person all the same
		err = m.matches()
	}
	if err != nil {
		return err
	}
	input, err := f.changed(m.call)
	if err != nil {
		return err
	}
	if err := d.permitted(m, input); err != nil {
		return err
	}
	if m.ticket == nil {
		if err := d.park(ctx, &m); err != nil {
			return err
		}
	}
	t, err := d.tickets.Approve(ctx, m.ticket.ID, m.digest(), whoami(), f.reason, input)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(p.text(green, "approved") + fmt.Sprintf(" %s: %s %s", t.ID, policy.Visible(t.Tool), describe(m.call)))
	if input != nil {
		p.line("  it runs with this input:")
		for _, line := range pretty(input) {
			p.line("    " + line)
		}
	}
	p.line("  by " + policy.Visible(t.Answer.By) + ", " + t.Answer.Digest)
	p.line("  go on with: assent -p --resume " + t.Session)
	return p.flush(d.out)
}

// matches refuses a call that is not the one which was parked.
func (m *matter) matches() error {
	if m.ticket == nil || !m.waits {
		return nil
	}
	if err := m.ticket.Matches(m.call); err != nil {
		return fmt.Errorf("%w (deny it, and let the model make the call again: assent deny %s --reason '…')", err, m.name())
	}
	return nil
}

// answerable refuses what cannot be answered any more, or not yet.
func (m *matter) answerable() error {
	if err := m.matches(); err != nil {
		return err
	}
	switch m.standing {
	case standingUnknown:
		return no("nobody knows whether %s ran (find out, then: assent sessions resolve %s --ran, or --not-run)", m.name(), m.name())
	case standingRan:
		return no("%s has run already, as a person said (go on with: assent -p --resume %s)", m.name(), m.call.Session)
	case standingExpired:
		return no("the time for %s was over at %s, so %s holds (go on with: assent -p --resume %s)", m.name(), m.until.Local().Format(time.DateTime), m.outcome, m.call.Session)
	case standingApproved, standingDenied, standingRunning:
		return &approval.WrongState{ID: m.name(), State: m.ticketState(), Answer: m.answered()}
	case standingOver, standingPending:
		if !m.waits && m.problem == "" {
			return no("%s cannot be answered any more: it is %s", m.name(), m.ticketState())
		}
		if !m.waits {
			return no("%s cannot be answered: %s", m.name(), m.problem)
		}
	}
	return nil
}

func (m *matter) ticketState() approval.State {
	if m.ticket == nil {
		return approval.Pending
	}
	return m.ticket.State
}

// changed is the input that is to run in place of the one that waits; nil means that one.
func (f approveFlags) changed(c approval.Call) (strictjson.Raw, error) {
	questions := c.Tool == "AskUserQuestion"
	switch {
	case len(f.answers) > 0 && !questions:
		return nil, fmt.Errorf("--answer is for questions, and the call is one of %s (use --input to change what runs)", c.Tool)
	case len(f.answers) > 0:
		return answered(c.Input, f.answers)
	case f.input == "" && questions:
		return nil, errors.New("questions need answers, and a plain yes is none: pass --answer for each of " + strings.Join(questionLines(c.Input), "; "))
	case f.input == "":
		return nil, nil
	}
	input := strictjson.Raw(f.input)
	if err := strictjson.Valid(input); err != nil {
		return nil, fmt.Errorf("--input: %w", err)
	}
	if questions {
		return input, allAnswered(input)
	}
	return input, nil
}

// permitted asks the rules of today. What they deny cannot be approved, and what does not
// fit the tool could not run.
func (d *clerk) permitted(m matter, input strictjson.Raw) error {
	call := m.call
	if input != nil {
		call.Input = input
	}
	j, err := d.judge(call, m.mode)
	switch {
	case errors.Is(err, permission.ErrNoSuchTool) && known(call.Tool):
		return no("%s was not approved: a rule takes the tool %s away (`assent lint` shows the rules)", m.name(), call.Tool)
	case errors.Is(err, permission.ErrNoSuchTool) && input == nil: // a tool of the agent's own; it knows whether there is one
		return nil
	case err != nil:
		return err
	case j.Call == nil && input != nil:
		return fmt.Errorf("--input does not fit the tool %s: %s", call.Tool, j.Reply().Reason)
	}
	if rule := denied(j); rule != "" {
		return no("%s was not approved: the rule %s denies it", m.name(), rule)
	}
	return nil
}

const denyHelp = `Refuse a call that waits for somebody's answer. The model is told the reason when the session goes on.

  assent deny ID --reason 'not on a Friday'
  assent -p --resume SESSION

One that was approved, or that would run because nobody has answered in time, can be denied as long as
nobody has begun to run it. Exit status 1: it cannot any more. ID is that of the ticket, of a session in
which one call waits, or the beginning of one.`

func newDeny(a *app) *cobra.Command {
	d := &clerk{app: a}
	var reason string
	cmd := &cobra.Command{
		Use:               "deny ID --reason TEXT",
		Short:             "Refuse a call that waits for an answer",
		Long:              denyHelp,
		Args:              exactly("the ID of a ticket or session"),
		ValidArgsFunction: d.completeIDs(isDeniable, withoutSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return usage(cmd, "the reason is missing, which the model is told: --reason TEXT")
			}
			if err := validUTF8("reason", []string{reason}); err != nil {
				return err
			}
			return d.with(cmd.Context(), func() error { return d.decline(d.deny(cmd.Context(), args[0], reason)) })
		},
	}
	d.bind(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why; the model is told")
	return cmd
}

func isDeniable(m matter) bool {
	return m.standing == standingPending || m.standing == standingApproved || m.willRun()
}

func (d *clerk) deny(ctx context.Context, id, reason string) error {
	m, err := d.one(ctx, id, "waits for an answer", isDeniable)
	if err != nil {
		return err
	}
	if !isDeniable(m) || !m.waits || m.stage != session.Waiting { // a no is for whatever the call is
		if err := m.answerable(); err != nil {
			return err
		}
	}
	if m.ticket == nil {
		if err := d.park(ctx, &m); err != nil {
			return err
		}
	}
	t, err := d.tickets.Deny(ctx, m.ticket.ID, m.digest(), whoami(), reason)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(p.text(red, "denied") + fmt.Sprintf(" %s: %s %s", t.ID, policy.Visible(t.Tool), describe(m.call)))
	p.line("  by " + policy.Visible(t.Answer.By) + ", " + t.Answer.Digest)
	p.line("  go on with: assent -p --resume " + t.Session)
	return p.flush(d.out)
}
