package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Bounded answers one question: which files can the words name that are only known when
// the script runs? It gives a script for each value that a variable of the script takes.
// In these a word that the script itself settles is what it says, with Glob for a number
// or one of several names; a word that is Listed stands for names that a listing has
// printed; a word that is Loose may be anything. The places of words are those of the
// script.
//
// It is exact where folding only guesses, so that a word which is not Loose can be
// relied on. A script without variables has been read for it already; others are walked
// once more for each value.
func (s *Script) Bounded() []*Script {
	switch {
	case s.settled:
		return []*Script{s.settledFirst()}
	case s.second != nil:
		s.second.once.Do(func() { s.second.readings = s.readAgain() })
		return s.second.readings
	}
	return s.readAgain()
}

// secondReading are the scripts of Bounded where more than one question needs them.
type secondReading struct {
	once     sync.Once
	readings []*Script
	indexed  sync.Once
	own      map[Span][]wordPlace   // where the words of the script are that it does not spell
	words    []map[Span][]wordPlace // where the words of each reading are
}

// wordPlace is a word of a command.
type wordPlace struct{ command, word int }

// index is done once, before own and words are used.
func (r *secondReading) index(s *Script, readings []*Script) {
	r.indexed.Do(func() {
		r.own = s.wordPlaces(func(word *Word) bool { return strings.IndexByte(word.Text, Unknown) >= 0 })
		for _, reading := range readings {
			r.words = append(r.words, reading.wordPlaces(func(*Word) bool { return true }))
		}
	})
}

// wordPlaces says which words stand at each place of the source.
func (s *Script) wordPlaces(counts func(word *Word) bool) map[Span][]wordPlace {
	words := make(map[Span][]wordPlace, len(s.Commands))
	for i := range s.Commands {
		for k := range s.Commands[i].Words {
			if word := &s.Commands[i].Words[k]; counts(word) {
				words[word.Span] = append(words[word.Span], wordPlace{i, k})
			}
		}
	}
	return words
}

func (s *Script) readAgain() []*Script {
	if s.Problem != nil && len(s.Commands) == 0 {
		return nil // it was refused, and must not reach the parser
	}
	stmts := s.stmts
	kept := stmts != nil
	if !kept {
		var problem *Problem
		if stmts, problem = read(s.Source); problem != nil {
			return nil
		}
	}
	b := newBounds(s.Source, stmts, s.language)
	b.patterns = s.patterns
	if kept && b.braces {
		kept = false
		stmts, _ = read(s.Source)
		b = newBounds(s.Source, stmts, s.language)
		b.patterns = s.patterns
	}
	if b.lost || b.loose["IFS"] || b.assigned["IFS"] != nil {
		return nil // where words fall apart is another question
	}
	commands := 0
	for i := range s.Commands {
		if s.Commands[i].Link != Guess {
			commands++
		}
	}
	b.passes = newPasses(commands)
	all := s.readAll(b, stmts, kept)
	if all != nil && b.passes.again() {
		b.passes.joined = true
		all = s.readAll(b, stmts, kept)
	}
	return all
}

// readAll is one round of passes over the script; kept: the tree can be used again.
func (s *Script) readAll(b *bounds, stmts []*syntax.Stmt, kept bool) []*Script {
	var all []*Script
	for pass := 0; pass < b.passes.needed; pass++ {
		if !kept && strings.IndexByte(s.Source, '{') >= 0 {
			stmts, _ = read(s.Source) // braces are split in place
		}
		script := &Script{Source: s.Source, language: s.language, Commands: make([]Command, 0, len(s.Commands)), patterns: s.patterns, bounded: true}
		w := walker{s: script, parent: -1, folding: true, pass: pass, passes: &b.passes, work: b.work, bound: b, changed: make([]bool, 0, len(s.Commands))}
		w.whole(stmts)
		if b.work = w.work; w.exhausted() {
			return nil // a part of the values says nothing about the others
		}
		found := accessList{all: make([]Access, 0, len(s.accesses))}
		found.of(script)
		script.accesses, script.listings = found.all, b.listings
		all = append(all, script)
	}
	return all
}

// Listing is where the names lie that a listing prints: below these directories, as
// seen from where they are used.
func (s *Script) Listing(n uint8) []string {
	switch {
	case s.settled:
		return s.listedFirst(n)
	case n == 0 || int(n) > len(s.listings):
		return nil
	}
	return s.listings[n-1]
}

func newBounds(src string, stmts []*syntax.Stmt, language Language) *bounds {
	b := &bounds{language: language}
	b.collect(src, stmts)
	return b
}

