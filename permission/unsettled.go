package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Unsettled lists the parts of a shell call that no rule and no check of the engine
// allows, in the order in which they stand there. A decision names only the first of
// them; whoever is asked wants to know them all.
func (e *Engine) Unsettled(ctx *Context, call *Call) []Part {
	script := call.Script()
	if script == nil || script.Problem != nil {
		return nil
	}
	s := &shellCheck{engine: e, ctx: ctx, script: script, cwd: call.cwd, bare: ctx.bareHits(call.Name)}
	s.texts = make([]string, len(script.Commands))
	s.follows()
	s.accesses = s.resolveAccesses()
	bare := s.bareAllows()
	var found []Part
	for i := range script.Commands {
		c := &script.Commands[i]
		if c.Link == shell.Guess {
			continue
		}
		at, settled := i, true
		if c.Link == shell.Direct && !bare {
			at, settled, _ = s.covered(i)
		}
		if !settled || s.wantsAsking(i) {
			found = append(found, *s.part(at))
		}
	}
	return found
}

// wantsAsking: a rule asks about this part, or denies it.
func (s *shellCheck) wantsAsking(i int) bool {
	c := &s.script.Commands[i]
	if s.ctx.restriction == nil || len(c.Words) == 0 {
		return false
	}
	before := s.f
	s.f = finding{rules: Pass, check: Pass}
	for _, program := range []string{c.Words[0].Text, baseName(c.Words[0].Text, c.Words[0].Text)} {
		s.restrict(rule.Deny, i, program)
		s.restrict(rule.Ask, i, program)
	}
	asks := s.f.rules == Ask || s.f.rules == Deny
	s.f = before
	return asks
}
