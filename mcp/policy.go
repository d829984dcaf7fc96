package mcp

import "strings"

// Restrictions are rules for tools of servers that come with the servers: who configures
// one says what it takes to call its tools. They restrict and allow nothing.
type Restrictions struct{ Deny, Ask []string }

// Add takes the policy for a tool, by its name at the server; * in it stands for anything.
// "always_allow" counts for nothing: only rules of a person allow. A policy that cannot be
// understood asks.
func (r *Restrictions) Add(server, tool, policy string) {
	name := ruleName(server, tool)
	switch policy {
	case "always_allow":
	case "always_deny":
		r.Deny = append(r.Deny, name)
	default:
		r.Ask = append(r.Ask, name)
	}
}

// ruleName is the rule that means a tool, or those that a pattern means.
func ruleName(server, pattern string) string {
	pieces := strings.Split(pattern, "*")
	for i, piece := range pieces {
		pieces[i] = safeName(piece)
	}
	return "mcp__" + server + "__" + strings.Join(pieces, "*")
}
