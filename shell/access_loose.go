package shell

import (
	"iter"
	"strings"
)

// The tables say what most words of a program are. A word of which they say nothing may name a
// file that the program writes or reads, whole or in a part: -Wl,-Map,x, png:x, --format=file=x.
// Unless the program is known to only read, each name in such a word counts.

// looseWord is a word of which the tables do not say what it is.
type looseWord struct {
	at int
	// statement: the word is text in a language that the program reads, with names in it.
	statement bool
}

// looseWords are those of the command with such a text. told are the accesses that the tables have
// found.
func (c *Command) looseWords(known *knowledge, told []Access, such func(text string) bool) iter.Seq[looseWord] {
	return func(yield func(looseWord) bool) {
		words := c.ownWords(known)
		if len(words) < 2 || known.wrapper == nil && !known.spec.leavesOpen() {
			return
		}
		var explained []bool
		for at := 1; at < len(words) && words[at].Text != "--"; at++ {
			text := words[at].Text
			if harmlessText(text) || !such(text) {
				continue
			}
			if explained == nil {
				if known.wrapper == nil && c.doubt().Text == "" { // it only reads
					return
				}
				explained = c.explained(known, told)
			}
			if explained[at] || known.spec.passesOver(words, at) || known.wrapper != nil && (isAssignment(text) && listed("env genv sudo doas", c.Program()) || namesDirectory(words, at)) {
				continue
			}
			statement := strings.ContainsAny(text, " \t\n")
			if statement && (known.spec != unlisted || !codeOptions.has(words[at-1].Text)) {
				continue // prose, or judged as what it is
			}
			if !yield(looseWord{at, statement}) {
				return
			}
		}
	}
}

// codeOptions are those behind which programs take a text in a language of their own.
var codeOptions = wordSet{list: "-e -c -x -r -E -ex -eval -Command -command --eval --execute --exec --command --expr --expression --query --run"}

// ownWords are the words without the command that the program runs.
func (c *Command) ownWords(known *knowledge) []Word {
	switch words := c.Words; {
	case known.wrapper == nil:
		return words
	case known.wrapper == &loose:
		return words[:looseEnd(words)]
	default:
		start, ok := known.wrapper.start(words, nil)
		if !ok {
			for start = 1; start < len(words) && isOption(words[start].Text); start++ {
			}
		}
		return words[:start]
	}
}

// namesDirectory: the word says in which directory a program runs another.
func namesDirectory(words []Word, at int) bool {
	if _, ok := directoryOption(words[at:]); ok {
		return true
	}
	_, ok := directoryOption(words[at-1 : at+1])
	return ok && isOption(words[at-1].Text) && !strings.Contains(words[at-1].Text, "=")
}

// leavesOpen reports whether words of such a program may name files in ways that the tables do
// not know. Others have a syntax of their own, which is judged elsewhere, or take no names.
func (s *spec) leavesOpen() bool {
	switch s.operands {
	case testOperands, finder, versionControl:
		return false
	case noPaths:
		return s.writes != ""
	default:
		return true
	}
}

// passesOver: the word is text, the name of a file elsewhere, or says what is left alone.
func (s *spec) passesOver(words []Word, at int) bool {
	text, before := words[at].Text, words[at-1].Text
	if isOption(text) {
		name, _, _ := strings.Cut(text, "=")
		return leavesOut(name) || name == "--git-dir" || s.operands == extractor && strings.HasPrefix(text, "-x")
	}
	if isOption(before) && leavesOut(before) {
		return true
	}
	switch s.operands {
	case noPaths, textFirst, twoValued, editInPlace, archiver, extractor:
		return true
	case remoteCopy, cloudCopy, container:
		return onOtherHost(text) && !hasFold(text, "file")
	case scriptFirst:
		return isShell(programOf(words))
	default:
		return false
	}
}

// explained are the words that the tables know: they have found a file, or the option says that
// the value is none. An operand behind an option that is not listed may be its value.
func (c *Command) explained(known *knowledge, told []Access) []bool {
	explained := make([]bool, len(c.Words))
	if known.wrapper != nil {
		return explained
	}
	named := make(map[Span]bool, len(told))
	for _, t := range told {
		if !t.Possible && t.Path != unknownMark {
			named[t.Span] = true
		}
	}
	g := &known.spec.grammar
	a := c.arguments(g)
	for a.next() {
		switch {
		case a.valueAt == 0:
		case a.operand:
			explained[a.at] = known.spec.operands != mayRead && named[a.words[a.at].Span] && (known.spec.operands == transfer || strings.IndexByte(a.value, ':') < 0) && !a.unlistedBefore(known.spec)
		case known.spec.operands == scriptFirst:
			explained[a.valueAt] = g.optionMode(&a) != 0
		case known.spec.operands == mayRead && !a.whole():
		case strings.ContainsAny(strings.TrimSuffix(a.words[a.valueAt].Text, a.value), "./~"): // -ox.git/y is no -i
		default:
			explained[a.valueAt] = g.optionMode(&a) != 0 || g.takes(&a)
		}
	}
	if code := inlineCode(c); known.spec.operands == scriptFirst && code.at > 0 {
		explained[code.at] = true
	}
	return explained
}

