package shell

import "strings"

// grammar says which options of a program take a value, so that a value is not
// taken for an operand. Names are separated by blanks, without their dashes: one
// letter is a short option, more letters a long one. A letter followed by "?"
// takes a value only when it is glued on, as in sed -i.bak. Letters come first.
type grammar struct {
	values string // no path
	reads  string // the path of a file that is read
	writes string // the path of a file that is written
	// single: long options are written with one dash too, and there are no
	// clusters (terraform, find, openssl).
	single bool
	// posix: the first operand ends the options.
	posix bool
}

// plainGrammar is for programs whose options take no values that matter.
var plainGrammar grammar

// arguments goes through the words of a command the way getopt does: clusters,
// glued values, long options with "=", operands between options, "--".
type arguments struct {
	words []Word
	g     *grammar

	// What next has found.
	at      int    // index of the word
	operand bool   // an operand; else an option
	name    string // of the option, without dashes
	long    bool   // the option is a long one
	value   string // of the option, or the text of the operand
	valueAt int    // index of the word that holds the value; 0 when there is none

	cluster string // letters of the current word that are still to be read
	ended   bool   // "--" was seen, or nothing is an option any more
	posix   bool   // the first operand ends the options
}

func (c *Command) arguments(g *grammar) arguments {
	return arguments{words: c.Words, g: g, posix: g.posix || c.posix}
}

// next finds the next option or operand.
func (a *arguments) next() bool {
	a.ended = a.ended || a.posix && a.operand
	a.valueAt, a.value, a.operand, a.long = 0, "", false, false
	if a.cluster != "" {
		a.short()
		return true
	}
	a.at++
	if a.at >= len(a.words) {
		return false
	}
	text := a.words[a.at].Text
	switch {
	case a.ended || len(text) < 2 || text[0] != '-':
		a.operand, a.value, a.valueAt = true, text, a.at
	case text == "--":
		a.ended = true
		return a.next()
	case text[1] == '-':
		a.longOption(text[2:])
	case a.g.single:
		a.longOption(text[1:])
	default:
		a.cluster = text[1:]
		a.short()
	}
	return true
}

func (a *arguments) longOption(text string) {
	a.long, a.name = true, text
	if eq := strings.IndexByte(text, '='); eq >= 0 {
		a.name, a.value, a.valueAt = text[:eq], text[eq+1:], a.at
		return
	}
	if a.g.single && !a.g.takesLong(text) && len(text) > 2 && pathLike(text[1:]) && letterIn(a.g.writes, text[0]) != valueNone { // gcc -oa.out
		a.name, a.value, a.valueAt = text[:1], text[1:], a.at
		return
	}
	if a.g.takesLong(a.name) || len(a.name) == 1 && a.g.takesShort(a.name[0]) == valueNeeded {
		a.valueFromNextWord()
	}
}

func (a *arguments) short() {
	a.name, a.cluster = a.cluster[:1], a.cluster[1:]
	switch a.g.takesShort(a.name[0]) {
	case valueNeeded:
		if a.cluster == "" {
			a.valueFromNextWord()
			return
		}
		a.value, a.valueAt, a.cluster = a.cluster, a.at, ""
	case valueGlued:
		if a.cluster != "" {
			a.value, a.valueAt, a.cluster = a.cluster, a.at, ""
		}
	case valueNone:
	}
}

// firstLetter reports whether the letter just found is the first one of its word: what holds for
// the rest of the word is asked once, and not at each letter again.
func (a *arguments) firstLetter() bool { return len(a.cluster) == len(a.words[a.at].Text)-2 }

func (a *arguments) valueFromNextWord() {
	if a.at+1 < len(a.words) {
		a.at++
		a.value, a.valueAt = a.words[a.at].Text, a.at
	}
}

