package rule

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// bashIndex finds the Bash rules of one behaviour by the literal words they start
// with. Rules with a star in their first word hang on no word at all and are
// always tried.
type bashIndex struct {
	store    *store
	behavior Behavior
	present  bool // there is such a rule
	patient

	// What follows is made with the index.
	entries []bashEntry // in list order
	// byWords has the first entry of each chain, and `end` for fewer words than
	// any rule hangs on: where words are missing, nothing starts with them.
	byWords map[string]int32
	byFirst map[string]int32 // by the first word only: for texts with marks
	always  int32            // the chain of rules that hang on no word
	starts  wordFilter       // the first words: most commands start with none of them
	letters shell.Letters    // the characters that those begin with
	anyword bool             // a rule hangs on no word
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

// build makes the chains, from the last entry to the first so that each is in
// list order.
func (x *bashIndex) build() {
	n := 0
	for range x.store.commands(x.behavior) {
		n++
	}
	x.entries = make([]bashEntry, 0, n)
	for rule, content := range x.store.commands(x.behavior) {
		x.entries = append(x.entries, bashEntry{commandPattern: parseCommand(content), rule: rule})
	}
	x.byWords = make(map[string]int32, len(x.entries))
	x.byFirst = make(map[string]int32)
	for i := len(x.entries) - 1; i >= 0; i-- {
		e := &x.entries[i]
		words := e.words()
		e.next = chain(x.byWords, words, int32(i))
		first := words[:wordEnd(words, 0)]
		e.nextFirst = chain(x.byFirst, first, int32(i))
		x.starts.add(first)
		if x.anyword = x.anyword || first == ""; first != "" {
			x.letters[first[0]/64] |= 1 << (first[0] % 64)
		}
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

// find is the first rule that matches for every value of the marks, or end.
func (x *bashIndex) find(text string, work *int) int32 {
	if !x.present {
		return end
	}
	if !x.indexed.Load() && !x.pays(x.build) {
		return x.firstOfAll(text, work)
	}
	best := x.firstIn(x.always, text, end, work)
	if !x.starts.mayHave(text[:wordEnd(text, 0)]) {
		return x.rule(best)
	}
	for at := 0; at <= len(text); at++ {
		at = wordEnd(text, at)
		head, ok := x.byWords[text[:at]]
		if !ok {
			break
		}
		best = x.firstIn(head, text, best, work)
	}
	return x.rule(best)
}

// rule is the number of the rule behind an entry.
func (x *bashIndex) rule(entry int32) int32 {
	if entry == end {
		return end
	}
	return x.entries[entry].rule
}

// mayStart reports whether find or findMay may find something for a text that starts
// with this word.
func (x *bashIndex) mayStart(word string) bool {
	if !x.present {
		return false
	}
	if !x.indexed.Load() || x.anyword {
		return true
	}
	for i := range len(word) {
		if marked(word[i]) {
			return true
		}
		if i == 0 && !x.letters.Has(word[0]) {
			return false
		}
		if word[i] == ' ' {
			word = word[:i]
			break
		}
	}
	return x.starts.mayHave(word)
}

// startsOne is a closer look where mayStart is true.
func (x *bashIndex) startsOne(word string) bool {
	if !x.indexed.Load() && !x.pays(x.build) {
		return x.startsAny(word)
	}
	first := word[:wordEnd(word, 0)]
	if _, hangs := x.byFirst[first]; hangs || hasMarks(first) {
		return true
	}
	for i := x.always; i != end; i = x.entries[i].next {
		if strings.HasPrefix(first, x.entries[i].head) {
			return true
		}
	}
	return false
}

// startsAny is startsOne without the index.
func (x *bashIndex) startsAny(word string) bool {
	first := word[:wordEnd(word, 0)]
	marks := hasMarks(first)
	for _, content := range x.store.commands(x.behavior) {
		if !marks && first != "" && !mayStartWith(content, first) {
			continue
		}
		p := parseCommand(content)
		words := p.words()
		switch hangs := words[:wordEnd(words, 0)]; {
		case hangs == "" && (marks || first == "" || strings.HasPrefix(first, p.head)):
			return true
		case hangs == "":
		case marks && (marked(first[0]) || first[0] == hangs[0]), hangs == first:
			return true
		}
	}
	return false
}

// firstOfAll is find without the index.
func (x *bashIndex) firstOfAll(text string, work *int) int32 {
	for rule, content := range x.store.commands(x.behavior) {
		if !mayStartWith(content, text) {
			continue
		}
		*work += matching(text)
		if p := parseCommand(content); p.match(text) {
			return rule
		}
	}
	return end
}

// mayStartWith is the cheap reason for most rules to be out of the question: the
// content starts with other literal characters than the text.
func mayStartWith(content, text string) bool {
	for i := range len(content) {
		c := content[i]
		switch {
		case c == '*' || c == '\\' || c == ':' || isBlank(c):
			return true // what it means takes a closer look
		case i == len(text):
			return false
		case marked(text[i]):
			return true
		case c != text[i]:
			return false
		}
	}
	return true
}

// matching is the work of comparing a text without marks with one rule.
func matching(text string) int { return 1 + len(text)/1024 }

// firstIn is the first entry of a chain that matches, unless the one found so far
// comes before it.
func (x *bashIndex) firstIn(i int32, text string, best int32, work *int) int32 {
	for ; i != end && (best == end || i < best); i = x.entries[i].next {
		*work += matching(text)
		if x.entries[i].match(text) {
			return i
		}
	}
	return best
}

// findMay is the first rule that matches for some value of the marks, or end.
func (x *bashIndex) findMay(text string, work *int) int32 {
	a := counted{work: *work}
	found := x.firstMay(text, &a)
	*work = a.work
	return found
}

func (x *bashIndex) firstMay(text string, a *counted) int32 {
	first := text[:wordEnd(text, 0)]
	if hasMarks(first) || !x.indexed.Load() {
		return x.scan(text, a)
	}
	best := x.findMayUnder("", text, a, end)
	return x.rule(x.findMayUnder(first, text, a, best))
}

func (x *bashIndex) scan(text string, a *counted) int32 {
	for rule, content := range x.store.commands(x.behavior) {
		if !mayStartWith(content, text) {
			continue
		}
		if p := parseCommand(content); p.may(text, a) {
			return rule
		}
	}
	return end
}

func (x *bashIndex) findMayUnder(first, text string, a *counted, best int32) int32 {
	i, ok := x.byFirst[first]
	for ok && i != end && (best == end || i < best) {
		if x.entries[i].may(text, a) {
			return i
		}
		i = x.entries[i].nextFirst
	}
	return best
}
