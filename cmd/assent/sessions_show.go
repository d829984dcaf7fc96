package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

const sessionsShowHelp = `Show a call that waits, exactly: why it stopped, its input, what the rules of today make of it, the
difference that an edit would make to the file as it is now, who has said what about it, and how to
answer. Of a session all calls are shown that were ever parked in it.

  assent sessions show ID            the ID of a session or a ticket, or the beginning of one
  assent sessions show ID --json     for programs`

func (d *clerk) newShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show ID",
		Short:             "Show a call that waits, or a session",
		Long:              sessionsShowHelp,
		Args:              exactly("the ID of a session or ticket"),
		ValidArgsFunction: d.completeIDs(everyMatter, withSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.looking(cmd.Context(), func() error { return d.show(cmd.Context(), args[0], asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// showing is what show prints: a session and calls of it.
type showing struct {
	sessionView
	Mode  string      `json:"mode"`
	Calls []shownCall `json:"calls"`
	// Tickets is why the tickets cannot be read, or only be looked at.
	Tickets string `json:"tickets_problem,omitempty"`
}

// shownCall is a call with what the rules of today make of it.
type shownCall struct {
	callView
	// Rules is the explanation, as `assent explain` has it; nil when the call cannot be
	// judged here, and Unjudged says why.
	Rules    *policy.Explanation `json:"rules,omitempty"`
	Unjudged string              `json:"unjudged,omitempty"`
	// Change is what an edit would do to the file as it is now.
	Change *fileChange `json:"change,omitempty"`
}

func (d *clerk) show(ctx context.Context, id string, asJSON bool) error {
	t, err := d.find(ctx, id)
	if err != nil {
		return err
	}
	seen, err := d.inspect(ctx, t)
	if err != nil {
		return err
	}
	s := showing{sessionView: sessionView{Session: t.session, State: "gone"}, Mode: seen.stand.Mode, Calls: []shownCall{}}
	if sum, ok := d.store.Summary(t.session); ok {
		s.sessionView = viewOfSession(sum)
	}
	if seen.problem != nil {
		s.sessionView = d.viewOfUnreadable(unreadable{t.session, seen.problem})
	}
	if d.trouble != nil {
		s.Tickets = policy.WellFormed(d.trouble.Error())
	}
	for _, m := range seen.matters {
		if m.waits && (s.State == session.Done.String() || s.State == session.Interrupted.String()) {
			s.State = "waits"
		}
		call, err := d.shown(ctx, m)
		if err != nil {
			return err
		}
		s.Calls = append(s.Calls, call)
	}
	if asJSON {
		return d.printJSON(s)
	}
	return d.printShowing(s)
}

func (d *clerk) shown(ctx context.Context, m matter) (shownCall, error) {
	c := shownCall{callView: viewOf(m)}
	var err error
	if c.History, err = d.history(ctx, c.Ticket); err != nil {
		return c, err
	}
	if !m.waits {
		return c, nil
	}
	call := m.call
	if a := m.answered(); a != nil && a.Input != nil { // that is what would run
		call.Input = a.Input
	}
	if j, err := d.judge(call, m.mode); err != nil {
		c.Unjudged = err.Error()
	} else {
		x := j.Explain()
		c.Rules = &x
	}
	c.Change = changeOf(call)
	return c, nil
}

func (d *clerk) printShowing(s showing) error {
	p := &page{painter: d.painter(d.out)}
	p.row("session", s.Session)
	p.row("state", s.State)
	if s.Cwd != "" {
		p.row("directory", policy.Visible(s.Cwd))
	}
	if s.Mode != "" {
		p.row("mode", policy.Visible(s.Mode))
	}
	if !s.Last.IsZero() {
		p.row("last used", s.Last.Local().Format(time.DateTime))
	}
	if s.Prompt != "" {
		p.row("prompt", policy.Visible(s.Prompt))
	}
	if s.Problem != "" {
		p.row("problem", p.text(red, policy.Visible(s.Problem)))
	}
	for _, c := range s.Calls {
		p.shownCall(c)
	}
	switch {
	case s.Problem != "":
		p.line("")
		p.line("nobody can say whether a call waits in it")
	case !slices.ContainsFunc(s.Calls, func(c shownCall) bool { return c.standing != standingOver }):
		p.line("")
		p.line("no call waits")
	}
	return p.flush(d.out)
}

func (p *page) shownCall(c shownCall) {
	p.heading(policy.Visible(c.Tool) + " " + c.Description)
	if c.Ticket != "" {
		p.row("ticket", c.Ticket)
	} else {
		p.row("ticket", "none yet; one is made when somebody answers")
	}
	p.row("state", p.text(c.standing.style(), c.State)+p.meaning(c))
	p.row("since", fmt.Sprintf("%s (%s)", c.Since.Local().Format(time.DateTime), roughly(time.Since(c.Since))))
	if !c.Expires.IsZero() {
		p.row("expires", fmt.Sprintf("%s, then %s", c.Expires.Local().Format(time.DateTime), c.Outcome))
	}
	p.row("directory", policy.Visible(c.Cwd))
	if c.Why != "" {
		p.row("why", policy.Visible(c.Why))
	}
	p.row("digest", c.Digest)
	if c.Problem != "" {
		p.row("problem", p.text(red, policy.Visible(c.Problem)))
	}
	p.section("Input", pretty(c.Input))
	if c.Answer != nil && c.Answer.Input != nil {
		p.section("Runs with another input, as "+policy.Visible(c.Answer.By)+" said", pretty(c.Answer.Input))
	}
	p.change(c.Change)
	p.rulesOfToday(c)
	p.events(c.History)
	p.ways(c)
}

func (p *page) section(title string, lines []string) {
	p.heading(title)
	for _, line := range lines {
		p.line("    " + line)
	}
}

// meaning says what a state is about.
func (p *page) meaning(c shownCall) string {
	switch c.standing {
	case standingUnknown:
		return ": a process began to run it and ended without saying how that went"
	case standingPending:
		return ": nobody has answered"
	case standingExpired:
		text := ": nobody has answered in time, so " + c.Outcome + " holds"
		switch {
		case c.willRun && c.obstacle == needsPerson:
			text += ", but it needs a person: it is refused when the session goes on, unless somebody approves it"
		case c.willRun && c.obstacle == isDenied:
			text += ", but a rule denies it: it is refused when the session goes on"
		case c.willRun:
			text += ": it runs when the session goes on"
		}
		return text
	case standingApproved, standingDenied:
		if c.Answer != nil {
			text := fmt.Sprintf(" by %s", policy.Visible(c.Answer.By))
			if c.Answer.Reason != "" {
				text += ": " + policy.Visible(c.Answer.Reason)
			}
			return text
		}
	case standingRan:
		return ": a person says that it ran; what it returned is lost"
	case standingRunning:
		return ": by " + policy.Visible(c.Holder)
	case standingOver:
		return ": nothing more happens to it"
	}
	return ""
}

// rulesOfToday shows what the rules make of the call, which they will do once more when
// it runs.
func (p *page) rulesOfToday(c shownCall) {
	if c.Unjudged != "" {
		p.heading("The rules of today")
		p.line("  it cannot be judged here: " + policy.Visible(c.Unjudged))
		return
	}
	x := c.Rules
	if x == nil {
		return
	}
	p.heading("The rules of today")
	p.line("  " + p.outcome(x.Decision) + ": " + policy.Visible(x.Reason))
	p.rule(*x)
	p.command(*x)
	p.parts(*x)
	p.paths(*x)
}

func (p *page) events(all []eventView) {
	if len(all) == 0 {
		return
	}
	p.heading("History")
	for _, e := range all {
		text := fmt.Sprintf("  %s  %-9s  %s", e.At.Local().Format(time.DateTime), e.To, policy.Visible(e.Who))
		if e.Note != "" {
			text += ": " + policy.Visible(e.Note)
		}
		p.line(text)
	}
}

// ways says how to go on.
func (p *page) ways(c shownCall) {
	name, resume := c.name(), "assent -p --resume "+c.Session
	deny := "assent deny " + name + " --reason '…'"
	var lines []string
	switch c.standing {
	case standingUnknown:
		lines = []string{
			"assent sessions resolve " + name + " --ran        it ran; what it returned is lost",
			"assent sessions resolve " + name + " --not-run    it did not; then it waits for an answer again",
		}
	case standingPending:
		if c.Problem != "" {
			lines = []string{deny, "and then " + resume}
			break
		}
		approve := "assent approve " + name
		if c.Tool == "AskUserQuestion" {
			approve += " --answer '1=…'"
		}
		lines = []string{approve, deny, "and then " + resume}
	case standingApproved, standingDenied, standingExpired, standingRan:
		lines = []string{resume}
		if c.willRun {
			lines = []string{resume, "or, so that it does not run, " + deny}
		}
		if c.willRun && c.obstacle == needsPerson {
			lines = []string{"assent approve " + name, deny, "and then " + resume}
		}
	case standingRunning, standingOver:
		return
	}
	p.section("How to go on", lines)
}
