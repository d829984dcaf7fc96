package settings

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings/custom"
)

// Custom are the commands and agents that a session has, the workspace's before the
// user's: of two with one name the first counts. The guard does without them, so [Load]
// does not read them.
type Custom struct {
	Commands []Command
	Agents   []custom.Agent
	// HeldBack are the names of commands that the workspace would have if somebody
	// trusted it, Why says what to do about it.
	HeldBack []string
	Why      string
	// Reports are what a person should know about them.
	Reports []Report
}

// Command is a custom command with the rules that hold while it runs.
type Command struct {
	custom.Command
	// Rules are those of allowed-tools that are rules: allow rules of source
	// [rule.Command].
	Rules []rule.Rule
}

// LoadCustom reads commands and agents. What the workspace may have of them is decided
// by the trust that s found, and by what was trusted of these files.
func LoadCustom(o Options, s *Settings) (Custom, error) {
	p, err := locate(o)
	if err != nil {
		return Custom{}, err
	}
	var c Custom
	if p.reads(rule.ProjectSettings) && !p.atHome() {
		project := custom.ReadBelow(p.realDir)
		state := p.customTrust(s.trust, customLines(p, project))
		if c.Why = state.why(p.trustHint()); c.Why == "" {
			c.take(project)
		} else {
			c.holdBack(p, project, state)
		}
	}
	if dir := p.userDir(); dir != "" && (p.reads(rule.UserSettings) || p.atHome() && p.reads(rule.ProjectSettings)) {
		c.take(custom.Read(dir))
	}
	return c, nil
}

// take puts a set in force, behind what is there.
func (c *Custom) take(s custom.Set) {
	for _, f := range s.Faults {
		c.fault(f)
	}
	for _, command := range s.Commands {
		if slices.ContainsFunc(c.Commands, func(have Command) bool { return have.Name == command.Name }) {
			continue
		}
		if command.Fault != nil {
			c.fault(*command.Fault)
		}
		c.Commands = append(c.Commands, Command{command, c.rules(command)})
	}
	for _, a := range s.Agents {
		switch {
		case a.Fault != nil:
			c.fault(*a.Fault)
		case !slices.ContainsFunc(c.Agents, func(have custom.Agent) bool { return have.Name == a.Name }):
			c.Agents = append(c.Agents, a)
		}
	}
}

func (c *Custom) fault(f custom.Fault) {
	c.Reports = append(c.Reports, Report{Kind: BrokenFile, File: f.File, Line: f.Line, Text: f.Text})
}

// rules are the allow rules of a command. One that is malformed is dropped and reported.
func (c *Custom) rules(command custom.Command) []rule.Rule {
	var all []rule.Rule
	for _, e := range command.Allow {
		for _, text := range splitList(e.Text, rule.Allow) {
			r, ok, err := rule.Read(text, rule.Allow, rule.Origin{Source: rule.Command, File: command.File, Line: e.Line})
			if ok {
				all = append(all, r)
				continue
			}
			c.Reports = append(c.Reports, Report{
				Kind: MalformedRule, File: command.File, Line: e.Line, Hint: err.Hint,
				Text: "allow rule " + named(err.Rule) + " of /" + command.Name + " is malformed: " + err.Problem + "; it is dropped",
			})
		}
	}
	return all
}

// holdBack tells about what the workspace does not get: each thing once, or all of it
// in one sentence where it is known what changed.
func (c *Custom) holdBack(p *places, s custom.Set, state customState) {
	for _, command := range s.Commands {
		c.HeldBack = append(c.HeldBack, command.Name)
	}
	if state.status != customUntrusted {
		c.Reports = append(c.Reports, Report{Kind: TrustChanged, Text: state.sentence(), Hint: p.trustHint()})
		return
	}
	report := func(file, what string) {
		c.Reports = append(c.Reports, Report{Kind: HeldBackGrant, File: file, Text: what + " is held back: nobody has trusted this workspace", Hint: p.trustHint()})
	}
	for _, command := range s.Commands {
		report(command.File, "command /"+command.Name)
	}
	for _, a := range s.Agents {
		report(a.File, "agent "+named(a.Name))
	}
}

// customLines say what the workspace would have, one thing each, sorted: for people to
// read and for trust to be bound to. The sum stands for the text of the file.
func customLines(p *places, s custom.Set) []string {
	all := []string{}
	add := func(file, sum, text string, broken *custom.Fault) {
		if broken != nil {
			text += ", which cannot be used"
		}
		if sum != "" {
			text += ", text " + sum
		}
		if rel, err := filepath.Rel(p.realDir, file); err == nil {
			file = filepath.ToSlash(rel)
		}
		all = append(all, text+" ("+file+")")
	}
	for _, c := range s.Commands {
		text := "command /" + c.Name
		if len(c.Allow) > 0 {
			text += " with allowed-tools " + quotedList(entryTexts(c.Allow))
		}
		add(c.File, c.Sum, text, c.Fault)
	}
	for _, a := range s.Agents {
		text := "agent " + strconv.Quote(a.Name)
		if len(a.Tools) > 0 {
			text += " with tools " + quotedList(a.Tools)
		}
		add(a.File, a.Sum, text, a.Fault)
	}
	slices.Sort(all)
	return all
}

func entryTexts(entries []custom.Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Text)
	}
	return all
}

func quotedList(texts []string) string {
	var all []string
	for _, t := range texts {
		all = append(all, strconv.Quote(t))
	}
	return strings.Join(all, ", ")
}
