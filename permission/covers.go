package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Match says whether a rule is about a call, whatever the rule would do: Yes where a
// deny rule of that text would stop the call, Maybe where it could and only running the
// call tells. where says what the paths in the rule mean; the rules in it do not count,
// nor does what hooks have said.
//
// It is stricter than a decision, which leaves to the mode what no rule can know: unknown
// code may touch any file.
func (e *Engine) Match(where Config, r rule.Rule, call *Call) (rule.Match, error) {
	ctx, err := alone(where, r, rule.Deny)
	if err != nil {
		return rule.No, err
	}
	_, _, parameter := r.Parameter()
	if call.Kind == Shell && !parameter {
		return e.matchShell(ctx, r, call), nil
	}
	found := e.judge(ctx, call)
	if parameter {
		return found.match(), nil
	}
	if found.match() == rule.No && call.path.Problem != "" && aboutFiles(r.Tool) {
		return rule.Maybe, nil // it may be any file
	}
	return found.match(), nil
}

// Covers reports whether an allow rule of that text would let all of a call run, with
// nothing in it that is only known when it runs.
func (e *Engine) Covers(where Config, r rule.Rule, call *Call) (bool, error) {
	ctx, err := alone(where, r, rule.Allow)
	if err != nil {
		return false, err
	}
	copied := *call
	copied.Hook = Verdict{}
	d := e.Decide(ctx, &copied)
	// What needs a person asks although the rule allows it; the trace has the rule.
	return d.Behavior == Allow || d.Trace[StageRules-1].Outcome == Allow, nil
}

// alone is a context with nothing but one rule.
func alone(where Config, r rule.Rule, behavior rule.Behavior) (*Context, error) {
	r.Behavior, r.List = behavior, behavior
	return NewContext(Config{Cwd: where.Cwd, Home: where.Home, Root: where.Root, UserRoot: where.UserRoot, Rules: []rule.Rule{r}})
}

// match is what a finding says about the only rule that there is.
func (f *finding) match() rule.Match {
	switch {
	case f.rules == Deny:
		return rule.Yes
	case f.ruleReason.Rule != nil:
		return rule.Maybe
	}
	return rule.No
}

func (e *Engine) matchShell(ctx *Context, r rule.Rule, call *Call) rule.Match {
	copied := *call // its script is kept, and others may have the call
	s := &shellCheck{engine: e, ctx: ctx, script: copied.Script(), cwd: call.cwd, f: finding{rules: Pass, check: Pass}}
	s.judge(call)
	if found := s.f.match(); found != rule.No {
		return found
	}
	if r.Tool != call.Name && !aboutFiles(r.Tool) {
		return rule.No
	}
	// A decision stops looking where a person is needed anyway; the question here is
	// another one.
	if s.script.Problem != nil || runsUnknown(s.script) {
		return rule.Maybe
	}
	if _, names := s.codeNamesRestricted(); names {
		return rule.Maybe
	}
	return rule.No
}

// runsUnknown: some part runs shell commands that nobody knows before.
func runsUnknown(script *shell.Script) bool {
	for i := range script.Commands {
		if c := &script.Commands[i]; c.Opaque == shell.OpaqueShell && !c.Evaluated && c.Link != shell.Guess {
			return true
		}
	}
	return false
}

// aboutFiles: the content of a rule on the tool is a file.
func aboutFiles(tool string) bool {
	switch tool {
	case "Read", "Glob", "Grep", "NotebookRead", "Edit", "MultiEdit", "NotebookEdit", "Write":
		return true
	}
	return false
}
