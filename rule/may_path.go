package rule

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// PathMay is [Set.Path] for a path with marks for what is not known. Deny and Ask
// are rules that match for some value, with DenyMatch and AskMatch Yes when they
// match for every value; Allow is a rule that matches for every value.
//
// What is unknown may hold "../", so the path can lead anywhere: every deny and
// ask rule may match it, and only a rule that does not care where surely does. A
// glob stays in its directory.
func (s *Set) PathMay(path string) PathHits {
	if !hasMarks(path) {
		return s.Path(path)
	}
	return s.search(newMarkedPath(path))
}

// Below is what rules say about everything below a directory, for programs that
// work on whole trees (`rm -r`, `grep -r`). Deny and Ask are rules that could match
// something there, with DenyMatch and AskMatch Yes when they match all of it;
// Allow is a rule that matches all of it. The directory itself is not part of
// it. The path may hold marks.
func (s *Set) Below(path string) PathHits { return s.search(below(path)) }

// BelowVisible is [Set.Below] for programs that pass over what starts with a dot.
// Such a rule still holds where it matches all there is.
func (s *Set) BelowVisible(path string) PathHits {
	m := below(path)
	m.visible = true
	return s.search(m)
}

// BelowPicked is [Set.BelowVisible] for programs that also read what starts with a
// dot where one of their patterns fits it, as rg -g does.
func (s *Set) BelowPicked(path string, patterns []string) PathHits {
	m := below(path)
	m.visible, m.picks = true, patterns
	return s.search(m)
}

func below(path string) *markedPath {
	m := newMarkedPath(path)
	m.below = true
	m.known += "/" + unknownName
	return m
}

// unknownName stands for a name of which nothing is known.
const unknownName = "\xff"

// markedPath is a path of which parts are not known.
type markedPath struct {
	path string // "" for the root
	head int    // how much of it stands before the first mark
	// adrift: the path can lead anywhere.
	adrift bool
	// known is the part that decides what is sure: the path, or if it is adrift
	// the components it ends in, whatever is above them.
	known string
	below bool // everything below the path is meant, not the path
	// visible: what starts with a dot is passed over, unless one of the patterns
	// picks it.
	visible bool
	picks   []string
}

func newMarkedPath(path string) *markedPath {
	end := driftEnd(path)
	switch {
	case end > 0:
		return &markedPath{path: path, adrift: true, known: knownTail(path[end:])}
	case !strings.HasPrefix(path, "/"):
		return nowhere()
	case path == "/":
		return &markedPath{}
	}
	head := 0
	for head < len(path) && !marked(path[head]) {
		head++
	}
	return &markedPath{path: path, head: head, known: path}
}

// nowhere is a path that is not absolute, which a caller should not ask about: it
// could be anywhere.
func nowhere() *markedPath { return &markedPath{adrift: true} }

// driftEnd is where the part of a path ends that could climb out of its
// directory: behind the last unknown run, or glob that could be "..". It is zero
// when there is none.
func driftEnd(path string) int {
	known := strings.LastIndexByte(path, shell.Unknown) + 1
	for start := 0; start < len(path); {
		stop := nextSlash(path, start)
		if climbs(path[start:stop]) {
			known = max(known, stop)
		}
		start = stop + 1
	}
	return known
}

// climbs reports whether a component with globs can be "." or "..", as `.*` is
// for older shells.
func climbs(name string) bool {
	return strings.IndexByte(name, shell.Glob) > 0 && onlyDots(name)
}

// onlyDots reports whether a name can consist of dots, given that a glob at its
// start finds none.
func onlyDots(name string) bool {
	return madeOf(name, '.', shell.Glob)
}

// knownTail is the components that a path ends in, given what follows its last
// unknown run. When that run ends within a name, the name keeps a mark.
func knownTail(rest string) string {
	if rest == "" || rest[0] == '/' {
		return rest
	}
	name := rest[:nextSlash(rest, 0)]
	if onlyDots(name) {
		return rest[len(name):]
	}
	return "/" + unknownName + rest
}

// search tries all rules: the index is of no use where the path is not known.
func (s *Set) search(m *markedPath) PathHits {
	var sure, possible pathFirsts
	paths := s.pathRules()
	for i := range paths.entries {
		e := &paths.entries[i]
		switch {
		case sure.wants(e) && m.surely(e):
			sure.put(e)
		case e.behavior != Allow && possible.wants(e) && m.possibly(e):
			possible.put(e)
		}
	}
	return s.pathHits(&sure, &possible)
}

func (m *markedPath) surely(e *pathEntry) bool {
	if !m.adrift { // no mark equals a byte of the base
		return inside(m.known, e.base) && e.alignBelow(m.known[len(e.base):], e.anyDepth, opaque) == matched
	}
	anywhere := e.base == "" && (e.anyDepth || len(e.parts) == 0)
	return anywhere && e.alignBelow(m.known, e.anyDepth, opaque) == matched
}

func (m *markedPath) possibly(e *pathEntry) bool {
	switch {
	case m.adrift:
		return true
	case !m.headsAgree(e.base):
		return false
	}
	got := e.align(m.path, some)
	return got == matched || got == short && m.below && !(m.visible && m.hides(e))
}

// headsAgree compares the directory of a rule with what stands before the first mark: the cheap
// reason for most rules to be out of the question.
func (m *markedPath) headsAgree(base string) bool {
	n := min(len(base), m.head)
	return base[:n] == m.path[:n]
}

// hides: what the rule is about below the path lies behind a name that starts with
// a dot and is passed over.
func (m *markedPath) hides(e *pathEntry) bool {
	if len(e.base) > len(m.path) {
		for name := range strings.SplitSeq(e.base[len(m.path):], "/") {
			if m.passesOver(name) {
				return true
			}
		}
	}
	for _, p := range e.parts {
		if p.kind == literalPart && m.passesOver(p.text) {
			return true
		}
	}
	return false
}

func (m *markedPath) passesOver(name string) bool {
	if !strings.HasPrefix(name, ".") {
		return false
	}
	for _, pattern := range m.picks {
		if picks(pattern, name) {
			return false
		}
	}
	return true
}
