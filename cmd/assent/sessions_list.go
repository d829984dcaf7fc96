package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

func (d *clerk) newList() *cobra.Command {
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
				o, err := d.overview(cmd.Context(), most)
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

// overview is what a list says.
type overview struct {
	// Unreadable are the sessions of which nobody can say whether a call waits.
	Unreadable []sessionView `json:"unreadable"`
	Calls      []callView    `json:"calls"`
	Sessions   []sessionView `json:"sessions"`
	// More is how many further sessions there are.
	More int `json:"more"`
	// Tickets is why the tickets cannot be read, or only be looked at; empty when all is
	// well with them.
	Tickets string `json:"tickets_problem,omitempty"`
}

// sessionView is a session in which nothing waits, as far as one knows.
type sessionView struct {
	Session string    `json:"session"`
	State   string    `json:"state"`
	Cwd     string    `json:"cwd"`
	Parent  string    `json:"parent,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Last    time.Time `json:"last,omitzero"`
	Prompt  string    `json:"prompt"`
	// Problem is why it cannot be read.
	Problem string `json:"problem,omitempty"`
}

// overview gathers it; most is how many sessions, 0 for all.
func (d *clerk) overview(ctx context.Context, most int) (overview, error) {
	o := overview{Unreadable: []sessionView{}, Calls: []callView{}, Sessions: []sessionView{}}
	matters, closed, err := d.matters(ctx)
	if err != nil {
		return o, err
	}
	waits := map[string]bool{}
	for _, u := range closed {
		waits[u.session] = true
		o.Unreadable = append(o.Unreadable, d.viewOfUnreadable(u))
	}
	for _, m := range matters {
		waits[m.call.Session] = true
		o.Calls = append(o.Calls, viewOf(m))
	}
	ids, err := d.store.IDs()
	if err != nil {
		return o, err
	}
	for _, id := range ids {
		if !waits[id] {
			o.More++
		}
	}
	for s, err := range d.store.List() {
		if err != nil {
			return o, err
		}
		if waits[s.ID] {
			continue
		}
		if most > 0 && len(o.Sessions) == most {
			break
		}
		o.More--
		o.Sessions = append(o.Sessions, viewOfSession(s))
	}
	o.More = max(o.More, 0) // sessions may have come meanwhile
	if d.trouble != nil {
		o.Tickets = policy.WellFormed(d.trouble.Error())
	}
	return o, nil
}

// viewOfUnreadable is a session that cannot be read, with what its first records say.
func (d *clerk) viewOfUnreadable(u unreadable) sessionView {
	v := sessionView{Session: u.session}
	if sum, ok := d.store.Summary(u.session); ok {
		v = viewOfSession(sum)
	}
	v.State, v.Problem = stateOfUnreadable(u.problem), policy.WellFormed(u.problem.Error())
	return v
}

// stateOfUnreadable is a word for why a session cannot be read.
func stateOfUnreadable(problem error) string {
	var exposed *session.Exposed
	if errors.As(problem, &exposed) {
		return "exposed"
	}
	return session.Broken.String()
}

func viewOfSession(s session.Summary) sessionView {
	return sessionView{
		Session: s.ID, State: s.State.String(), Cwd: policy.WellFormed(s.Cwd), Parent: s.Parent, Started: s.Started, Last: s.Last, Prompt: s.Prompt,
	}
}

func (d *clerk) printOverview(o overview) error {
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
		if next := groupOf(c.standing); next != title {
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
	return p.flush(d.out)
}

// session is a session in a list.
func (p *page) session(s sessionView) {
	when := "nobody knows when  "
	if !s.Last.IsZero() {
		when = s.Last.Local().Format(time.DateTime)
	}
	p.line(strings.TrimRight(fmt.Sprintf("  %s  %s  %-11s  %s", s.Session, when, s.State, policy.Visible(s.Cwd)), " "))
	if s.Prompt != "" {
		p.line("      " + clipped(policy.Visible(s.Prompt), 100))
	}
}

// groupOf is the title under which a call stands.
func groupOf(s standing) string {
	switch s {
	case standingUnknown:
		return "Nobody knows whether they ran"
	case standingPending:
		return "Waiting for an answer"
	case standingExpired:
		return "Not answered in time; their sessions can go on"
	case standingApproved, standingDenied, standingRan:
		return "Answered; their sessions can go on"
	case standingRunning:
		return "Running"
	case standingOver:
	}
	return "Over"
}

func (p *page) inList(c callView, now time.Time) {
	name := c.Ticket
	if name == "" {
		name = "no ticket yet"
	}
	p.line(fmt.Sprintf("  %-13s  %s  %s  %s", name, p.text(c.standing.style(), c.State), policy.Visible(c.Tool), c.Description))
	text := "for " + roughly(now.Sub(c.Since))
	if c.standing == standingPending && !c.Expires.IsZero() {
		text += fmt.Sprintf(", expires in %s: then %s", roughly(c.Expires.Sub(now)), c.Outcome)
	}
	switch {
	case c.willRun && c.obstacle == needsPerson:
		text += ", expired: it needs a person, so it is refused when its session goes on, unless you approve it"
	case c.willRun && c.obstacle == isDenied:
		text += ", expired: a rule denies it, so it is refused when its session goes on"
	case c.willRun:
		text += ", expired: it runs when its session goes on, unless you deny it"
	case c.standing == standingExpired:
		text += ", expired: it is refused when its session goes on"
	}
	p.line(p.text(faint, fmt.Sprintf("      %s, session %s, %s", text, c.Session, policy.Visible(c.Cwd))))
	if c.Problem != "" {
		p.line("      " + policy.Visible(c.Problem))
	}
	if c.standing == standingUnknown {
		p.line(fmt.Sprintf("      find out whether it ran, then: assent sessions resolve %s --ran (or --not-run)", c.name()))
	}
}
