package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/policy"
)

func (d *counter) showOnce(ctx context.Context, v *view) error {
	list, err := v.look(ctx)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.waiting(list, v.server, time.Now())
	return p.flush(d.out)
}

// showLive draws the list, and again when something has changed, the screen has another size,
// or a while has passed: the age of a call counts, too. A connection that is lost is said
// above what was seen last, and tried again.
func (d *counter) showLive(ctx context.Context, v *view) error {
	const refresh, rest = 10 * time.Second, 2 * time.Second
	var last waitingList
	for first := true; ctx.Err() == nil; first = false {
		list, err := v.look(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil && first {
			return err
		}
		if err == nil {
			last = list
			d.draw(func(p *page) { p.waiting(last, v.server, time.Now()) })
			some, cancel := context.WithTimeout(ctx, refresh)
			go d.awaitResize(some, cancel)
			err = v.await(some, list.serial)
			if some.Err() != nil { // nothing has happened
				err = nil
			}
			cancel()
		}
		if err != nil && ctx.Err() == nil {
			d.draw(func(p *page) {
				p.line(p.text(red, "This may be out of date: "+policy.Visible(err.Error())))
				p.line("")
				p.waiting(last, v.server, time.Now())
			})
			wait(ctx, rest)
		}
	}
	_, _ = io.WriteString(d.out, "\n") // a terminal has written ^C into the line
	return nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// awaitResize ends what waits when the screen has got another size. Not every system tells
// programs of that, so it looks.
func (d *counter) awaitResize(ctx context.Context, end func()) {
	columns, rows := d.screen()
	for ctx.Err() == nil {
		wait(ctx, 500*time.Millisecond)
		if c, r := d.screen(); c != columns || r != rows {
			end()
		}
	}
}

// screen is how many columns and rows the terminal has; 0 when nobody can say.
func (d *counter) screen() (columns, rows int) {
	if file, ok := d.out.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(file.Fd())); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}

// draw puts a page in the place of the last one.
func (d *counter) draw(write func(*page)) {
	p := &page{painter: d.painter(d.out)}
	write(p)
	const home = "\x1b[H\x1b[2J" // to the first line, and nothing on the screen; what went out at its top stays
	_, _ = io.WriteString(d.out, home+strings.Join(p.screenful(d.screen()), "\n")+"\n")
}

// screenful are the lines of a page as a screen shows them, none of which takes two rows: else
// the first ones, where the worst is, would go out at the top.
func (p *page) screenful(columns, rows int) []string {
	lines := strings.Split(strings.TrimSuffix(p.b.String(), "\n"), "\n")
	if !slices.Contains(lines, "") {
		lines = append(lines, "")
	}
	lines = append(lines, p.text(faint, "  ^C ends this list"))
	if rows > 0 {
		lines = p.fitting(lines, rows-1)
	}
	if columns > 0 {
		for i, line := range lines {
			lines[i] = narrowed(line, columns)
		}
	}
	return lines
}

// narrowed is as much of a line as so many columns show. Its colours end where they did.
func narrowed(line string, columns int) string {
	var out strings.Builder
	used, cut := 0, false
	total := 0
	eachRune(line, func(piece string, columns int) { total += columns })
	if total <= columns {
		return line
	}
	eachRune(line, func(piece string, wide int) {
		switch {
		case wide == 0 && strings.HasPrefix(piece, "\x1b"):
			out.WriteString(piece)
		case cut:
		case used+wide > columns-1:
			cut = true
			out.WriteString("…")
		default:
			used += wide
			out.WriteString(piece)
		}
	})
	return out.String()
}

// eachRune goes through a line, with the columns of each letter. A colour takes none.
func eachRune(line string, do func(piece string, columns int)) {
	for len(line) > 0 {
		if end := strings.IndexByte(line, 'm'); strings.HasPrefix(line, "\x1b[") && end > 0 {
			do(line[:end+1], 0)
			line = line[end+1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		do(line[:size], runeWidth(r))
		line = line[size:]
	}
}

// fitting are as many lines of a page as a screen has. What stands at its end, behind an empty
// line, tells how to answer: it stays, and so does the beginning, where the worst is.
func (p *page) fitting(lines []string, height int) []string {
	end := len(lines)
	for i, line := range lines {
		if line == "" {
			end = i
		}
	}
	if keep := height - 1 - (len(lines) - end); len(lines) > height && keep > 0 {
		left := p.text(faint, fmt.Sprintf("… %d more lines (--once prints all)", end-keep))
		return append(append(slices.Clone(lines[:keep]), left), lines[end:]...)
	}
	if len(lines) <= height || height < 2 {
		return lines
	}
	return append(slices.Clone(lines[:height-1]), p.text(faint, fmt.Sprintf("… %d more lines (--once prints all)", len(lines)-height+1)))
}

// waiting is the list and the commands that answer.
func (p *page) waiting(list waitingList, server string, now time.Time) {
	title := ""
	for _, c := range list.Calls {
		next := "Waiting for an answer"
		if c.State == "unknown" {
			next = "Nobody knows whether they ran"
		}
		if next != title {
			title = next
			p.heading(title)
		}
		p.item(c, now)
		if c.Terms != nil && c.State == "pending" {
			p.line("      " + neededFor(c))
		}
	}
	if list.More > 0 {
		p.line(p.text(faint, fmt.Sprintf("  and %s more", plural(list.More, "call"))))
	}
	switch {
	case len(list.Calls) == 0 && len(list.Problems) == 0:
		p.line("Nothing waits for an answer.")
	case len(list.Calls) == 0:
		p.line("Nothing waits for an answer that can be given here.")
	}
	for _, problem := range list.Problems {
		p.line(p.text(red, "  "+policy.Visible(problem)))
	}
	if len(list.Calls) == 0 {
		return
	}
	p.line("")
	if list.Calls[0].State == "unknown" {
		p.line("  assent sessions resolve ID --ran" + server + "   (or --not-run)")
	}
	if server == "" {
		p.line("  assent sessions show ID             what exactly would run")
	}
	if !every(list.Calls, ofPeople) {
		p.line("  assent approve ID" + server)
	}
	if slices.ContainsFunc(list.Calls, ofPeople) {
		p.line("  sign in at the server, on its page    to approve what needs several people, or somebody else than whoever wanted it")
	}
	p.line("  assent deny ID --reason TEXT" + server)
}

// ofPeople: it matters who says yes to a call, so a person has to sign in for that.
func ofPeople(c client.Item) bool {
	return c.State == "pending" && c.Terms != nil && (c.Terms.Approvers > 1 || c.Terms.NotRequester)
}

// every: something is so for all calls of a list.
func every(list []client.Item, is func(client.Item) bool) bool {
	return !slices.ContainsFunc(list, func(c client.Item) bool { return !is(c) })
}

// item is a call in the list.
func (p *page) item(c client.Item, now time.Time) {
	risk := c.Risk
	switch risk {
	case "high":
		risk = p.text(red, "high risk  ")
	case "medium":
		risk = p.text(yellow, "medium risk")
	default:
		risk = p.text(green, fmt.Sprintf("%-11s", risk+" risk"))
	}
	p.line(fmt.Sprintf("  %-13s  %s  %s", policy.Visible(c.ID), risk, policy.Visible(c.Sentence)))
	text := "for " + roughly(now.Sub(c.Since))
	if !c.Expires.IsZero() {
		text += fmt.Sprintf(", expires in %s: then %s", roughly(c.Expires.Sub(now)), c.Outcome)
	}
	if c.Asker != "" {
		text += ", held for " + policy.Visible(c.Asker)
	}
	p.line(p.text(faint, fmt.Sprintf("      %s, session %s, %s", text, policy.Visible(c.Session), policy.Visible(c.Cwd))))
}

// neededFor is what has to be so before a yes to a call counts, and what of it is there.
func neededFor(c client.Item) string {
	text := "needs " + needs(clerk.TermsView{Approvers: c.Terms.Approvers, Reason: c.Terms.Reason, NotRequester: c.Terms.NotRequester}, c.Requester)
	if c.Terms.Approvers > 1 && c.Approvals > 0 {
		text += "; " + approval.Tally{Have: c.Approvals, Need: c.Terms.Approvers}.String()
	}
	return text
}
