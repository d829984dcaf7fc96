package hook

import "github.com/assent-dev/assent/hook/match"

// Matcher says which subjects a hook is for; see package match.
type Matcher = match.Matcher

// ParseMatcher reads a matcher: a list of exact names, or a regular expression.
func ParseMatcher(text string) (Matcher, error) { return match.Parse(text) }
