package rule

import (
	"strings"
	"sync"
	"sync/atomic"
)

// bashIndex finds the Bash rules of one behaviour by the literal words they start
// with. Rules with a star in their first word hang on no word at all and are
// always tried.
type bashIndex struct {
	entries []bashEntry // in list order
	// byWords has the first entry of each chain, and `end` for fewer words than
	// any rule hangs on: where words are missing, nothing starts with them.
	byWords map[string]int32
	byFirst map[string]int32 // by the first word only: for texts with marks
	always  int32            // the chain of rules that hang on no word
	starts  wordFilter       // the first words: most commands start with none of them

	looks   atomic.Int32
	once    sync.Once
	indexed atomic.Bool
}

// patience is how many texts are compared with every rule before the index is made.
// Making it costs as much as a dozen such scans, and a process that is started for
// one decision would never get that back.
const patience = 12

// ready makes the index when it pays.
func (x *bashIndex) ready() bool {
	if x.indexed.Load() {
		return true
	}
	if x.looks.Add(1) <= patience {
		return false
	}
	x.once.Do(func() {
		x.build()
		x.indexed.Store(true)
	})
	return true
}

// wordFilter says quickly that a word is surely not among some words.
type wordFilter [64]uint64

func (f *wordFilter) bit(word string) (int, uint64) {
	h := uint(len(word))
	if h > 0 {
		h += uint(word[0])*31 + uint(word[len(word)-1])*1021 + uint(word[len(word)/2])*257
	}
	return int(h / 64 % 64), 1 << (h % 64)
}

func (f *wordFilter) add(word string) {
	i, bit := f.bit(word)
	f[i] |= bit
}

func (f *wordFilter) mayHave(word string) bool {
	i, bit := f.bit(word)
	return f[i]&bit != 0
}

type bashEntry struct {
	commandPattern
	rule      int32
	next      int32 // the next entry with the same words
	nextFirst int32 // the next entry with the same first word
}

func (x *bashIndex) add(p commandPattern, rule int32) {
	x.entries = append(x.entries, bashEntry{commandPattern: p, rule: rule})
}

// build makes the chains, from the last entry to the first so that each is in
// list order.
func (x *bashIndex) build() {
	x.byWords = make(map[string]int32, len(x.entries))
	x.byFirst = make(map[string]int32)
	for i := len(x.entries) - 1; i >= 0; i-- {
		e := &x.entries[i]
		words := e.words()
		e.next = chain(x.byWords, words, int32(i))
		first := words[:wordEnd(words, 0)]
		e.nextFirst = chain(x.byFirst, first, int32(i))
		x.starts.add(first)
		x.announce(words)
	}
	x.always = x.takeAlways()
}

// takeAlways removes the rules that hang on no word from the map, but not their
// key: a text may start with a blank, so that its first word is empty.
func (x *bashIndex) takeAlways() int32 {
	head, ok := x.byWords[""]
	x.byWords[""] = end
	if !ok {
		return end
	}
	return head
}

// announce notes that there are rules which start with some of these words.
func (x *bashIndex) announce(words string) {
	for i := strings.LastIndexByte(words, ' '); i > 0; i = strings.LastIndexByte(words[:i], ' ') {
		if _, ok := x.byWords[words[:i]]; ok {
			return
		}
		x.byWords[words[:i]] = end
	}
}

// find is the first entry that matches for every value of the marks, or end.
func (x *bashIndex) find(text string) int32 {
	if len(x.entries) == 0 {
		return end
	}
	if !x.ready() {
		return x.firstOfAll(text)
	}
	best := x.firstIn(x.always, text, end)
	if !x.starts.mayHave(text[:wordEnd(text, 0)]) {
		return best
	}
	for at := 0; at <= len(text); at++ {
		at = wordEnd(text, at)
		head, ok := x.byWords[text[:at]]
		if !ok {
			break
		}
		best = x.firstIn(head, text, best)
	}
	return best
}

// mayStart reports whether find or findMay may find something for a text that starts
// with this word.
func (x *bashIndex) mayStart(word string) bool {
	if len(x.entries) == 0 {
		return false
	}
	if !x.indexed.Load() || x.starts.mayHave("") {
		return true
	}
	for i := range len(word) {
		if marked(word[i]) {
			return true
		}
		if word[i] == ' ' {
			word = word[:i]
			break
		}
	}
	return x.starts.mayHave(word)
}

// firstOfAll is find without the index.
func (x *bashIndex) firstOfAll(text string) int32 {
	for i := range x.entries {
		if x.entries[i].match(text) {
			return int32(i)
		}
	}
	return end
}

// firstIn is the first entry of a chain that matches, unless the one found so far
// comes before it.
func (x *bashIndex) firstIn(i int32, text string, best int32) int32 {
	for ; i != end && (best == end || i < best); i = x.entries[i].next {
		if x.entries[i].match(text) {
			return i
		}
	}
	return best
}

// findMay is the first entry that matches for some value of the marks, or end.
func (x *bashIndex) findMay(text string) int32 {
	var a automaton
	first := text[:wordEnd(text, 0)]
	if hasMarks(first) || !x.indexed.Load() {
		return x.scan(text, &a)
	}
	best := x.findMayUnder("", text, &a, end)
	return x.findMayUnder(first, text, &a, best)
}

func (x *bashIndex) scan(text string, a *automaton) int32 {
	for i := range x.entries {
		if x.entries[i].may(text, a) {
			return int32(i)
		}
	}
	return end
}

func (x *bashIndex) findMayUnder(first, text string, a *automaton, best int32) int32 {
	i, ok := x.byFirst[first]
	for ok && i != end && (best == end || i < best) {
		if x.entries[i].may(text, a) {
			return i
		}
		i = x.entries[i].nextFirst
	}
	return best
}
