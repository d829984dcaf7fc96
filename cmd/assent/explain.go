package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
)

const explainHelp = `Explain the decision about a call: what each stage said, the rule with its file and line, the part
of the command and the file that decided, and what would flip it. Every flip was tried out.

` + callHelp + `

The exit status is 0 when there is a decision, whatever it is, and 2 when something could not be read.`

func newExplain(a *app) *cobra.Command {
	var (
		policyOf policyFlags
		callOf   callFlags
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "explain [TOOL [INPUT]]",
		Short: "Explain the decision about a call",
		Long:  fmt.Sprintf(explainHelp, "explain"),
		Args:  atMost(2, "write a tool and its input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			call, err := callOf.call(cmd, args)
			if err != nil {
				return err
			}
			j, err := a.judge(&policyOf, call)
			if err != nil {
				return err
			}
			x := j.Explain()
			if asJSON {
				return a.printJSON(x)
			}
			return a.printExplanation(x)
		},
	}
	policyOf.bind(cmd)
	callOf.bind(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the explanation as JSON")
	return cmd
}

func (a *app) printExplanation(x policy.Explanation) error {
	p := &page{painter: a.painter(a.out)}
	p.line(p.text(bold, p.outcome(x.Decision)) + ": " + policy.Visible(x.Reason))
	p.rule(x)
	p.command(x)
	p.stages(x)
	p.parts(x)
	p.paths(x)
	p.classifier(x)
	p.approvals(x)
	p.flips(x)
	for _, note := range x.Notes {
		p.line("")
		p.line(p.text(faint, "note: "+policy.Visible(note)))
	}
	return p.flush(a.out)
}

func (p *page) rule(x policy.Explanation) {
	if x.RuleSource == nil {
		return
	}
	where := x.RuleSource.Source
	if x.RuleSource.File != "" {
		where = fmt.Sprintf("%s:%d (%s)", x.RuleSource.File, x.RuleSource.Line, where)
	}
	text := policy.Visible(x.Rule)
	if text == "" {
		text = `""`
	}
	p.line("  rule " + p.text(bold, text) + "  " + policy.Visible(where))
}

// command shows the source with the part that decided underlined.
func (p *page) command(x policy.Explanation) {
	if x.Command == "" {
		return
	}
	span := [2]int{-1, -1}
	for _, part := range x.Parts {
		if part.Decided {
			span = part.Span
			break
		}
	}
	p.line("")
	for _, line := range source(x.Command, span) {
		if strings.Contains(line, "^") && strings.Trim(line, " ^") == "" {
			line = p.text(outcomeStyle(x.Decision), line)
		}
		p.line("    " + line)
	}
}

func (p *page) stages(x policy.Explanation) {
	p.heading("Stages")
	var rows [][]string
	for i, s := range x.Stages {
		rows = append(rows, []string{fmt.Sprintf("%d %s", i+1, s.Stage), s.Outcome, policy.Visible(s.Why)})
	}
	p.columns(rows)
	p.line("  mode " + x.Mode)
}

func (p *page) parts(x policy.Explanation) {
	if len(x.Parts) == 0 {
		return
	}
	p.heading("Parts")
	var rows [][]string
	for _, part := range x.Parts {
		text := policy.Visible(part.Text)
		if len(part.Via) > 0 {
			text += "  (in " + policy.Visible(strings.Join(part.Via, " › ")) + ")"
		}
		rows = append(rows, []string{shortOutcome(part.Outcome), text, policy.Visible(part.Why)})
	}
	p.columns(rows)
}

// shortOutcome: a part that is judged with another one has no outcome of its own.
func shortOutcome(word string) string {
	if word == "passthrough" {
		return "–"
	}
	return word
}

func (p *page) paths(x policy.Explanation) {
	var rows [][]string
	for _, v := range x.Paths {
		if ordinary(v) && x.Command != "" {
			continue
		}
		name := policy.Visible(v.Given)
		if v.Real != "" && v.Real != v.Given {
			name += " → " + policy.Visible(v.Real)
		}
		rows = append(rows, []string{v.Access, name, fileRemark(v)})
	}
	if len(rows) > 0 {
		p.heading("Files")
		p.columns(rows)
	}
}

// ordinary: a file that is read inside the working directories says nothing about
// the decision. Programs that are not known are taken to read all they name.
func ordinary(v policy.PathView) bool {
	return v.Access == "reads" && v.Inside && v.Real == v.Given
}

func fileRemark(v policy.PathView) string {
	switch {
	case v.Problem != "":
		return policy.Visible(v.Problem)
	case v.Protected:
		return "protected"
	case v.Inside:
		return "inside the working directories"
	}
	return "outside the working directories"
}

// classifier shows what auto mode makes of the call.
func (p *page) classifier(x policy.Explanation) {
	c := x.Classifier
	if c == nil {
		return
	}
	p.heading("Classifier")
	var rows [][]string
	outcome := c.Outcome
	for _, reason := range c.Reasons {
		rows = append(rows, []string{outcome, policy.Visible(reason)})
		outcome = ""
	}
	p.columns(rows)
	if c.Risk != "" {
		p.line("  risk " + c.Risk + ", by the built-in classifier")
	}
	if c.Model != "" {
		p.line("  in a session the model " + policy.Visible(c.Model) + " judges (" + policy.Visible(c.ModelFrom) + "), which cannot approve a high risk")
	}
}

// approvals shows what a yes to the call needs.
func (p *page) approvals(x policy.Explanation) {
	a := x.Approvals
	if a == nil {
		return
	}
	p.heading("What a yes needs")
	rows := [][]string{{"risk", a.Risk}, {"people", fmt.Sprint(a.Approvers)}}
	if a.Reason {
		rows = append(rows, []string{"reason", "whoever says yes has to say why"})
	}
	if a.NotRequester {
		rows = append(rows, []string{"not", "whoever wanted the call"})
	}
	if a.Expires != "" {
		rows = append(rows, []string{"within", a.Expires + ", and then it is denied"})
	}
	for _, e := range a.Escalate {
		rows = append(rows, []string{"after " + e.After, "told: " + policy.Visible(strings.Join(e.Notify, ", "))})
	}
	p.columns(rows)
}

// flips lists what would change the decision; modes with the same outcome share a
// line.
func (p *page) flips(x policy.Explanation) {
	p.heading("What would flip it")
	if len(x.Flips) == 0 {
		p.line("  nothing that rules, modes or trust can do")
		return
	}
	var rows [][]string
	modes := map[string]int{}
	for _, f := range x.Flips {
		text := policy.Visible(f.Text)
		mode, isMode := strings.CutPrefix(text, "run in mode ")
		isMode = isMode && len(f.Changes) == 1
		if at, seen := modes[f.To]; isMode && seen {
			rows[at][1] += " or " + mode
			continue
		}
		if isMode {
			modes[f.To] = len(rows)
		}
		rows = append(rows, []string{f.To, text})
	}
	p.columns(rows)
}
