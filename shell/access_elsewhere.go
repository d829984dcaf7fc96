package shell

import (
	"slices"
	"strings"
)

// A program that the tables do not know may be told which file to write in other ways than by an
// operand: by a variable, by what it reads, or by a piece of a word.

// NamesElsewhere are the words that may name a file to command i in such a way. It is nothing
// where the program is known, or only reads.
func (s *Script) NamesElsewhere(i int) []string {
	c := &s.Commands[i]
	known := c.knowledge()
	if len(c.Words) == 0 || c.Link == Guess || known.wrapper != nil || known.spec.operands != mayRead && known.spec.operands != scriptFirst || c.doubt().Text == "" {
		return nil
	}
	reader := !c.MayWrite("./", Span{}) // it writes only where an option says so
	var names []string
	for j := range s.Commands {
		e := &s.Commands[j]
		if j == i || j < i && (len(e.Words) == 0 || e.Program() == "export") || j == c.Parent && e.Program() == "env" {
			names = s.variableNames(names, e, reader)
		}
	}
	for _, word := range c.Args() {
		if text := word.Text; strings.ContainsAny(text, pieceEnds) && !strings.ContainsAny(text, " \t\n") && !strings.Contains(text, "://") && !leavesOut(text) && c.MayWrite("./", word.Span) {
			names = slices.AppendSeq(names, strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(pieceEnds, r) }))
		}
	}
	if !reader {
		names = s.givenNames(names, i)
	}
	return names
}

// givenNames adds what the script itself says that command i reads, and that its operands are.
func (s *Script) givenNames(names []string, i int) []string {
	c := &s.Commands[i]
	unknown := slices.ContainsFunc(c.Args(), func(word Word) bool { return !word.Known() })
	if !unknown && c.Stdin.Kind == StdinInherited {
		return names
	}
	j := inspect(s)
	defer j.release()
	found := func(text string) bool {
		if text != worstValue && !strings.Contains(text, "\n") { // its lines come one by one
			names = append(names, text)
		}
		return false
	}
	lists := func(k int) bool {
		names = s.printedNames(names, k)
		return false
	}
	for _, word := range c.Args() {
		if !word.Known() {
			j.valuesOf(i, word.Span, found, lists)
		}
	}
	v := valueSearch{s: j, found: found, lists: lists}
	v.input(i)
	for k := max(c.Stdin.From, c.Stdin.To-lookAround); c.Stdin.Kind == StdinPipe && k < min(c.Stdin.To, len(s.Commands)); k++ {
		text, _ := s.outputText(k)
		names = append(names, strings.Fields(text)...)
	}
	return names
}

// pieceEnds are what may stand before and behind a path in a word.
const pieceEnds = "=,:@+>"

// variableNames adds the values of variables that a command sets for others, for a program that
// writes only where it is told to, those that are called after what is written.
func (s *Script) variableNames(names []string, c *Command, reader bool) []string {
	add := func(name string, value Word) {
		if !harmlessVariable(name, value) && !namesConfiguration(name) && !hasSuffixIn(name, []string{"ENV_FILE", "ENVFILE", "DOTENV"}) && (!reader || namesOutput(name)) {
			names = append(names, value.Text)
		}
	}
	for _, a := range c.Assigns {
		if len(c.Words) > 0 || slices.ContainsFunc(s.Commands, func(e Command) bool { return e.Program() == "export" && e.hasWord(a.Name) }) {
			add(a.Name, a.Value)
		}
	}
	if program := c.Program(); program == "export" || program == "env" {
		for _, word := range c.Args() {
			if name, value, found := strings.Cut(word.Text, "="); found {
				add(name, Word{Text: value, Span: word.Span})
			}
		}
	}
	return names
}

// printedNames adds the names that command j prints.
func (s *Script) printedNames(names []string, j int) []string {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind", "fd", "fdfind", "ls", "git", "realpath", "readlink":
		for _, word := range c.Args() {
			names = append(names, word.Text)
		}
	case "cat":
		text, _ := s.outputText(j)
		names = append(names, strings.Fields(text)...)
	}
	return names
}

// namesOutput reports whether the name of an option or a variable says that its value is written.
func namesOutput(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"out", "report", "log", "xml", "export", "write", "save", "dump", "result", "record", "trace"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// readOptions are options of programs that check and test, behind which stands what they read.
var readOptions = wordSet{list: "config rootdir root cov filter grep include path paths project tsconfig filename file files dir testPathPattern testMatch confcutdir require reporters k m c p r f i I n t"}

// mayBeWritten reports whether a word of a program that reads its operands stands where an option
// or a name says that it is written: --junitxml=x, --out x, OUT=x.
func (c *Command) mayBeWritten(span Span) bool {
	for at := 1; at < len(c.Words); at++ {
		if c.Words[at].Span != span {
			continue
		}
		text := c.Words[at].Text
		name, _, assigns := strings.Cut(text, "=")
		switch {
		case isOption(text) && leavesOut(text):
			return false
		case strings.HasPrefix(text, "--"):
			return assigns && !readOptions.has(name[2:])
		case isOption(text):
			return !readOptions.has(text[1:2]) && !readOptions.has(name[1:])
		case assigns && namesOutput(name):
			return true
		}
		option := c.Words[at-1].Text
		return isOption(option) && (option == "-o" || option == "-O" || len(option) > 2 && namesOutput(option)) && !strings.Contains(option, "=")
	}
	return false
}
