package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/rule"
)

// maxCompared bounds the comparison of all rules with all others.
const maxCompared = 10_000

// shadows finds rules that never have an effect because another one covers them.
func (l *linter) shadows() {
	if len(l.rules) > maxCompared {
		l.found = append(l.found, Finding{
			Severity: Info, Code: "not-compared", Text: fmt.Sprintf("dead and redundant rules were not looked for among %d rules", len(l.rules)),
			Fix: "write fewer rules with wildcards",
		})
		return
	}
	sets := l.compile()
	for i := range l.rules {
		r := &l.rules[i]
		if r.Quarantined {
			continue
		}
		switch r.Behavior {
		case rule.Allow:
			if !l.beaten(r, sets, rule.Deny, Warning) && !l.beaten(r, sets, rule.Ask, Warning) {
				l.redundant(r, sets)
			}
		case rule.Ask:
			if !l.beaten(r, sets, rule.Deny, Info) {
				l.redundant(r, sets)
			}
		case rule.Deny:
			l.redundant(r, sets)
		}
	}
}

// compile puts broad rules first, so that the rule that is found for another one is
// the broadest.
func (l *linter) compile() ruleSets {
	var user, others []rule.Rule
	for _, r := range l.rules {
		switch {
		case r.Quarantined:
		case r.Origin.Source == rule.UserSettings:
			user = append(user, r)
		default:
			others = append(others, r)
		}
	}
	broadFirst := func(a, b rule.Rule) int {
		return cmp.Or(-boolean(a.Bare)+boolean(b.Bare), cmp.Compare(len(a.Content), len(b.Content)))
	}
	slices.SortStableFunc(user, broadFirst)
	slices.SortStableFunc(others, broadFirst)
	return ruleSets{
		rule.Compile(others, l.anchors.anchors(rule.ProjectSettings)),
		rule.Compile(user, l.anchors.anchors(rule.UserSettings)),
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// beaten reports whether a stricter rule covers r.
func (l *linter) beaten(r *rule.Rule, sets ruleSets, by rule.Behavior, s Severity) bool {
	other := sets.covering(r, by, l.anchors)
	if other == nil {
		return false
	}
	l.add(s, "shadowed", r, fmt.Sprintf("has no effect: %s rule %s (%s) covers it, and %s comes before %s",
		by, Visible(other.Text), Visible(refer(other).Place()), by, r.Behavior), "remove one of the two, or make the "+by.String()+" rule narrower")
	return true
}

// redundant finds a rule of the same list and file that says the same or more.
func (l *linter) redundant(r *rule.Rule, sets ruleSets) {
	if first, twice := l.seen[identity(r)]; twice {
		l.add(Warning, "duplicate", r, fmt.Sprintf("stands here twice, first in line %d", first), "remove one of the two")
		return
	}
	l.seen[identity(r)] = r.Origin.Line
	other := sets.covering(r, r.Behavior, l.anchors)
	if other == nil || other.String() == r.String() || other.Origin.File != r.Origin.File {
		return
	}
	l.add(Info, "redundant", r, fmt.Sprintf("adds nothing to %s (%s)", Visible(other.Text), Visible(refer(other).Place())), "remove it")
}

// identity is what two rules of one list of one file share when they say the same.
func identity(r *rule.Rule) rule.Rule {
	return rule.Rule{
		Tool: r.Tool, Content: r.Content, Bare: r.Bare, Behavior: r.Behavior,
		Origin: rule.Origin{Source: r.Origin.Source, File: r.Origin.File},
	}
}
