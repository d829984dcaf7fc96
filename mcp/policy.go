package mcp

import "github.com/assent-dev/assent/rule"

// Restrictions are rules for tools of servers that come with the servers: who configures
// one says what it takes to call its tools. They restrict and allow nothing.
type Restrictions struct{ Deny, Ask []string }

// Add takes the policy for a tool, by its name at the server; * in it stands for anything.
// "always_allow" counts for nothing: only rules of a person allow. A policy that cannot be
// understood asks.
func (r *Restrictions) Add(server, tool, policy string) {
	name := rule.ToolPattern("mcp__" + server + "__" + tool)
	switch policy {
	case "always_allow":
	case "always_deny":
		r.Deny = append(r.Deny, name)
	default:
		r.Ask = append(r.Ask, name)
	}
}
