package rule

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// pathEntry is a compiled path rule.
type pathEntry struct {
	base     string // absolute directory without a final slash; "" is the root
	parts    []part // what must follow
	rule     int32
	next     int32 // the next entry under the same key of the index
	kind     Kind
	behavior Behavior
	anyDepth bool
	dirOnly  bool
	// whole: the path must end with the pattern, because the rule allows and a
	// person who writes Edit(/src/*) means the files there, not every tree below.
	whole bool
}

// reading says how a path is to be read.
type reading uint8

const (
	plain  reading = iota // every byte is itself
	opaque                // marks are swallowed by stars only: true for every value
	some                  // true for some value of the marks
)

// alignment is how far a path goes with a pattern.
type alignment uint8

const (
	differs alignment = iota
	// short: the path ends before the pattern does, so something below it could
	// match.
	short
	matched
)

// align compares a whole path, "/a/b" or "", with the rule.
func (e *pathEntry) align(path string, how reading) alignment {
	base := e.base
	for base != "" {
		if path == "" {
			return short
		}
		var want, name string
		want, base = cutComponent(base)
		name, path = cutComponent(path)
		if !(part{text: want}).match(name, how) {
			return differs
		}
	}
	return e.alignBelow(path, e.anyDepth, how)
}

// alignBelow compares what is left of a path behind the base.
func (e *pathEntry) alignBelow(rest string, anyDepth bool, how reading) alignment {
	got := e.alignParts(rest, anyDepth, how)
	if !e.dirOnly || got != matched {
		return got
	}
	// Only what has something below it is known to be a directory.
	if rest == "" {
		return short
	}
	above := rest[:strings.LastIndexByte(rest, '/')]
	return max(short, e.alignParts(above, anyDepth, how))
}

// alignParts aligns components; the pattern may end before the path does, because
// what it matches covers everything below, unless the entry is for whole paths. Only the last spanning star is ever
// tried again, so the number of comparisons is at most the product of the two.
func (e *pathEntry) alignParts(rest string, anyDepth bool, how reading) alignment {
	parts := e.parts
	i, span, from := 0, -1, ""
	if anyDepth {
		span, from = 0, rest
	}
	for {
		switch {
		case i == len(parts) && (rest == "" || !e.whole):
			return matched
		case i < len(parts) && parts[i].kind == spanPart:
			i++
			span, from = i, rest
			continue
		case rest == "":
			return short
		}
		name, after := cutComponent(rest)
		if i < len(parts) && parts[i].match(name, how) {
			i, rest = i+1, after
			continue
		}
		if span < 0 {
			return differs
		}
		_, from = cutComponent(from)
		i, rest = span, from
	}
}

// cutComponent takes the first component from "/a/b".
func cutComponent(rest string) (name, after string) {
	rest = rest[1:]
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

func (p part) match(name string, how reading) bool {
	switch {
	case p.kind == anyPart:
		return true
	case how == some && hasMarks(name):
		return p.may(name)
	case p.kind == literalPart:
		return p.text == name
	case p.kind == suffixPart:
		return strings.HasSuffix(name, p.text)
	}
	return matchName(p.text, name, how == opaque)
}

// may reports whether some value of the globs in the name makes it match.
func (p part) may(name string) bool {
	switch p.kind {
	case literalPart:
		return endsAgree(p.text, name) && globFinds(name, p.text)
	case suffixPart: // the last glob may be any name with what is missing behind it
		known := name[strings.LastIndexByte(name, shell.Glob)+1:]
		return strings.HasSuffix(known, p.text) || strings.HasSuffix(p.text, known)
	case anyPart, spanPart, wildcardPart:
	}
	if !startsAgree(p.text, name) {
		return false
	}
	var a automaton
	a.reset(len(p.text))
	a.glob(p.text)
	a.accept()
	return a.meetsName(name)
}

// startsAgree compares what stands before the first wildcard of a pattern with what stands before
// the first glob of a name.
func startsAgree(pattern, name string) bool {
	for i := range min(len(pattern), len(name)) {
		switch {
		case special(pattern[i]) || name[i] == shell.Glob:
			return true
		case pattern[i] != name[i]:
			return false
		}
	}
	return true
}

// special reports whether a byte of a pattern may be more than itself.
func special(b byte) bool { return b == '*' || b == '?' || b == '[' || b == '\\' }

// endsAgree compares a literal text with what is known of a name on both sides of
// its globs: the cheap reason for most rules to be out of the question.
func endsAgree(text, name string) bool {
	known := name[strings.LastIndexByte(name, shell.Glob)+1:]
	return strings.HasSuffix(text, known) && headsAgree(text, name)
}

// globFinds reports whether the globs in a name may stand for what makes it this text. One at the
// start finds no name that starts with a dot, but it may be nothing.
func globFinds(name, text string) bool {
	if name[0] == shell.Glob && strings.HasPrefix(text, ".") {
		name = name[1:]
	}
	n, t := 0, 0
	glob, tried := -1, 0
	for t < len(text) {
		switch {
		case n < len(name) && name[n] == shell.Glob:
			glob, tried = n, t
			n++
		case n < len(name) && name[n] == text[t]:
			n++
			t++
		case glob >= 0: // the last glob takes one more byte
			tried++
			n, t = glob+1, tried
		default:
			return false
		}
	}
	for n < len(name) && name[n] == shell.Glob {
		n++
	}
	return n == len(name)
}

// glob appends the tokens of a component with wildcards.
func (a *automaton) glob(pattern string) {
	for p := 0; p < len(pattern); {
		if pattern[p] == '*' {
			a.star()
			p++
			continue
		}
		if !special(pattern[p]) {
			a.text(pattern[p : p+1])
			p++
			continue
		}
		next := p
		for b := range 256 {
			end, ok := readsByte(pattern, p, byte(b))
			if next = end; ok {
				a.reading(byte(b))
			}
		}
		a.tokens++
		p = next
	}
}
