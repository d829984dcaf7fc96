package permission

import "github.com/assent-dev/assent/rule"

// parameterHits are the rules on parameters that a call matches. Like a rule on the whole
// tool one may restrict other tools of its kind; it allows calls of the tool that it names.
func (c *Context) parameterHits(call *Call) (hits rule.Hits) {
	for _, set := range c.parametric {
		hits = merge(hits, set.Parameters(call.Name, call.given))
		switch call.Kind {
		case Agent: // one tool under two names
			hits = merge(hits, merge(set.Parameters("Task", call.given), set.Parameters("Agent", call.given)))
		case Edit:
			edit := set.Parameters("Edit", call.given)
			hits = merge(hits, rule.Hits{Deny: first(edit.Deny, set.Parameters("Read", call.given).Deny), Ask: edit.Ask})
		case Read, Search:
			read := set.Parameters("Read", call.given)
			hits = merge(hits, rule.Hits{Deny: read.Deny, Ask: read.Ask})
		case Shell, Fetch, Lookup, Session, Person, Process, Other:
		}
	}
	return hits
}
