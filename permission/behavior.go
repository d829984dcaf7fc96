// Package permission decides what happens to a tool call: allow it, deny it, ask
// somebody, or park it.
//
// A call goes through four stages. [Engine.Validate] is the first (is the input
// what the tool's schema says?), [Engine.Decide] the second and third (rules,
// then the tool's own check, then the mode), [Resolver.Resolve] the fourth (hook,
// classifier and person race). What is known about permissions is an immutable
// [Context]; every [Update] makes a new one, so a check in flight keeps the
// snapshot it started with.
//
// The package is pure: no files, no clock, no network. Links in paths are read
// through the [Links] interface, people and hooks answer through [Candidate].
package permission

import "github.com/assent-dev/assent/rule"

// Behavior is the outcome of a decision.
type Behavior uint8

// The outcomes. The zero value is no outcome, which is never an allow.
const (
	Allow Behavior = iota + 1
	Ask
	Deny
	Defer
	// Pass is the answer "no opinion" of a tool's own check or of a hook.
	Pass
)

func (b Behavior) String() string {
	switch b {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	case Defer:
		return "defer"
	case Pass:
		return "passthrough"
	}
	return "none"
}

func fromRule(b rule.Behavior) Behavior {
	switch b {
	case rule.Allow:
		return Allow
	case rule.Ask:
		return Ask
	case rule.Deny:
		return Deny
	}
	return 0
}
