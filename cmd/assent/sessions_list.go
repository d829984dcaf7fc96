package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

const sessionsListHelp = `List the sessions that cannot be read, in which a call may wait, then the calls that wait for somebody,
those first of which nobody knows whether they ran, and then the other sessions, the one that was used
last first.

  assent sessions list
  assent sessions list --all     all sessions, not only the last 20
  assent sessions list --json    all of it, for programs

Of each call it says the ticket, which is the ID to answer with (a call that was parked on another
machine has none until somebody answers; its session's ID does as well), how it stands, the tool, what
it is about, how old it is, when it expires and what holds then, the session and the directory.`

// lastSessions is how many sessions are listed unless all are wanted.
const lastSessions = 20

func (d *counter) newList() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what waits, then the other sessions",
		Long:  sessionsListHelp,
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.looking(cmd.Context(), func() error {
				most := lastSessions
				if all || asJSON {
					most = 0
				}
				o, err := d.clerk.Overview(cmd.Context(), most)
				if err != nil {
					return err
				}
				if asJSON {
					return d.printJSON(o)
				}
				return d.printOverview(o)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "list all sessions")
	return cmd
}

func (d *counter) printOverview(o clerk.Overview) error {
	p := &page{painter: d.painter(d.out)}
	now := time.Now()
	if len(o.Unreadable) > 0 {
		p.heading("Cannot be read; a call may wait in them")
	}
	for _, s := range o.Unreadable {
		p.session(s)
		p.line("      " + p.text(red, policy.Visible(s.Problem)))
	}
	title := ""
	for _, c := range o.Calls {
		if next := groupOf(c); next != title {
			title = next
			p.heading(title)
		}
		p.inList(c, now)
	}
	if len(o.Sessions) > 0 {
		p.heading("Sessions")
	}
	for _, s := range o.Sessions {
		p.session(s)
	}
	if o.More > 0 {
		p.line(p.text(faint, fmt.Sprintf("  and %s more (--all lists them)", plural(o.More, "session"))))
	}
	if len(o.Unreadable)+len(o.Calls)+len(o.Sessions) == 0 {
		p.line("there is no session in " + policy.Visible(d.dir))
	}
	if o.Copies > 0 {
		p.line(p.text(yellow, aboutCopies(o.Copies)))
	}
	return p.flush(d.out)
}

// aboutCopies says why sessions are not in a list.
func aboutCopies(n int) string {
	what, are := "copies of sessions that lie", "are"
	if n == 1 {
		what, are = "copy of a session that lies", "is"
	}
	return fmt.Sprintf("%d %s in a database %s here, and not listed (name the database with --database or %s)", n, what, are, databaseVariable)
}

// session is a session in a list.
func (p *page) session(s clerk.SessionView) {
	when := "nobody knows when  "
	if !s.Last.IsZero() {
		when = s.Last.Local().Format(time.DateTime)
	}
	p.line(strings.TrimRight(fmt.Sprintf("  %s  %s  %-11s  %s", s.Session, when, s.State, policy.Visible(s.Cwd)), " "))
	if len(s.Labels) > 0 && s.State == session.Interrupted.String() {
		p.line("      " + awaitsWorker(s.Labels))
	}
	if s.Prompt != "" {
		p.line("      " + clerk.Clipped(policy.Visible(s.Prompt), 100))
	}
}

// groupOf is the title under which a call stands.
func groupOf(c clerk.CallView) string {
	switch c.Standing {
	case clerk.Unknown:
		return "Nobody knows whether they ran"
	case clerk.Pending:
		return "Waiting for an answer"
	case clerk.Expired:
		return "Not answered in time; their sessions can go on"
	case clerk.Approved, clerk.Denied, clerk.Ran:
		if c.Asker != "" {
			return "Answered; their agents have not taken it yet"
		}
		return "Answered; their sessions can go on"
	case clerk.Running:
		return "Running"
	case clerk.Over:
	}
	return "Over"
}

func (p *page) inList(c clerk.CallView, now time.Time) {
	name := c.Ticket
	switch {
	case name == "" && c.Unread:
		name = "ticket unread"
	case name == "":
		name = "no ticket yet"
	}
	p.line(fmt.Sprintf("  %-13s  %s  %s  %s", name, p.text(styleOf(c.Standing), c.State), policy.Visible(c.Tool), c.Description))
	text := "for " + roughly(now.Sub(c.Since))
	if c.Standing == clerk.Pending && !c.Expires.IsZero() {
		text += fmt.Sprintf(", expires in %s: then %s", roughly(c.Expires.Sub(now)), c.Outcome)
	}
	switch {
	case c.WillRun && c.Obstacle == clerk.NeedsPerson:
		text += ", expired: it needs a person, so it is refused when its session goes on, unless you approve it"
	case c.WillRun && c.Obstacle == clerk.IsDenied:
		text += ", expired: a rule denies it, so it is refused when its session goes on"
	case c.WillRun:
		text += ", expired: it runs when its session goes on, unless you deny it"
	case c.Standing == clerk.Expired:
		text += ", expired: it is refused when its session goes on"
	}
	whose := "session " + c.Session
	if c.Asker != "" {
		whose = "held for " + policy.Visible(c.Asker) + ", " + whose
	}
	p.line(p.text(faint, fmt.Sprintf("      %s, %s, %s", text, whose, policy.Visible(c.Cwd))))
	if c.Asker != "" && (c.Standing == clerk.Approved || c.Standing == clerk.Denied) {
		p.line("      " + takenLater(c.Asker))
	}
	if text := needed(c); text != "" {
		p.line("      " + text)
	}
	if len(c.Labels) > 0 && canGoOn(c.Standing) {
		p.line("      " + awaitsWorker(c.Labels))
	}
	if c.Problem != "" {
		p.line("      " + policy.Visible(c.Problem))
	}
	if c.Unheard != "" {
		p.line("      " + policy.Visible(c.Unheard))
	}
	if c.Standing == clerk.Unknown {
		p.line(fmt.Sprintf("      find out whether it ran, then: assent sessions resolve %s --ran (or --not-run)", c.Name()))
	}
}

// needed is what has to be so before a yes to a call counts, and what of it is there; empty when
// one yes of anybody is enough, or nobody is asked.
func needed(c clerk.CallView) string {
	if c.Terms == nil || c.Standing != clerk.Pending {
		return ""
	}
	text := "needs " + needs(*c.Terms, c.Requester)
	if some := tally(clerk.ShownCall{CallView: c}); some != "" {
		text += "; " + some
	}
	return text
}

// canGoOn: nothing is missing for the session of a call but somebody who lets it go on.
func canGoOn(s clerk.Standing) bool {
	switch s {
	case clerk.Approved, clerk.Denied, clerk.Ran, clerk.Expired:
		return true
	case clerk.Unknown, clerk.Pending, clerk.Running, clerk.Over:
	}
	return false
}

// awaitsWorker says who goes on with a session.
func awaitsWorker(labels []string) string {
	return "waits for a worker with " + policy.Visible(strings.Join(labels, ", "))
}

// takenLater says how an answer comes to an agent whose guard holds the call.
func takenLater(asker string) string {
	return policy.Visible(asker) + " gets the answer now if its guard still waits, or else when it tries this call again"
}

// styleOf is the colour of a standing.
func styleOf(s clerk.Standing) style {
	switch s {
	case clerk.Unknown:
		return red
	case clerk.Pending, clerk.Expired:
		return yellow
	case clerk.Approved, clerk.Ran:
		return green
	case clerk.Denied:
		return red
	case clerk.Running:
		return cyan
	case clerk.Over:
	}
	return faint
}