// is reports whether the option just found is the one with this letter or this
// long name. Any beginning of the long name counts: the programs accept one that
// is unambiguous, and report the others as errors.
func (a *arguments) is(short byte, long string) bool {
	if a.operand {
		return false
	}
	if !a.long {
		return short != 0 && a.name[0] == short
	}
	if a.g.single && len(a.name) == 1 {
		return short != 0 && a.name[0] == short
	}
	return long != "" && a.name != "" && strings.HasPrefix(long, a.name)
}

// whole reports whether the value is a word of its own rather than glued to the
// option.
func (a *arguments) whole() bool {
	return a.operand || a.valueAt > 0 && a.value == a.words[a.valueAt].Text
}

type valueNeed uint8

const (
	valueNone valueNeed = iota
	valueGlued
	valueNeeded
)

func (g *grammar) takesShort(letter byte) valueNeed {
	return max(letterIn(g.values, letter), letterIn(g.reads, letter), letterIn(g.writes, letter))
}

func (g *grammar) takesLong(name string) bool {
	return longIn(g.values, name) || longIn(g.reads, name) || longIn(g.writes, name)
}

// letterIn looks for a one-letter name in a list of names.
func letterIn(list string, letter byte) valueNeed {
	for list != "" {
		need, rest := valueNeeded, list[1:]
		switch {
		case rest == "" || rest[0] == ' ':
		case rest[0] == '?':
			need, rest = valueGlued, rest[1:]
		default:
			return valueNone // only long names follow
		}
		if list[0] == letter {
			return need
		}
		list = strings.TrimPrefix(rest, " ")
	}
	return valueNone
}

// longIn looks for a long name that starts with name: an abbreviation.
func longIn(list, name string) bool {
	if name == "" || strings.IndexByte(name, ' ') >= 0 {
		return false
	}
	for from := 0; ; from++ {
		i := strings.Index(list[from:], name)
		if i < 0 {
			return false
		}
		from += i
		if from > 0 && list[from-1] != ' ' || from+1 == len(list) || list[from+1] == ' ' || list[from+1] == '?' {
			continue // the middle of a name, or one letter
		}
		if end := from + len(name); end == len(list) || list[end] != '-' { // --partial is not --partial-dir
			return true
		}
	}
}

// beginsIn reports whether a name of a list goes on with a dash behind name.
func beginsIn(list, name string) bool {
	return strings.HasPrefix(list, name+"-") || strings.Contains(list, " "+name+"-")
}

// has reports whether the command has an option, in any cluster or abbreviation.
func (c *Command) has(g *grammar, short byte, long string) bool {
	a := c.arguments(g)
	for a.next() {
		if a.is(short, long) {
			return true
		}
	}
	return false
}

// hasWord reports whether a word after the program is exactly this text.
func (c *Command) hasWord(text string) bool {
	for _, word := range c.Args() {
		if word.Text == text {
			return true
		}
	}
	return false
}

// onlyAsks reports whether the command does nothing but print help or its
// version. Only the first argument counts: a program that stops reading options at
// the first operand would act on that before it comes to a later --help.
func (c *Command) onlyAsks() bool {
	if len(c.Words) < 2 {
		return false
	}
	switch c.Words[1].Text {
	case "--help", "--version", "-help", "-version":
		return true
	}
	return false
}

// AsksForHelp reports whether the command only prints the help or the version of a
// program that is known.
func (c *Command) AsksForHelp() bool {
	if len(c.Words) != 2 || !c.onlyAsks() || c.Words[1].Text[1] != '-' {
		return false
	}
	known := c.knowledge()
	return len(known.danger.all) > 0 || known.spec != unlisted
}

// asksForHelp is onlyAsks for programs with subcommands, which look at all their
// options before they act.
func (c *Command) asksForHelp() bool {
	for _, word := range c.Args() {
		switch word.Text {
		case "--":
			return false
		case "--help", "-help":
			return true
		}
	}
	return len(c.Words) == 3 && c.Words[2].Text == "-h" || c.onlyAsks()
}
