package policy

import (
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/shell"
)

// changes are updates as changes that a person can make in files.
func (e *environment) changes(updates []permission.Update) []Change {
	var all []Change
	for _, u := range updates {
		switch u.Type {
		case permission.AddRules:
			for _, text := range u.Rules {
				all = append(all, e.allow(text))
			}
		case permission.SetMode:
			all = append(all, Change{Kind: SetMode, Mode: u.Mode})
		case permission.AddDirectories:
			for _, dir := range u.Directories {
				all = append(all, Change{Kind: AddDirectory, Directory: dir})
			}
		case permission.ReplaceRules, permission.RemoveRules, permission.RemoveDirectories:
		}
	}
	return all
}

// allow adds an allow rule where it would count: a workspace that nobody has
// trusted cannot grant anything, so there it goes to the user's settings.
func (e *environment) allow(text string) Change {
	source := rule.LocalSettings
	if e.trust.Status != settings.Trusted {
		source = rule.UserSettings
	}
	c := e.add(text, rule.Allow, source)
	if e.trust.By == "assent trust" && source == rule.LocalSettings {
		c.TrustAgain, c.Dir = true, e.dir
	}
	return c
}

func (e *environment) add(text string, b rule.Behavior, source rule.Source) Change {
	if e.dir != "" && e.files[source] == "" {
		source = rule.CLIArg // a source that is not read cannot help
	}
	r, _, _ := rule.Read(text, b, rule.Origin{Source: source, File: e.files[source]})
	return Change{Kind: AddRule, Rule: r}
}

// withdraw takes away the rules that allow the call, one after the other.
func (s *search) withdraw() {
	d := s.Decision
	var changes []Change
	for range maxSteps {
		if d.Reason.Kind != permission.ByRule {
			return
		}
		changes = append(changes, Change{Kind: RemoveRule, Rule: *d.Reason.Rule})
		_, after, ok := s.try(changes...)
		if !ok || after.Behavior != permission.Allow || after.Message() == d.Message() {
			return
		}
		d = after
	}
}

// fileRule offers a rule for just this file, under both its names: beside the mode
// that allows all edits, and where a link keeps the directory from being allowed.
func (s *search) fileRule() {
	p, tool := s.Call.Path(), "Edit"
	switch s.Call.Kind {
	case permission.Edit:
	case permission.Read, permission.Search:
		tool = "Read"
		if p.Real == p.Given {
			return // the directory was offered
		}
	default:
		return
	}
	if p.Problem != "" {
		return
	}
	changes := []Change{s.env.allow(tool + "(" + rule.EscapePath(p.Given) + ")")}
	if p.Real != p.Given {
		changes = append(changes, s.env.allow(tool+"("+rule.EscapePath(p.Real)+")"))
	}
	s.try(changes...)
}

// forbid offers a deny rule that is about this call.
func (s *search) forbid() {
	if s.Decision.Behavior == permission.Deny {
		return
	}
	s.try(s.env.add(s.denyText(), rule.Deny, rule.ProjectSettings))
}

func (s *search) denyText() string {
	call := s.Call
	switch call.Kind {
	case permission.Shell:
		return s.denyCommand(call.Script())
	case permission.Read, permission.Edit:
		if call.Path().Problem == "" {
			return call.Name + "(" + rule.EscapePath(call.Path().Given) + ")"
		}
	case permission.Search, permission.Fetch, permission.Lookup, permission.Session, permission.Person, permission.Agent, permission.Process, permission.Other:
	}
	return call.Name
}

// denyCommand is a rule for the part that a person would name: the one that
// decided, else the first that does more than read, else the first.
func (s *search) denyCommand(script *shell.Script) string {
	best, rank := "", 0
	for i := range script.Commands {
		c := &script.Commands[i]
		text := c.Text()
		if c.Link == shell.Guess || text == "" || text != PartText(text) {
			continue
		}
		here := 1
		switch {
		case s.decided(c):
			here = 3
		case script.WordsReadOnly(i).Text != "":
			here = 2
		}
		if here > rank {
			best, rank = "Bash("+rule.Escape(text)+")", here
		}
	}
	if rank == 0 {
		return "Bash"
	}
	return best
}