// bounds is what a second reading knows about the values of variables.
type bounds struct {
	assigned map[string][]assigned
	// loose variables get values that nobody knows.
	loose map[string]bool
	all   bool // every variable is
	// redefined names no longer mean the program of that name; any: all may be.
	redefined map[string]bool
	anyName   bool
	braces    bool // in the value of one, which is split in place
	moves     bool // the script changes the directory
	options   bool // it may change the options of the shell
	classes   map[string]*class
	listings  [][]string
	passes    passes
	language  Language
	patterns  patternOptions
	lost      bool // there is too much to look at
	work      int  // of the walkers, see affords
}

// classKind says how much is known about a value.
type classKind uint8

const (
	looseValue  classKind = iota // it may be anything
	exactValue                   // one value
	nameValue                    // one of several names in a directory, or a number
	wildValue                    // one of several values, which take turns
	listedValue                  // a name that a listing prints
)

type class struct {
	kind    classKind
	values  []string // exactValue, wildValue
	listing uint8    // listedValue
	nul     bool     // listedValue: each name ends in a NUL
	empty   bool     // nameValue: there may be nothing
	names   bool     // nameValue: one of several names, no number
	signed  bool     // it begins with a number that may be negative
	far     bool     // nameValue: it may hold more than the name of a file
	blank   bool     // nameValue: it may fall apart
}

var looseClass = &class{}

// param is the class of an expansion.
func (b *bounds) param(w *walker, p *syntax.ParamExp) *class {
	switch {
	case w.span != nil || p.Param == nil:
		return looseClass
	case numericParam(p) && (p.Length || p.Param.Value != "!" && !b.loose[p.Param.Value] && b.assigned[p.Param.Value] == nil):
		return &class{kind: nameValue}
	case p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Excl || p.Length || p.Names != 0:
		return looseClass
	}
	name := p.Param.Value
	if name == "PWD" && b.assigned[name] == nil && !b.loose[name] {
		return &class{kind: exactValue, values: []string{"."}}
	}
	if !b.surely(name, offset(p.Pos())) {
		return looseClass
	}
	return b.variable(w, name)
}

// gives: the script may give the variable a value.
func (b *bounds) gives(name string) bool {
	return b.all || b.loose[name] || b.assigned[name] != nil
}

// movesHome: the script itself gives HOME a value.
func (b *bounds) movesHome() bool {
	return b.assigned["HOME"] != nil || b.loose["HOME"]
}

// surely: where it is used the variable has got its value from the script.
func (b *bounds) surely(name string, at int32) bool {
	if ofShell(name) {
		return false
	}
	for _, a := range b.assigned[name] {
		if a.at < at && at < a.until {
			return true
		}
	}
	return false
}

// variable is the class of all values that a variable gets.
func (b *bounds) variable(w *walker, name string) *class {
	if known, ok := b.classes[name]; ok {
		return known
	}
	if b.classes == nil {
		b.classes = make(map[string]*class)
	}
	b.classes[name] = looseClass // for one that depends on itself
	if !b.loose[name] && !b.all {
		b.classes[name] = b.united(w, b.assigned[name])
	}
	return b.classes[name]
}

func (b *bounds) united(w *walker, all []assigned) *class {
	var values []string
	names, named, signed, number := true, false, false, noNumber
	for _, a := range all {
		for _, value := range a.values(w, b) {
			switch {
			case value.Loose || value.Listed > 0 && len(all) > 1:
				return looseClass
			case value.Listed > 0:
				if len(a.words) > 1 || value.Text != unknownMark {
					return looseClass
				}
				return &class{kind: listedValue, listing: value.Listed}
			}
			if value.Empty {
				if len(all) > 1 || len(a.words) > 1 || value.Text != globMark {
					return looseClass
				}
				return &class{kind: nameValue, empty: true, names: value.Named, signed: value.state == signedNumber}
			}
			if number = value.state; number == severalNames {
				number = noNumber
			}
			named, signed = named || value.Named, signed || value.state == signedNumber
			if len(value.Text) > maxValue {
				return looseClass
			}
			names = names && isPlainName(value.Text)
			values = append(values, value.Text)
		}
	}
	switch {
	case len(values) == 0:
		return looseClass
	case len(values) == 1 && values[0] == globMark && (named || number != noNumber):
		return &class{kind: nameValue, names: named, signed: signed}
	case len(values) == 1:
		return &class{kind: exactValue, values: values, signed: signed}
	case names:
		return &class{kind: nameValue, signed: signed, names: named || slices.ContainsFunc(values, func(value string) bool { return !isDecimal(value) && value != globMark })}
	case len(values) > maxFolds:
		return looseClass
	}
	return &class{kind: wildValue, values: values, signed: signed}
}

