package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

const sessionsShowHelp = `Show a call that waits, exactly: why it stopped, its input, what the rules of today make of it, the
difference that an edit would make to the file as it is now, who has said what about it, and how to
answer. Of a session all calls are shown that were ever parked in it.

  assent sessions show ID            the ID of a session or a ticket, or the beginning of one
  assent sessions show ID --json     for programs`

func (d *counter) newShow() *cobra.Command {
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

func (d *counter) show(ctx context.Context, id string, asJSON bool) error {
	s, err := d.clerk.Show(ctx, id)
	if err != nil {
		return err
	}
	for i := range s.Calls {
		if c := &s.Calls[i]; c.Unable != nil {
			c.Unjudged = d.inFlags(c.Unable).Error()
		}
	}
	if asJSON {
		return d.printJSON(s)
	}
	return d.printShowing(s)
}

func (d *counter) printShowing(s clerk.Showing) error {
	p := &page{painter: d.painter(d.out)}
	p.row("session", s.Session)
	p.row("state", s.State)
	if s.Cwd != "" {
		p.row("directory", policy.Visible(s.Cwd))
	}
	if len(s.Labels) > 0 {
		p.row("labels", policy.Visible(strings.Join(s.Labels, ", "))+", which a worker must have to go on with it")
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
		p.shownCall(c, d.goesOn(c.Session))
	}
	switch {
	case s.Problem != "":
		p.line("")
		p.line("nobody can say whether a call waits in it")
	case !slices.ContainsFunc(s.Calls, func(c clerk.ShownCall) bool { return c.Standing != clerk.Over }):
		p.line("")
		p.line("no call waits")
	}
	return p.flush(d.out)
}

// shownCall shows one call. goesOn is how its session goes on.
func (p *page) shownCall(c clerk.ShownCall, goesOn string) {
	p.heading(policy.Visible(c.Tool) + " " + c.Description)
	switch {
	case c.Ticket != "":
		p.row("ticket", c.Ticket)
	case c.Unread:
		p.row("ticket", "cannot be read")
	default:
		p.row("ticket", "none yet; one is made when somebody answers")
	}
	p.row("state", p.text(styleOf(c.Standing), c.State)+p.meaning(c))
	p.row("since", fmt.Sprintf("%s (%s)", c.Since.Local().Format(time.DateTime), roughly(time.Since(c.Since))))
	if !c.Expires.IsZero() {
		p.row("expires", fmt.Sprintf("%s, then %s", c.Expires.Local().Format(time.DateTime), c.Outcome))
	}
	p.row("directory", policy.Visible(c.Cwd))
	if c.Why != "" {
		p.row("why", policy.Visible(c.Why))
	}
	p.terms(c)
	p.lapsed(c.Lapsed)
	p.row("digest", c.Digest)
	for _, place := range c.Places {
		p.row("led to", policy.Visible(place)+", when it was parked")
	}
	if c.Problem != "" {
		p.row("problem", p.text(red, policy.Visible(c.Problem)))
	}
	p.section("Input", clerk.Pretty(c.Input))
	if c.Answer != nil && c.Answer.Input != nil {
		p.section("Runs with another input, as "+policy.Visible(c.Answer.By)+" said", clerk.Pretty(c.Answer.Input))
	}
	p.change(c.Change)
	p.rulesOfToday(c)
	p.events(c.History)
	p.ways(c, goesOn)
}

func (p *page) section(title string, lines []string) {
	p.heading(title)
	for _, line := range lines {
		p.line("    " + line)
	}
}

// meaning says what a state is about.
func (p *page) meaning(c clerk.ShownCall) string {
	if c.Unread {
		return ", as far as the session knows"
	}
	switch c.Standing {
	case clerk.Unknown:
		return ": a process began to run it, and has not said how that went"
	case clerk.Pending:
		if some := tally(c); some != "" {
			return ": " + some
		}
		if len(c.Lapsed) > 0 {
			return ": nobody has answered who still may"
		}
		return ": nobody has answered"
	case clerk.Expired:
		text := ": nobody has answered in time, so " + c.Outcome + " holds"
		switch {
		case c.WillRun && c.Obstacle == clerk.NeedsPerson:
			text += ", but it needs a person: it is refused when the session goes on, unless somebody approves it"
		case c.WillRun && c.Obstacle == clerk.IsDenied:
			text += ", but a rule denies it: it is refused when the session goes on"
		case c.WillRun:
			text += ": it runs when the session goes on"
		}
		return text
	case clerk.Approved, clerk.Denied:
		if c.Standing == clerk.Denied && c.State != clerk.Denied.String() {
			return p.lastNote(c.History) // by a process that died then
		}
		if c.Answer != nil {
			text := " by " + policy.Visible(c.Answer.By) + after(c.Answer.Others)
			if c.Answer.From != "" {
				text += " in session " + c.Answer.From + ", which this one was forked from"
			}
			if c.Answer.Reason != "" {
				text += ": " + policy.Visible(c.Answer.Reason)
			}
			return text
		}
	case clerk.Ran:
		return ": a person says that it ran; what it returned is lost"
	case clerk.Running:
		return ": by " + policy.Visible(c.Holder)
	case clerk.Over:
		if c.State == string(approval.Handed) {
			return ": the guard of " + policy.Visible(c.Asker) + " has the yes; whether the call ran is known only there"
		}
		return ": nothing more happens to it"
	}
	return ""
}

// lastNote is what was said last about a call.
func (p *page) lastNote(all []clerk.EventView) string {
	for _, e := range slices.Backward(all) {
		if e.Kind != "" { // what people have remarked since
			continue
		}
		if e.Note == "" {
			break
		}
		return ": " + policy.Visible(e.Note)
	}
	return ""
}

// rulesOfToday shows what the rules make of the call, which they will do once more when
// it runs.
func (p *page) rulesOfToday(c clerk.ShownCall) {
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

func (p *page) events(all []clerk.EventView) {
	if len(all) == 0 {
		return
	}
	p.heading("History")
	for _, e := range all {
		what := e.To
		if e.Kind != "" {
			what = policy.Visible(e.Kind)
		}
		text := fmt.Sprintf("  %s  %-9s  %s", e.At.Local().Format(time.DateTime), what, policy.Visible(e.Who))
		if e.Note != "" {
			text += ": " + policy.Visible(e.Note)
		}
		p.line(text)
	}
}

// waysOfHeld says how to go on with a call that the guard of another agent holds.
func (p *page) waysOfHeld(c clerk.ShownCall) {
	deny := "assent deny " + c.Name() + " --reason '…'"
	switch c.Standing {
	case clerk.Pending:
		p.section("How to go on", []string{approveWay(c), deny})
	case clerk.Approved:
		p.section("How to go on", []string{takenLater(c.Asker), "or, so that it does not run, " + deny})
	case clerk.Denied:
		p.section("How to go on", []string{takenLater(c.Asker)})
	case clerk.Unknown, clerk.Expired, clerk.Ran, clerk.Running, clerk.Over:
	}
}

// ways says how to go on.
func (p *page) ways(c clerk.ShownCall, goesOn string) {
	if c.Asker != "" {
		p.waysOfHeld(c)
		return
	}
	name := c.Name()
	deny := "assent deny " + name + " --reason '…'"
	var lines []string
	switch c.Standing {
	case clerk.Unknown:
		lines = []string{
			"assent sessions resolve " + name + " --ran        it ran; what it returned is lost",
			"assent sessions resolve " + name + " --not-run    it did not; then it waits for an answer again",
		}
	case clerk.Pending:
		if c.OnlyHere {
			lines = []string{"answer without --database and " + databaseVariable, "or, so that hooks and rules judge it anew in the database, " + goesOn}
			break
		}
		if c.Problem != "" {
			lines = []string{deny, "and then " + goesOn}
			break
		}
		lines = []string{approveWay(c), deny, "and then " + goesOn}
	case clerk.Approved, clerk.Denied, clerk.Expired, clerk.Ran:
		lines = []string{goesOn}
		if c.WillRun {
			lines = []string{goesOn, "or, so that it does not run, " + deny}
		}
		if c.WillRun && c.Obstacle == clerk.NeedsPerson {
			lines = []string{approveWay(c), deny, "and then " + goesOn}
		}
	case clerk.Running, clerk.Over:
		return
	}
	p.section("How to go on", lines)
}
