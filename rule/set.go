package rule

import (
	"iter"
	"slices"
	"strings"
)

// Set is a compiled list of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules    []Rule
	tools    toolIndex
	bash     [Deny + 1]bashIndex
	paths    pathIndex
	domains  domainIndex
	contents contentIndex
	hasBash  [Deny + 1]bool
	hasFiles bool
}

// Compile makes a set of the rules of one source. A rule made by hand whose
// content is malformed is treated as [Read] would: quarantined if it restricts,
// without effect if it allows.
func Compile(rules []Rule, a Anchors) *Set { return Adopt(slices.Clone(rules), a) }

// Adopt is [Compile] for a list that the caller gives away: a long one need not be
// copied.
func Adopt(rules []Rule, a Anchors) *Set {
	s := &Set{rules: rules}
	s.paths.grow(rules)
	for i := range s.rules {
		s.add(int32(i), a)
	}
	for b := range s.bash {
		s.bash[b].build()
		s.hasBash[b] = len(s.bash[b].entries) > 0 || s.tools.find(bashTool)[b] != 0
	}
	s.paths.build()
	for i := range s.rules {
		r := &s.rules[i]
		if r.Tool != bashTool && !strings.HasPrefix(r.Tool, "mcp__") { // anything else may name a file
			s.hasFiles = true
			break
		}
	}
	return s
}

const bashTool = "Bash"

func (s *Set) add(i int32, a Anchors) {
	r := &s.rules[i]
	if r.Behavior < Allow || r.Behavior > Deny {
		return
	}
	if !r.Bare && !s.addContent(i, a) {
		if r.Behavior == Allow {
			return
		}
		*r = quarantine(*r, r.Tool)
	}
	if r.Bare {
		s.tools.add(r.Tool, r.Behavior, i)
	}
}

// addContent reports whether the content could be understood.
func (s *Set) addContent(i int32, a Anchors) bool {
	r := &s.rules[i]
	if r.Content == "" || hasMarks(r.Content) {
		return false
	}
	if kind := pathKind(r.Tool); kind != 0 {
		return s.addPath(i, kind, a)
	}
	switch r.Tool {
	case bashTool:
		s.bash[r.Behavior].add(parseCommand(r.Content), i)
	case "WebFetch":
		p, f := parseDomain(r.Content)
		if f != nil {
			return false
		}
		s.domains.add(p, r.Behavior, i)
	default:
		s.contents.add(r.Tool, r.Content, r.Behavior, i)
	}
	return true
}

func (s *Set) addPath(i int32, kind Kind, a Anchors) bool {
	r := &s.rules[i]
	p, f := parsePath(r.Content)
	if f != nil {
		return false
	}
	e, known := p.entry(a)
	if !known && r.Behavior == Allow {
		return true
	}
	e.rule, e.kind, e.behavior = i, kind, r.Behavior
	e.whole = p.open && r.Behavior == Allow
	s.paths.add(e)
	return true
}

// HasFiles reports whether a rule is about files.
func (s *Set) HasFiles() bool { return s.hasFiles }

// Len is the number of rules.
func (s *Set) Len() int { return len(s.rules) }

// All goes through the rules in list order. They must not be changed.
func (s *Set) All() iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for i := range s.rules {
			if !yield(&s.rules[i]) {
				return
			}
		}
	}
}

// Rules is a copy of the rules, in list order.
func (s *Set) Rules() []Rule { return slices.Clone(s.rules) }
