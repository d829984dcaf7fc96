package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Suggest lists the updates that "always allow" would make for a call that asks.
// They are tried out before they are offered: applied together they allow this
// call. There are none where only a person can allow it, where a rule or hook
// wants it asked, where what would run cannot be known, and for what is dangerous:
// that is decided each time.
func (e *Engine) Suggest(ctx *Context, call *Call, d Decision) []Update {
	if d.Behavior != Ask || d.NeedsPerson || d.Reason.Kind == ByRule || d.Reason.Kind == ByMaybeRule || d.Reason.Kind == ByHook || d.Reason.Kind == ByInvalid {
		return nil
	}
	updates := e.candidates(ctx, call)
	if len(updates) == 0 || slices.ContainsFunc(updates, nameParameters) {
		return nil
	}
	for ctx.parent != nil { // whoever answers a sub-agent's question changes what its parent may do
		ctx = ctx.parent
	}
	next, err := ctx.ApplyAll(updates)
	if err != nil || e.Decide(next, call).Behavior != Allow {
		return nil
	}
	return updates
}

// nameParameters: a text of the call reads as a parameter, so that a rule for it would allow
// other calls as well.
func nameParameters(u Update) bool {
	return slices.ContainsFunc(u.Rules, func(text string) bool {
		r, err := rule.Parse(text)
		_, _, parameter := r.Parameter()
		return err == nil && parameter
	})
}

func (e *Engine) candidates(ctx *Context, call *Call) []Update {
	switch call.Kind {
	case Shell:
		return e.suggestShell(ctx, call)
	case Edit:
		return suggestEdit(ctx, call)
	case Read, Search:
		return []Update{allow(rule.Session, readRule(ctx, call))}
	case Fetch:
		return []Update{allow(rule.LocalSettings, call.Name+"(domain:"+call.host+")")}
	case Other, Lookup:
		if call.content != "" {
			return []Update{allow(rule.LocalSettings, call.Name+"("+rule.Escape(call.content)+")")}
		}
		return []Update{allow(rule.LocalSettings, call.Name)}
	case Session, Person, Agent, Process:
		return nil
	}
	return nil
}

func allow(to rule.Source, rules ...string) Update {
	return Update{Type: AddRules, Behavior: rule.Allow, Destination: to, Rules: rules}
}

func suggestEdit(ctx *Context, call *Call) []Update {
	if call.path.Problem != "" {
		return nil
	}
	mode := Update{Type: SetMode, Mode: AcceptEdits, Destination: rule.Session}
	if ctx.inside(call.path) {
		return []Update{mode}
	}
	if wide(ctx, dirOf(call.path.Given)) || wide(ctx, dirOf(call.path.Real)) {
		rules := []string{"Edit(" + rule.EscapePath(call.path.Given) + ")"}
		if call.path.Real != call.path.Given {
			rules = append(rules, "Edit("+rule.EscapePath(call.path.Real)+")")
		}
		return []Update{allow(rule.Session, rules...)}
	}
	dirs := []string{dirOf(call.path.Given)}
	if real := dirOf(call.path.Real); real != dirs[0] {
		dirs = append(dirs, real)
	}
	return []Update{mode, {Type: AddDirectories, Directories: dirs, Destination: rule.Session}}
}

// readRule covers the directory of a file, or only the file where the directory
// holds much more than that: the root, the home directory or what is above it.
func readRule(ctx *Context, call *Call) string {
	path := call.path.Given
	if call.Kind == Search {
		return "Read(" + rule.EscapePath(strings.TrimSuffix(path, "/")) + "/**)"
	}
	dir := dirOf(path)
	if wide(ctx, dir) {
		return "Read(" + rule.EscapePath(path) + ")"
	}
	return "Read(" + rule.EscapePath(dir) + "/**)"
}

// wide: a directory that holds the home or the working directory.
func wide(ctx *Context, dir string) bool {
	return within(ctx.config.Home, dir) || within(ctx.config.Cwd, dir)
}

func dirOf(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// mostSuggested bounds the rules that are offered for one call: nobody reads more of them, and all
// are tried out.
const mostSuggested = 256

// suggestShell offers a rule for every part that nothing allows yet.
func (e *Engine) suggestShell(ctx *Context, call *Call) []Update {
	s := shellCheck{engine: e, ctx: ctx, script: call.Script(), cwd: call.cwd, f: finding{rules: Pass, check: Pass}}
	if s.script.Problem != nil || len(s.script.Danger()) > 0 {
		return nil
	}
	s.partRules()
	s.follows()
	s.accesses = s.resolveAccesses()
	s.dropSeen()
	var persistent, temporary []string
	for i := range s.script.Commands {
		c := &s.script.Commands[i]
		if c.Link != shell.Direct {
			continue
		}
		if c.Opaque == shell.OpaqueShell || c.Taint != "" || c.Unlisted != "" && s.partDoubt(i) != "" {
			return nil
		}
		for k := range s.accessesOf(i) {
			if a := s.access(k); a.Redirect && a.Mode == shell.Writes {
				persistent = append(persistent, s.editRules(a)...)
			}
		}
		if len(c.Words) == 0 || s.allowRule(i) != nil {
			continue
		}
		inner := i
		for next := s.script.Inner(inner); next >= 0; next = s.script.Inner(inner) {
			inner = next
		}
		switch path, where := s.readsOutside(inner); {
		case s.partDoubt(inner) != "":
			persistent = append(persistent, partRule(&s.script.Commands[inner], s.text(inner)))
		case where == unknown || s.foreignRepository(inner) != "":
			return nil // whoever allows it looks at it each time
		case where == outside:
			temporary = append(temporary, "Read("+rule.EscapePath(path)+")")
		}
	}
	var updates []Update
	if len(persistent)+len(temporary) > mostSuggested {
		return nil
	}
	if rules := unique(persistent); len(rules) > 0 {
		updates = append(updates, allow(rule.LocalSettings, rules...))
	}
	if rules := unique(temporary); len(rules) > 0 {
		updates = append(updates, allow(rule.Session, rules...))
	}
	return updates
}

func (s *shellCheck) editRules(a *fileAccess) []string {
	var out []string
	for _, p := range a.paths {
		if s.allowed(p, rule.EditRule) {
			continue
		}
		out = append(out, "Edit("+rule.EscapePath(p.Given)+")")
		if p.Real != p.Given && p.Real != "" {
			out = append(out, "Edit("+rule.EscapePath(p.Real)+")")
		}
	}
	return out
}

// partRule is the narrowest rule a person would expect: the subcommand with any
// arguments where that is harmless, else exactly this command.
func partRule(c *shell.Command, text string) string {
	n := c.Prefix()
	if n == 0 {
		return "Bash(" + rule.Escape(text) + ")"
	}
	head := shell.Command{Words: c.Words[:n]}
	return "Bash(" + rule.Escape(head.Text()) + ":*)"
}

func unique(list []string) []string {
	var out []string
	seen := make(map[string]struct{}, len(list))
	for _, item := range list {
		if _, ok := seen[item]; !ok {
			seen[item] = struct{}{}
			out = append(out, item)
		}
	}
	return out
}
