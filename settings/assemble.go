package settings

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// assembly unites what the files said into Settings.
type assembly struct {
	*places
	s       *Settings
	trusted bool
	targets targets // as they were when trust was decided
	// managedHooks: only hooks of managed settings run.
	managedHooks bool
}

// assemble decides trust first, because it decides what project and local files
// may say.
func assemble(p *places, texts []text, mcp text) *Settings {
	s := &Settings{texts: texts, mcp: mcp}
	a := &assembly{places: p, s: s, targets: targets{}}
	grant := p.grant(texts, mcp, a.targets)
	s.trust = a.judge(grant)
	a.trusted = s.trust.Status == Trusted

	a.limits()
	for _, t := range texts {
		if t.selected && (t.exists || !t.serversOnly) {
			s.Files = append(s.Files, a.file(t))
		}
	}
	if !a.StartsServers {
		a.limitServers()
	}
	a.commandLine()
	a.mode()
	a.mcp(mcp)
	a.reportHeldBack(grant)
	a.gather()
	return s
}

// gather fills the configuration from what is in force.
func (a *assembly) gather() {
	c := &a.s.config
	c.Cwd, c.Root = a.realDir, a.realDir
	c.Home = a.realHome
	c.Protected = a.protected(a.s.texts)
	c.Shell = a.agentShell()
	switch {
	case a.ConfigDir != "":
		c.UserRoot = resolved(a.ConfigDir)
	case a.Home != "":
		c.UserRoot = resolvedIn(a.realHome, ".claude")
	}
	for i := range a.s.Files {
		f := &a.s.Files[i]
		c.Directories = append(c.Directories, f.Directories...)
		c.Lists = append(c.Lists, f.lists...)
	}
}

func (a *assembly) report(r Report) { a.s.Reports = append(a.s.Reports, r) }

// file takes what t says into force, as far as t may say it.
func (a *assembly) file(t text) File {
	f := File{Source: t.source, Path: t.path, Exists: t.exists, Broken: t.broken}
	f.Trusted = a.trusted || !fromWorkspace(t.source)
	if t.said == nil {
		return f
	}
	c := t.said
	f.UnknownKeys = c.unknown
	if a.managedHooks && t.source != rule.PolicySettings {
		held := *c // what is neither run nor waits for trust
		held.hooks = section{}
		a.notInForce(c, t)
		c = &held
	} else if a.s.config.ManagedRulesOnly {
		a.notInForce(c, t)
	}
	f.DisableBypass = a.disablesBypass(c, t)
	a.restrict(c, t, &f)
	if f.Trusted {
		a.grantFile(c, t, &f)
	} else {
		a.holdBack(c, t)
	}
	for _, l := range c.limiting {
		if l.countsIn(t.source) && !l.starters {
			a.report(Report{Kind: l.kind, File: t.path, Line: l.refused.Line, Text: l.refused.Problem, Hint: l.refused.Hint})
		}
	}
	a.sandboxLimits(c.sandbox, t)
	return f
}

func fromWorkspace(s rule.Source) bool {
	return s == rule.ProjectSettings || s == rule.LocalSettings
}

// restrict takes what every file may say: deny and ask, and servers that are off.
func (a *assembly) restrict(c *content, t text, f *File) {
	f.lists = append(f.lists, a.list(c.deny, rule.Deny, t), a.list(c.ask, rule.Ask, t))
	for _, e := range c.disabledMCP {
		f.DisabledMCP = append(f.DisabledMCP, e.text)
	}
}

// grantFile takes what only a trusted file may say.
func (a *assembly) grantFile(c *content, t text, f *File) {
	f.lists = append(f.lists, a.list(c.allow, rule.Allow, t))
	f.Directories = a.directories(c.directories, t)
	f.Hooks, f.Env, f.MCPServers, f.Assent = c.hooks.Value, c.env.Value, c.mcpServers.Value, c.assent.Value
	f.DisableAllHooks = c.disableAllHooks.set()
	f.EnableAllProjectMCP = c.enableAllMCP.set()
	for _, e := range c.enabledMCP {
		f.EnabledMCP = append(f.EnabledMCP, e.text)
	}
}

// list is one list of a file. A malformed rule is reported and never touches its
// neighbours.
func (a *assembly) list(rules []rule.Written, b rule.Behavior, t text) rule.List {
	return rule.NewList(b, t.source, t.path, rules, func(r rule.Rule, kept bool, err *rule.SyntaxError) {
		a.malformed(&r, kept, b, err)
	})
}

// malformed reports a rule of the list of a behaviour.
func (a *assembly) malformed(r *rule.Rule, kept bool, b rule.Behavior, err *rule.SyntaxError) {
	outcome := "it is dropped"
	if kept {
		outcome = "until it is mended " + everyCall(r.Tool) + " asks"
	}
	a.report(Report{
		Kind: MalformedRule, File: r.Origin.File, Line: r.Origin.Line, Hint: err.Hint,
		Text: b.String() + " rule " + named(err.Rule) + " is malformed: " + err.Problem + "; " + outcome,
	})
}

// IsOneRule: the command line reads the text as this one rule, and not as a list of several.
func IsOneRule(text string, b rule.Behavior) bool {
	parts := splitTools([]string{text}, b)
	return len(parts) == 1 && parts[0] == strings.TrimSpace(text)
}

// commandLine adds the rules and directories of the command line.
func (a *assembly) commandLine() {
	lists := []struct {
		b     rule.Behavior
		texts []string
	}{{rule.Deny, a.DisallowedTools}, {rule.Ask, a.AskTools}, {rule.Allow, a.AllowedTools}}
	for _, l := range lists {
		for _, text := range splitTools(l.texts, l.b) {
			r, kept, err := rule.Read(text, l.b, rule.Origin{Source: rule.CLIArg})
			if err != nil {
				a.malformed(&r, kept, l.b, err)
			}
			if kept {
				a.s.config.Rules = append(a.s.config.Rules, r)
			}
		}
	}
	var dirs []entry
	for _, d := range a.AddDirs {
		dirs = append(dirs, entry{text: d})
	}
	a.s.config.Directories = a.directories(dirs, text{slot: slot{source: rule.CLIArg}})
}

// mcp takes the workspace's .mcp.json when the workspace is trusted.
func (a *assembly) mcp(t text) {
	if t.said == nil {
		return
	}
	if a.trusted {
		a.s.ProjectMCP = t.said.mcpServers.Value
		return
	}
	for _, m := range t.said.mcpServers.members {
		if !slices.Contains(a.s.HeldBack.MCPServers, m.name) {
			a.s.HeldBack.MCPServers = append(a.s.HeldBack.MCPServers, m.name)
		}
	}
}
