package rule

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Set is a compiled list of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules    []Rule
	anchors  Anchors
	tools    toolIndex
	bash     [Deny + 1]bashIndex
	domains  domainIndex
	contents contentIndex
	hasBash  [Deny + 1]bool
	hasFiles bool

	// A process that decides one shell command needs no path rules placed, so that
	// is done when the first path is looked up.
	placing sync.Once
	paths   pathIndex
}

// Compile makes a set of the rules of one source. A rule made by hand whose
// content is malformed is treated as [Read] would: quarantined if it restricts,
// without effect if it allows.
func Compile(rules []Rule, a Anchors) *Set { return Adopt(slices.Clone(rules), a) }

// Adopt is [Compile] for a list that the caller gives away: a long one need not be
// copied.
func Adopt(rules []Rule, a Anchors) *Set {
	s := &Set{rules: rules, anchors: a}
	s.makeRoom()
	for i := range s.rules {
		s.add(int32(i))
	}
	for b := range s.bash {
		s.hasBash[b] = len(s.bash[b].entries) > 0 || s.tools.find(bashTool)[b] != 0
	}
	for i := range s.rules {
		r := &s.rules[i]
		if r.Tool != bashTool && !strings.HasPrefix(r.Tool, "mcp__") { // anything else may name a file
			s.hasFiles = true
			break
		}
	}
	return s
}

// makeRoom spares the lists of a long policy to grow step by step.
func (s *Set) makeRoom() {
	var count [Deny + 1]int
	for i := range s.rules {
		if r := &s.rules[i]; !r.Bare && r.Tool == bashTool && r.Behavior <= Deny {
			count[r.Behavior]++
		}
	}
	for b, n := range count {
		s.bash[b].entries = make([]bashEntry, 0, n)
	}
}

const bashTool = "Bash"

func (s *Set) add(i int32) {
	r := &s.rules[i]
	if r.Behavior < Allow || r.Behavior > Deny {
		return
	}
	if !r.Bare && !s.addContent(i) {
		if r.Behavior == Allow {
			return
		}
		s.rules = slices.Clone(s.rules) // others may have the list
		r = &s.rules[i]
		*r = quarantine(*r, r.Tool)
	}
	if r.Bare {
		s.tools.add(r.Tool, r.Behavior, i)
	}
	if r.Quarantined {
		s.addReach(i)
	}
}

// addReach lets a quarantined rule ask as far as the rule it was meant to be would
// have reached: a rule for Grep governs reading, and a denial of reading edits too.
func (s *Set) addReach(i int32) {
	r := &s.rules[i]
	switch pathKind(r.Tool) {
	case ReadRule:
		s.tools.add("Read", Ask, i)
		if r.List == Deny {
			s.tools.add("Edit", Ask, i)
		}
	case EditRule:
		s.tools.add("Edit", Ask, i)
	case WriteRule:
	}
}

// addContent reports whether the content could be understood.
func (s *Set) addContent(i int32) bool {
	r := &s.rules[i]
	if r.Content == "" || hasMarks(r.Content) {
		return false
	}
	switch {
	case pathKind(r.Tool) != 0: // placed later
		return r.understood || r.checkContent() == nil
	case r.Tool == bashTool:
		s.bash[r.Behavior].add(parseCommand(r.Content), i)
	case r.Tool == "WebFetch":
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

// pathRules is the index of the path rules.
func (s *Set) pathRules() *pathIndex {
	s.placing.Do(func() {
		s.paths.grow(s.rules)
		for i := range s.rules {
			s.place(int32(i))
		}
		s.paths.build()
	})
	return &s.paths
}

// place puts a path rule where its anchor is.
func (s *Set) place(i int32) {
	r := &s.rules[i]
	kind := pathKind(r.Tool)
	if r.Bare || kind == 0 || r.Behavior < Allow || r.Behavior > Deny {
		return
	}
	p, f := parsePath(r.Content)
	if f != nil || hasMarks(r.Content) {
		return // one that allows; another has been quarantined
	}
	e, known := p.entry(s.anchors)
	if !known && r.Behavior == Allow {
		return
	}
	e.rule, e.kind, e.behavior = i, kind, r.Behavior
	e.whole = p.open && r.Behavior == Allow
	s.paths.add(e)
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