// takes reports whether the tables list the option just found.
func (g *grammar) takes(a *arguments) bool {
	if a.long && len(a.name) > 1 {
		return g.takesLong(a.name)
	}
	return a.name != "" && g.takesShort(a.name[0]) != valueNone
}

// unlistedBefore: the operand just found stands behind an option that is not listed, of a program
// that has many which name files.
func (a *arguments) unlistedBefore(s *spec) bool {
	before := a.words[a.at-1].Text
	return s.operands == readMost && isOption(before) && !strings.Contains(before, "=") && !harmlessOptions.has(before)
}

// harmlessOptions of compilers and the like take no value.
var harmlessOptions = wordSet{list: "-c -S -E -g -d -s -v -w -O -O0 -O1 -O2 -O3 -Os -Og -fPIC -shared -static -Wall -Wextra -Werror -decrypt --decrypt --verify --armor -a --standalone --import --list-packets --toc --no-tty --batch --yes --quiet -q"}

// isShell: the program reads the language of a shell, as a command of the script of its own.
func isShell(program string) bool {
	return listed("bash sh dash zsh ksh mksh ash rbash fish", program)
}

// namesIn are the names of files that may stand in a text, without what is glued to them: options,
// keys, quotes, schemes. The path in an address of another scheme than file is none.
func namesIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(text); {
			end := at
			for end < len(text) && !endsName(rune(text[end])) {
				end++
			}
			name := text[at:end]
			switch {
			case name == "":
				at++
				continue
			case !strings.HasPrefix(text[end:], "://"):
			case hasFold(name, "file"):
				at = end + len("://")
				continue
			default:
				for end < len(text) && strings.IndexByte(" \t\n\"'`", text[end]) < 0 {
					end++
				}
				at = end
				continue
			}
			if !yield(name) {
				return
			}
			if rest := withoutLetters(name); rest != "" && !yield(rest) {
				return
			}
			at = end
		}
	}
}

// withoutLetters is what stands behind the letters of an option, "" if it looks like no path.
func withoutLetters(name string) string {
	const mostLetters = 3
	if name[0] != '-' && name[0] != '+' {
		return ""
	}
	if at := strings.IndexAny(name, "./~"); at > 0 && at <= mostLetters+1 {
		return name[at:]
	}
	return ""
}

// protectedIn is the first protected path among the names in a text, "" if there is none.
func protectedIn(text string) string {
	if harmlessText(text) || namesNone(text) {
		return ""
	}
	for name := range namesIn(text) {
		if Protected(name) {
			return name
		}
	}
	return ""
}

// textSinks show or send what they read.
var textSinks = wordSet{list: "xclip xsel pbcopy wl-copy clip mail mailx sendmail mutt lp lpr less more wall write notify-send say espeak logger claude codex gemini llm"}

// takesFed reports whether a word is the output of a command, which the program may take for a
// program of its own or a list of names.
func (c *Command) takesFed(known *knowledge, at int) bool {
	if at == 0 || !strings.HasPrefix(c.Words[at].Text, "/dev/fd/") || c.Link == Guess {
		return false
	}
	switch known.spec.operands {
	case mayRead:
		return c.readsNames(known)
	case scriptFirst:
		return !isShell(c.Program())
	default:
		return firstIsScript(c.Program())
	}
}

// readsNames reports whether what the program reads may be a program of its own, or a list of
// names and commands: those of which nothing is known, and some for which an option says so.
func (c *Command) readsNames(known *knowledge) bool {
	program := c.Program()
	switch known.spec.operands {
	case mayRead:
		return known.wrapper == nil && c.MayWrite("./", Span{}) && !textSinks.has(program) && known.taking != takesText && known.taking != takesWords && known.verbs == nil
	case transfer:
		a := c.arguments(&known.spec.grammar)
		for a.next() {
			if (a.is('K', "config") || a.is('i', "input-file")) && a.value == "-" {
				return true
			}
		}
	case archiver, writeFirst:
		a := c.arguments(&known.spec.grammar)
		for a.next() {
			if a.is('T', "files-from") && a.value == "-" || a.words[a.at].Text == "-@" {
				return true
			}
		}
	default:
	}
	return false
}
