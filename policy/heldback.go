package policy

import (
	"regexp"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// heldBackVerdict is the verdict that stands in for the hooks of a workspace
// nobody has trusted. They do not run, and what they might have stopped must not
// run unasked either.
func (e *environment) heldBackVerdict(call *permission.Call) permission.Verdict {
	if onlyReads(call) {
		return permission.Verdict{}
	}
	for _, h := range e.held.Hooks {
		if h.Event == "PreToolUse" && matches(h.Matcher, call.Name) {
			return permission.Verdict{
				Behavior: permission.Ask,
				Reason:   "a hook of this workspace would judge this call and is held back until somebody trusts the workspace",
			}
		}
	}
	return permission.Verdict{}
}

func onlyReads(call *permission.Call) bool {
	switch call.Kind {
	case permission.Read, permission.Search, permission.Session:
		return true
	case permission.Shell:
		return call.Script().ReadOnly().Text == ""
	case permission.Other, permission.Edit, permission.Fetch, permission.Lookup, permission.Person, permission.Agent, permission.Process:
		return false
	}
	return false
}

// matches reports whether a hook matcher is for a tool. One that cannot be
// understood matches everything.
func matches(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if strings.Trim(matcher, nameBytes) == "" {
		for name := range strings.FieldsFuncSeq(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			if strings.TrimSpace(name) == tool {
				return true
			}
		}
		return false
	}
	pattern, err := regexp.Compile(matcher)
	return err != nil || pattern.MatchString(tool)
}

// nameBytes are what a plain list of names is made of; anything else makes the
// matcher a regular expression.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|,- "
