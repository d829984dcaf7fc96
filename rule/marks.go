package rule

import (
	"bytes"
	"math/bits"
	"strings"

	"github.com/assent-dev/assent/shell"
)

func marked(b byte) bool { return b == shell.Unknown || b == shell.Glob }

func hasMarks(s string) bool {
	return strings.IndexByte(s, shell.Unknown) >= 0 || strings.IndexByte(s, shell.Glob) >= 0
}

// madeOf reports whether a text has no other bytes than these. The functions of
// package strings read runes and would take one mark for the other.
func madeOf(s string, these ...byte) bool {
	for i := range len(s) {
		if bytes.IndexByte(these, s[i]) < 0 {
			return false
		}
	}
	return true
}

// automaton tells whether a pattern and a marked text have an instance in
// common. State i means that the first i tokens of the pattern are read; all
// states advance together, 64 to a machine word, so the time is the length of the
// text times the words of the pattern, whatever the two look like.
//
// It is scratch: load a pattern, read a text, load the next one.
type automaton struct {
	tokens int
	words  int
	reads  []uint64 // [byte*words+word]: tokens that read the byte
	loop   set      // states behind a star: they read anything and stay
	final  set
	// Tokens that read some byte of a file name, and some first byte of one that a
	// glob would find.
	inName, firstInName set

	now, before, back, spare set

	readings int // of the text, with the pattern that is loaded
}

// set is a set of states.
type set []uint64

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

// join adds the states of t and reports whether that changed anything.
func (s set) join(t set) (grew bool) {
	for w := range s {
		grew = grew || t[w]&^s[w] != 0
		s[w] |= t[w]
	}
	return grew
}

func (s set) meets(t set) bool {
	for w := range s {
		if s[w]&t[w] != 0 {
			return true
		}
	}
	return false
}

// first is the smallest state, or -1.
func (s set) first() int {
	for w, word := range s {
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// reset empties the automaton and makes room for a number of tokens.
func (a *automaton) reset(tokens int) {
	a.tokens, a.words, a.readings = 0, tokens/64+1, 0
	a.reads = cleared(a.reads, 256*a.words)
	for _, s := range []*set{&a.loop, &a.final, &a.inName, &a.firstInName, &a.now, &a.before, &a.back, &a.spare} {
		*s = cleared(*s, a.words)
	}
}

func cleared(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// text appends one token for each byte.
func (a *automaton) text(literal string) {
	for i := range len(literal) {
		a.reading(literal[i])
		a.tokens++
	}
}

// reading lets the token that is being made read a byte.
func (a *automaton) reading(b byte) {
	set(a.reads[int(b)*a.words:]).add(a.tokens)
	if b == '/' {
		return
	}
	a.inName.add(a.tokens)
	if b != '.' {
		a.firstInName.add(a.tokens)
	}
}

func (a *automaton) star()   { a.loop.add(a.tokens) }
func (a *automaton) accept() { a.final.add(a.tokens) }

// step is the states after reading a byte, written to the set `to`, which may be
// `from` itself.
func (a *automaton) step(to, from set, b byte) {
	reads := a.reads[int(b)*a.words:]
	var carry uint64
	for w, states := range from {
		moved := states & reads[w]
		to[w] = moved<<1 | carry | states&a.loop[w]
		carry = moved >> 63
	}
}

// anything is the states after any text at all.
func (a *automaton) anything(s set) {
	first := s.first()
	if first < 0 {
		return
	}
	for i := first + 1; i <= a.tokens; i++ {
		s.add(i)
	}
}

// name is the states after what a glob expands to: any text without a slash. At
// the start of a file name its first byte is no dot.
func (a *automaton) name(s set, start bool) {
	if start {
		a.nameStart(s)
		return
	}
	for i := range a.tokens {
		if s.has(i) && a.inName.has(i) {
			s.add(i + 1)
		}
	}
}

func (a *automaton) nameStart(s set) {
	begun := a.spare
	clear(begun)
	for i := range a.tokens + 1 {
		if s.has(i) && a.loop.has(i) {
			begun.add(i)
		}
		if i < a.tokens && s.has(i) && a.firstInName.has(i) {
			begun.add(i + 1)
		}
	}
	a.name(begun, false)
	s.join(begun)
}

// meetsName reads one component of a path, in which only globs are unknown.
func (a *automaton) meetsName(name string) bool {
	a.now.add(0)
	for i := range len(name) {
		if name[i] == shell.Glob {
			a.name(a.now, i == 0)
		} else {
			a.step(a.now, a.now, name[i])
		}
	}
	return a.now.meets(a.final)
}
