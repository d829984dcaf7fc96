package terminal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// maxParts is how many parts of a command are listed.
const maxParts = 12

// shellNotes says what a command is made of, and what is dangerous about it.
func shellNotes(p *page, command string, d permission.Decision) {
	report := policy.DescribeShell(command)
	if len(report.Parts) > 1 {
		listParts(p, shell.Parse(command), d)
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
func listParts(p *page, script *shell.Script, d permission.Decision) {
	p.say(ordinary, "It runs:")
	var asked, reading []string
	listed := 0
	for i := range script.Commands {
		c := &script.Commands[i]
		if c.Link == shell.Guess || len(c.Words) == 0 {
			continue
		}
		if listed++; listed > maxParts && !p.all {
			p.cut = true
			p.say(warning, "  ... and more parts; v shows all of it ...")
			break
		}
		number := strconv.Itoa(listed)
		p.plain(quoted(exact, number+". ", partText(c.Text()), p.width))
		switch part := d.Reason.Part; {
		case part != nil && part.Span == c.Span && part.Text == c.Text():
			asked = append(asked, number)
		case script.PartReadOnly(i).Text == "" && c.Taint == "":
			reading = append(reading, number)
		}
	}
	p.note("Asked about: ", asked)
	p.note("Only read: ", reading)
}

// note says of which parts something is known.
func (p *page) note(what string, numbers []string) {
	if len(numbers) > 0 {
		p.hang(ordinary, what, strings.Join(numbers, ", "))
	}
}

// partText is a part with the marks for what is not known as people write them.
func partText(text string) string {
	text = strings.ReplaceAll(text, string([]byte{shell.Unknown}), "…")
	text = strings.ReplaceAll(text, string([]byte{shell.Glob}), "*")
	return strings.ReplaceAll(text, "\n", `\n`)
}