// isPlainName: a name in a directory, which a pattern would find, and no half of a bracket
// expression.
func isPlainName(text string) bool {
	return text != "" && text[0] != '.' && text[0] != '~' && text[0] != '-' && !strings.ContainsAny(text, "/ \t\n[]\\") && strings.IndexByte(text, Unknown) < 0
}

// value is the value of an expansion that is known in this pass. A pattern in the value
// would be expanded, and names that it finds are not looked for.
func (c *class) value(w *walker, p *syntax.ParamExp) (string, bool) {
	n, all := 0, true
	switch c.kind {
	case exactValue:
	case wildValue:
		n, all = w.choose(p.Param.Value, chosenValue, len(c.values))
	case looseValue, nameValue, listedValue:
		return "", false
	}
	return c.values[n], all && !strings.ContainsAny(c.values[n], `*?[\`)
}

// settled: the second reading has something to say about the part. A process
// substitution is what it always is, and so is the home directory.
func (b *builder) settled(part syntax.WordPart, first bool) bool {
	switch part := part.(type) {
	case *syntax.ParamExp:
		return !first || !plainHome(part) || b.w.bound.movesHome()
	case *syntax.CmdSubst, *syntax.ArithmExp:
		return true
	}
	return false
}

// bounded reads an expansion in a second reading.
func (b *builder) bounded(part syntax.WordPart, quoted bool) {
	switch part := part.(type) {
	case *syntax.ParamExp:
		c := b.w.bound.param(b.w, part)
		if value, ok := c.value(b.w, part); ok && b.takes(value) {
			b.sign(c)
			if value == "." {
				b.stands(part.Param.Value == "PWD")
			}
			glob := strings.IndexByte(value, Glob) >= 0
			b.named = b.named || glob
			if !quoted && glob {
				b.split = true
				b.loose = b.loose || len(b.buf) > 0 // the names that may fall apart lie elsewhere
			}
			b.buf = append(b.buf, value...)
			return
		}
		b.unsettled(c, quoted)
	case *syntax.CmdSubst:
		b.w.substituted(part)
		c := b.w.bound.output(b.w, part.Stmts)
		if c.nul {
			c = looseClass
		}
		b.unsettled(c, quoted)
	case *syntax.ArithmExp:
		b.w.arithmetic(part.X)
		b.unsettled(&class{kind: nameValue, signed: true}, true)
	default:
		b.unsettled(looseClass, quoted)
	}
}

// stands notes that the name of a directory follows which is written as ".": what stands
// before or behind it makes another name of it, unless that is a "/". It may be the
// working directory.
func (b *builder) stands(working bool) {
	n := len(b.buf)
	b.loose = b.loose || b.dot > 0 || n > 0 && b.buf[n-1] != '='
	b.dot = n + 1
	b.w.working = b.w.working || working
}

// sign notes that the word begins with a number, and whether that may be negative.
func (b *builder) sign(c *class) {
	switch {
	case len(b.buf) > 0:
	case c.signed:
		b.state = signedNumber
	case c.kind == nameValue && !c.names:
		b.state = plainNumber
	}
}

func (b *builder) unsettled(c *class, quoted bool) {
	switch c.kind {
	case nameValue:
		b.loose = b.loose || c.far
		if c.blank && !quoted {
			break
		}
		b.sign(c)
		b.mark(Glob)
		b.empty, b.named = b.empty || c.empty, b.named || c.names
		b.split = b.split || c.empty && !quoted
		return
	case listedValue:
		b.loose = b.loose || b.listed > 0
		b.listed = c.listing
	case exactValue:
		if c.values[0] == "." { // $(pwd)
			b.stands(true)
			b.buf = append(b.buf, '.')
			return
		}
		b.loose = true
	case looseValue, wildValue:
		b.loose = true
	}
	b.mark(Unknown)
	b.split = b.split || !quoted
}

// settles says whether a word keeps what the listing promises: the names stay below
// their directory.
func settles(text string) bool {
	at := strings.IndexByte(text, Unknown)
	if at < 0 {
		return false
	}
	before, after := text[:at], text[at+1:]
	switch {
	case before != "" && before[len(before)-1] != '/':
		return false
	case before == "" && strings.HasPrefix(after, "/"): // the name may be empty
		return false
	}
	first := true // "." is among the names, and with another it is ".."
	for name := range strings.SplitSeq(after, "/") {
		if (first && name != "" || len(name) > 1 && name[0] == '.') && onlyMarks(strings.Trim(name, ".")) {
			return false
		}
		first = false
	}
	return strings.IndexByte(after, Unknown) < 0 && !strings.Contains(after, "..")
}
