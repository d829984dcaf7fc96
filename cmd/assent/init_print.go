package main

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings/foreign"
)

// printPlan shows what would be done, and every change as a diff.
func (a *app) printPlan(plan *foreign.Plan, o foreign.Options, f initFlags, found map[foreign.Agent]string) error {
	p := &page{painter: a.painter(a.out)}
	for _, r := range plan.Results {
		p.result(r, f, found)
	}
	if o.Scope == foreign.Project && !f.undo && !runs(o.Program.Path) {
		p.warning("assent is not on PATH here; every machine on which this project is used needs it there")
	}
	if len(plan.Changes) == 0 {
		p.line("nothing to change")
	}
	for _, c := range plan.Changes {
		p.line("")
		for _, line := range c.Diff() {
			p.line(p.text(diffStyle(line.Mark), visibleLine(line.Text)))
		}
	}
	if len(plan.Changes) > 0 {
		p.line("")
	}
	return p.flush(a.out)
}

func (p *page) result(r foreign.Result, f initFlags, found map[foreign.Agent]string) {
	if r.Outcome == foreign.Missing && len(r.Notes) == 0 && len(f.agents) == 0 {
		return // undoing looks at every agent, and most of them were never there
	}
	line := subject(r, found) + ": " + happens(r)
	p.line(policy.Visible(line))
	for _, note := range r.Notes {
		p.warning(note)
	}
}

func (p *page) warning(text string) {
	p.line("  " + p.outcome("warning") + ": " + policy.Visible(text))
}

func subject(r foreign.Result, found map[foreign.Agent]string) string {
	switch {
	case r.Subject == foreign.Rules:
		return "policy"
	case r.Subject == foreign.Tests:
		return "policy tests"
	case found[r.Agent] != "":
		return r.Agent.Name() + " (" + found[r.Agent] + ")"
	}
	return r.Agent.Name()
}

// happens says what becomes of one thing.
func happens(r foreign.Result) string {
	switch r.Subject {
	case foreign.Rules:
		return outcomeText(r, "add a starter policy to FILE", "FILE has permissions of its own, they stay as they are", "take the starter policy out of FILE", "it stays in FILE")
	case foreign.Tests:
		return outcomeText(r, "write FILE", "FILE is there already", "remove FILE", "FILE stays")
	case foreign.Guard:
		if r.Outcome == foreign.Mended {
			return "mend the guard in " + r.File
		}
	}
	return outcomeText(r, "add the guard to FILE", "already wired in FILE", "take the guard out of FILE", "there is no guard in FILE")
}

// outcomeText is the sentence for an outcome.
func outcomeText(r foreign.Result, added, present, removed, missing string) string {
	text := missing
	switch r.Outcome {
	case foreign.Added, foreign.Mended:
		text = added
	case foreign.Present:
		text = present
	case foreign.Removed:
		text = removed
	case foreign.Missing:
	}
	return strings.ReplaceAll(text, "FILE", r.File)
}

func diffStyle(mark byte) style {
	switch mark {
	case '+':
		return green
	case '-':
		return red
	case '@':
		return cyan
	case 'f':
		return bold
	}
	return plainStyle
}

// visibleLine is a line of somebody's file: tabs are layout there.
func visibleLine(text string) string {
	cells := strings.Split(text, "\t")
	for i := range cells {
		cells[i] = policy.Visible(cells[i])
	}
	return strings.Join(cells, "\t")
}

// printDone says what was changed, and what is left for the person to do.
func (a *app) printDone(plan *foreign.Plan, o foreign.Options, f initFlags) error {
	p := &page{painter: a.painter(a.out)}
	for _, c := range plan.Changes {
		verb := "changed "
		switch {
		case c.After == nil:
			verb = "removed "
		case c.Before == nil:
			verb = "wrote "
		}
		p.line(verb + policy.Visible(c.File))
	}
	if !f.undo {
		if err := p.nextSteps(plan, o); err != nil {
			return err
		}
	}
	return p.flush(a.out)
}

func (p *page) nextSteps(plan *foreign.Plan, o foreign.Options) error {
	p.heading("What is left to do")
	var mute []string
	for _, r := range plan.Results {
		switch {
		case r.Subject == foreign.Guard:
			p.line("  " + r.Agent.Name() + ": " + nextStep(r.Agent, o.Scope))
			if !r.Agent.Asks() {
				mute = append(mute, r.Agent.Name())
			}
		case r.Subject == foreign.Tests && r.Outcome == foreign.Added:
			p.line("  policy: read it, change it, and test it with `assent test " + policy.Visible(r.File) + "`")
		}
	}
	if len(mute) > 0 {
		p.line("  " + strings.Join(mute, ", ") + ": hooks cannot ask you there, so what no rule allows is denied, edits as well;")
		p.line("    \"Edit(./**)\" under \"allow\" in " + policy.Visible(o.PolicyFile()) + " lets agents edit the project")
	}
	if o.Scope == foreign.Project && slices.ContainsFunc(plan.Changes, foreign.Change.Granting) {
		p.line("  assent: what a project's settings grant counts once somebody trusts it: `assent trust`")
	}
	p.heading("Is it live? This asks about reading .env, which the starter policy denies")
	for _, r := range plan.Results {
		if r.Subject != foreign.Guard {
			continue
		}
		line, err := o.Program.Canary(r.Agent, o.Dir)
		if err != nil {
			return err
		}
		p.line("  " + policy.Visible(line))
	}
	return nil
}

// nextStep is what a person must do in the agent itself.
func nextStep(agent foreign.Agent, scope foreign.Scope) string {
	switch agent {
	case foreign.Codex:
		return "start it, enter /hooks and trust the guard; until then Codex does not run it, and again after every change"
	case foreign.Gemini:
		if scope == foreign.Project {
			return "restart it; it warns about the new hook of the project once"
		}
	case foreign.Claude:
		return "restart it; /hooks lists the guard"
	default:
	}
	return "restart it"
}
