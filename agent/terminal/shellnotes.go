package terminal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// maxParts is how many parts of a command are listed.
const maxParts = 12

// shellNotes says what a command is made of, and what is dangerous about it.
func shellNotes(p *page, command string, q agent.Question) {
	report := policy.DescribeShell(command)
	if len(report.Parts) > 1 {
		listParts(p, command, q)
	}
	var risks []string
	if problem := report.Problem; problem != nil { // nothing found is not nothing there
		risks = append(risks, "not known, because the command is not understood ("+problem.Text+")")
	}
	for _, f := range report.Findings {
		if !slices.Contains(risks, f.Text) {
			risks = append(risks, f.Text)
		}
	}
	if len(risks) > 0 {
		p.hang(refusal, "Risk: ", strings.Join(risks, "; "))
	}
}

// listParts lists the commands that would run, with what is known about each. That stands
// on a line of its own: behind a part a command could write it itself.
func listParts(p *page, command string, q agent.Question) {
	script := shell.Parse(command)
	p.say(ordinary, "It runs:")
	var asked, reading []string
	listed := 0
	for i := range script.Commands {
		c := &script.Commands[i]
		text := partShown(c, command)
		if c.Link == shell.Guess || text == "" {
			continue
		}
		if listed++; listed > maxParts && !p.all {
			p.cut = true
			p.say(warning, "  ... and more parts; v shows all of it ...")
			break
		}
		number := strconv.Itoa(listed)
		p.plain(quoted(exact, number+". ", text, p.width))
		switch {
		case askedAbout(c, q):
			asked = append(asked, number)
		case script.PartReadOnly(i).Text == "" && c.Taint == "":
			reading = append(reading, number)
		}
	}
	p.note("Asked about: ", asked)
	p.note("Only read: ", reading)
}

// askedAbout: the part is why the question is asked, or would be if the others were not.
func askedAbout(c *shell.Command, q agent.Question) bool {
	is := func(part permission.Part) bool { return part.Span == c.Span && part.Text == c.Text() }
	return q.Decision.Reason.Part != nil && is(*q.Decision.Reason.Part) || slices.ContainsFunc(q.Unsettled, is)
}

// partShown is a part with the files that it reads and writes by redirection; "" if there
// is nothing to see.
func partShown(c *shell.Command, command string) string {
	text := c.Text()
	for _, r := range c.Redirects {
		operator := ""
		switch r.Kind {
		case shell.RedirectRead:
			operator = "<"
		case shell.RedirectWrite, shell.RedirectNetwork:
			operator = ">"
		case shell.RedirectDescriptor, shell.RedirectText, shell.RedirectNull:
			continue
		}
		if from, to := int(r.Span.Start), int(r.Target.Span.Start); from >= 0 && from < to && to <= len(command) && strings.Contains(command[from:to], operator) {
			operator = strings.TrimSpace(command[from:to]) // as it stands there: 2>>
		}
		text += " " + operator + " " + r.Target.Text
	}
	return strings.ReplaceAll(policy.PartText(strings.TrimPrefix(text, " ")), "\n", `\n`)
}

// note says of which parts something is known.
func (p *page) note(what string, numbers []string) {
	if len(numbers) > 0 {
		p.hang(ordinary, what, strings.Join(numbers, ", "))
	}
}
