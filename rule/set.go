package rule

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Set is a compiled list of rules. It is immutable and safe for concurrent use.
//
// A process that is started for one decision needs few of its rules, so a rule is not
// looked at closely until a call is of its kind.
type Set struct {
	*store
	anchors  Anchors
	tools    toolIndex
	bash     [Deny + 1]bashIndex
	hasBash  [Deny + 1]bool
	hasFiles bool
	// restriction is the number, counted from 1, of the first rule on Bash that denies or
	// asks; zero is none.
	restriction int32

	reading  sync.Once
	domains  domainIndex
	contents contentIndex

	placing sync.Once
	paths   pathIndex

	hasParameters bool
	naming        sync.Once
	parameters    parameterIndex
}

// Compile makes a set of the rules of one source. A rule made by hand whose
// content is malformed is treated as [Read] would: quarantined if it restricts,
// without effect if it allows.
func Compile(rules []Rule, a Anchors) *Set { return Adopt(slices.Clone(rules), a) }

// Adopt is [Compile] for a list that the caller gives away: a long one need not be
// copied.
func Adopt(rules []Rule, a Anchors) *Set {
	given := rules
	for i := range given {
		r := &given[i]
		known, malformed := ToolPattern(r.Tool), !r.Bare && !r.hasMeaning() && (r.Behavior == Ask || r.Behavior == Deny)
		if known == r.Tool && !malformed {
			continue
		}
		if &rules[0] == &given[0] {
			rules = slices.Clone(given) // others may have the list
		}
		rules[i].Tool = known
		if malformed {
			rules[i] = quarantine(rules[i], known)
		}
	}
	return newSet(&store{rules: rules}, a)
}

// AdoptLists is [Adopt] for the lists of settings files.
func AdoptLists(lists []List, a Anchors) *Set { return newSet(&store{lists: lists}, a) }

func newSet(rules *store, a Anchors) *Set {
	s := &Set{store: rules, anchors: a}
	s.tools.store = rules
	for b := range s.bash {
		s.bash[b].store, s.bash[b].behavior = rules, Behavior(b)
	}
	s.addRules()
	s.addLists()
	whole := s.tools.find(bashTool)
	for b := range s.bash {
		s.hasBash[b] = s.bash[b].present || whole[b] != 0
	}
	return s
}

const bashTool = "Bash"

func (s *Set) addRules() {
	for i := range s.rules {
		switch r := &s.rules[i]; {
		case r.aboutParameter():
			s.hasParameters = true
		case r.Bare || r.hasMeaning():
			s.add(int32(i), r.Tool, r.Behavior, r.Bare, r.Quarantined)
		default:
			s.noteFiles(r.Tool)
		}
	}
}

func (s *Set) addLists() {
	n := int32(0)
	for at := range s.lists {
		l := &s.lists[at]
		for i := range l.rules {
			switch w := &l.rules[i]; {
			case w.parameter:
				s.hasParameters = true
			case w.name > 0:
				s.add(n, w.Text[:w.name], l.behavior, w.bare(), false)
			default:
				if r := s.at(n); r.aboutParameter() {
					s.hasParameters = true
				} else {
					s.add(n, r.Tool, r.Behavior, r.Bare, r.Quarantined)
				}
			}
			n++
		}
	}
}

func (s *Set) add(i int32, tool string, b Behavior, bare, quarantined bool) {
	s.noteFiles(tool)
	if b < Allow || b > Deny {
		return
	}
	if tool == bashTool {
		if b != Allow && s.restriction == 0 {
			s.restriction = i + 1
		}
		if !bare {
			s.bash[b].present = true
		}
	}
	if bare || quarantined {
		s.tools.present = true
	}
}

func (s *Set) noteFiles(tool string) {
	if tool != bashTool && !strings.HasPrefix(tool, mcpPrefix) { // anything else may name a file
		s.hasFiles = true
	}
}

// hasMeaning reports whether the content of a rule can be understood.
func (r *Rule) hasMeaning() bool {
	if r.understood { // so it is valid UTF-8, which no mark is
		return r.Content != ""
	}
	return r.Content != "" && !hasMarks(r.Content) && r.checkContent() == nil
}

// reach are the tools, besides its own, that a quarantined rule asks for: as far as the
// rule it was meant to be would have reached. A rule for Grep governs reading, and a
// denial of reading edits too.
func (r *Rule) reach() []string {
	if !r.Quarantined {
		return nil
	}
	switch pathKind(r.Tool) {
	case ReadRule:
		if r.List == Deny {
			return []string{"Read", "Edit"}
		}
		return []string{"Read"}
	case EditRule:
		return []string{"Edit"}
	case WriteRule:
	}
	return nil
}

// textRules are the indexes of the rules on hosts and on plain texts.
func (s *Set) textRules() (*domainIndex, *contentIndex) {
	s.reading.Do(func() {
		for i, r := range s.each {
			s.read(i, r)
		}
	})
	return &s.domains, &s.contents
}

// read takes a rule on a host or on a plain text into its index.
func (s *Set) read(i int32, r *Rule) {
	if r.Bare || r.Tool == bashTool || pathKind(r.Tool) != 0 || r.Behavior < Allow || r.Behavior > Deny || !r.hasMeaning() {
		return
	}
	if r.Tool != "WebFetch" {
		s.contents.add(r.Tool, r.Content, r.Behavior, i)
	} else if p, f := parseDomain(r.Content); f == nil {
		s.domains.add(p, r.Behavior, i)
	}
}

// pathRules is the index of the path rules.
func (s *Set) pathRules() *pathIndex {
	s.placing.Do(func() {
		s.paths.grow(s.store)
		for i, r := range s.each {
			s.place(i, r)
		}
		s.paths.build()
	})
	return &s.paths
}

// place puts a path rule where its anchor is.
func (s *Set) place(i int32, r *Rule) {
	kind := pathKind(r.Tool)
	if r.Bare || kind == 0 || r.aboutParameter() || r.Behavior < Allow || r.Behavior > Deny {
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

// Restriction is the first rule on Bash that denies or asks, nil if there is none.
func (s *Set) Restriction() *Rule { return s.rule(s.restriction) }

// Len is the number of rules.
func (s *Set) Len() int { return s.len() }

// All goes through the rules in list order. They must not be changed.
func (s *Set) All() iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for i := range s.len() {
			if !yield(s.at(int32(i))) {
				return
			}
		}
	}
}

// Rules is a copy of the rules, in list order.
func (s *Set) Rules() []Rule {
	all := slices.Clone(s.rules)
	for i := range s.lists {
		all = s.lists[i].AppendTo(all)
	}
	return all
}
