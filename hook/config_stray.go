package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/hook/match"
)

// meansMatcher and meansIf: a key that is not known in its place is surely meant to
// say which calls a hook is for. It is never just ignored: a hook that allows would
// then allow every call.
func meansMatcher(key string) bool { return match.Nearly(strings.ToLower(plainKey(key)), "matcher") }

func meansIf(key string) bool { return strings.EqualFold(plainKey(key), "if") }

// strayMatcher is for a matcher that is misspelt or in the wrong place. Nobody knows
// which calls its hooks are for: at PreToolUse they may only restrict, and they answer
// no PermissionRequest. At other events they run for everything.
func (p *parser) strayMatcher(e *Entry, m member, hint string) (works bool) {
	problem := fmt.Sprintf("%s: the key %s is no matcher here", e.Event, quoted(m.name))
	switch {
	case e.Event.failsClosed():
		e.RestrictOnly = true
		p.report(m.at, problem+"; until then its hooks run for every tool, and what they allow does not count", hint)
	case e.Event.permits():
		p.report(m.at, problem+"; until then its hooks never run", hint)
		return false
	default:
		p.report(m.at, problem+" and is ignored", hint)
	}
	return true
}
