package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/policy"
)

const auditLogHelp = `Show decisions, oldest first: when, what came of it, the tool and what it was asked to do, and below
it why, with the rule and its place.

  assent audit log -n 50                       the last 50 (20 unless given, all with --json; 0 means all)
  assent audit log -v                          with the input of each call
  assent audit log --session 3f2a              those of a session; the beginning of its id is enough
  assent audit log --tool Bash --decision deny
  assent audit log --since 2h                  of the last two hours; also 30m, 7d, 2026-11-16, 2026-11-16T09:30
  assent audit log --rule 'Bash(git:*)'        decided by a rule, or by the rules of a file
  assent audit log --text 'git push'           with these words
  assent audit log --json                      one JSON object a line, with everything that was recorded

Every record is checked on the way. A record that was changed ends the list with exit status 2.`

// lastDecisions is how many are shown when nobody says how many.
const lastDecisions = 20

type auditLogFlags struct {
	query        audit.Query
	since, until string
	last         int
	json, follow bool
	verbose      bool
}

func newAuditLog(a *app) *cobra.Command {
	var f auditLogFlags
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show decisions",
		Long:  auditLogHelp,
		Args:  atMost(0, "log takes none; use --text to search"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.complete(cmd, time.Now()); err != nil {
				return err
			}
			dir, err := auditDirectory()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return a.auditLog(ctx, dir, f)
		},
	}
	flags := cmd.Flags()
	flags.Var((*something)(&f.query.Session), "session", "only of this session; the beginning of its id is enough")
	flags.Var((*something)(&f.query.Tool), "tool", "only of this tool")
	flags.Var((*something)(&f.query.Decision), "decision", "only with this outcome: "+strings.Join(decisions, ", "))
	flags.Var((*something)(&f.query.Rule), "rule", "only decided by this rule, or by the rules of a file")
	flags.Var((*something)(&f.query.Text), "text", "only with these words")
	flags.Var((*something)(&f.since), "since", "only from this time on, or of so long")
	flags.Var((*something)(&f.until), "until", "only before this time, or so long ago")
	flags.IntVarP(&f.last, "last", "n", lastDecisions, "how many, counted from the end; 0 means all, as it is with --json")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show the input of each call")
	flags.BoolVar(&f.json, "json", false, "print one JSON object a line")
	flags.BoolVarP(&f.follow, "follow", "f", false, "wait for new ones")
	must(cmd.RegisterFlagCompletionFunc("decision", words(decisions...)))
	return cmd
}

var decisions = []string{"allow", "deny", "defer", "error"}

// complete reads what the flags mean.
func (f *auditLogFlags) complete(cmd *cobra.Command, now time.Time) (err error) {
	if f.last < 0 {
		return usage(cmd, "-n: want 0 or more")
	}
	if f.json && !cmd.Flags().Changed("last") { // a program that wants all must not get a part
		f.last = 0
	}
	switch f.query.Decision {
	case "", "allow", "deny", "defer", "error":
	default:
		return usage(cmd, fmt.Sprintf("--decision %s: want %s", f.query.Decision, strings.Join(decisions, ", ")))
	}
	if f.query.Since, err = parseMoment(f.since, now); err != nil {
		return usage(cmd, "--since "+err.Error())
	}
	if f.query.Until, err = parseMoment(f.until, now); err != nil {
		return usage(cmd, "--until "+err.Error())
	}
	return nil
}

// parseMoment reads a time, or how long ago it was. Without a zone it is the local one.
func parseMoment(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s: want a time like 2026-11-16 or 2026-11-16T09:30, or how long ago it was, like 2h or 7d", text)
}

// auditLog prints what is wanted, and what was read before an error.
func (a *app) auditLog(ctx context.Context, dir string, f auditLogFlags) error {
	older := func(n int) { a.complain(thoseAre(n, "older one") + " not shown (-n 0 shows all)") }
	var entries iter.Seq2[audit.Entry, error]
	switch {
	case f.follow && f.last == 0:
		entries = audit.Follow(ctx, dir, f.query, -1, nil)
	case f.follow:
		entries = audit.Follow(ctx, dir, f.query, f.last, older)
	case f.last == 0:
		entries = audit.Read(dir, f.query)
	default:
		entries = audit.Last(dir, f.query, f.last, older)
	}
	shown := 0
	for e, err := range entries {
		if err != nil {
			return err
		}
		shown++
		if f.json {
			err = a.printLine(e)
		} else {
			err = a.printDecision(e, f.verbose)
		}
		if err != nil {
			return err
		}
	}
	if shown == 0 && !f.json && !f.follow {
		_, err := fmt.Fprintf(a.out, "no such decision is on record in %s\n", policy.Visible(dir))
		return err
	}
	return nil
}

func (a *app) printDecision(e audit.Entry, verbose bool) error {
	p := &page{painter: a.painter(a.out)}
	word := fmt.Sprintf("%-5s", e.Decision)
	p.line(fmt.Sprintf("%s  %s  %s  %s", e.Time.Local().Format(time.DateTime), p.text(outcomeStyle(e.Decision), policy.Visible(word)),
		policy.Visible(e.Tool), policy.Visible(e.Summary)))
	if verbose {
		p.excerpt("input", e.Input)
		p.excerpt("asked", e.Asked)
	}
	if e.Reason != "" {
		p.line("    " + policy.Visible(e.Reason))
	}
	if e.Rule != "" {
		p.line("    rule " + policy.Visible(e.Rule) + "  " + policy.Visible(e.Place()))
	}
	for _, h := range e.Hooks {
		if len(h.Changed) > 0 {
			p.line("    changed by hook " + policy.Visible(h.Name) + ": " + policy.Visible(strings.Join(h.Changed, ", ")))
		}
	}
	who := ""
	if e.Who != "" {
		who = "answered by " + e.Who + ", "
	}
	agent := ""
	if e.Agent != "" {
		agent = ", agent " + e.Agent
	}
	p.line(p.text(faint, fmt.Sprintf("    record %d, %ssession %s%s", e.Number, policy.Visible(who), policy.Visible(e.Session), policy.Visible(agent))))
	return p.flush(a.out)
}

// excerpt prints an input. What was left out of it is said on a line of its own: nothing
// inside of an input can look like that.
func (p *page) excerpt(name string, e audit.Excerpt) {
	if e == (audit.Excerpt{}) { // older records have none
		return
	}
	p.line("    " + name + " " + policy.Visible(e.Text))
	if e.LeftOut > 0 {
		p.line(p.text(faint, fmt.Sprintf("    … %s left out …", thoseAre(e.LeftOut, "byte"))))
		p.line("    " + policy.Visible(e.Tail))
	}
}

// thoseAre is a number of things with its verb.
func thoseAre(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return fmt.Sprintf("%d %ss are", n, thing)
}
