package shell

import (
	"iter"
	"slices"
	"strings"
)

// A program that the tables do not know may be told which file to write in other ways than by an
// operand: by a variable, by what it reads, or by a piece of a word.

// NamedElsewhere is a word that may name a file to a command in such a way.
type NamedElsewhere struct {
	Command int // index in Script.Commands
	// Name is Unknown where there is too much to look at: it may be any.
	Name string
	// Writes: the program may write the file. In any case it may read it.
	Writes bool
}

// NamesElsewhere are the words that may name a file to a command in such a way. There are none for
// a command that is known to only read.
func (s *Script) NamesElsewhere() iter.Seq[NamedElsewhere] {
	return func(yield func(NamedElsewhere) bool) {
		e := nameSearch{inspection: inspect(s)}
		defer e.release()
		for i := range s.Commands {
			names := e.namesOf(i)
			for _, name := range names {
				e.named += workOf(name.Name)
			}
			if e.named > maxTries || e.looked > mostLooked {
				yield(NamedElsewhere{i, unknownMark, true})
				return
			}
			for _, name := range names {
				if name.Name != "" && name.Name != unknownMark && !yield(name) {
					return
				}
			}
		}
	}
}

// nameSearch looks for such words.
type nameSearch struct {
	*inspection
	named    int
	gathered bool
	told     []toldName
}

// toldName is a word that a variable tells all programs behind a command.
type toldName struct {
	command int
	text    string
	output  bool // by its name the variable says what is written
}

func (e *nameSearch) namesOf(i int) []NamedElsewhere {
	c := &e.Commands[i]
	known := c.knowledge()
	if len(c.Words) == 0 || c.Link == Guess || known.wrapper == nil && c.doubt().Text == "" {
		return nil
	}
	var all []NamedElsewhere
	texts := func(text string, writes bool) {
		for name := range namesIn(text) {
			if e.looked += workOf(name); e.looked > mostLooked {
				return
			}
			if !noFile(name) {
				all = append(all, NamedElsewhere{i, name, writes})
			}
		}
	}
	codeReads := known.spec.operands == scriptFirst && e.codeReads(i)
	if !codeReads {
		for word := range c.looseWords(known, e.accessesOf(i), func(string) bool { return true }) {
			text := c.Words[word.at]
			texts(text.Text, known.spec.operands != mayRead || c.MayWrite("./", text.Span))
		}
	}
	for at := range c.Words {
		if c.takesFed(known, at) {
			text, _ := e.fileText(i, at, c.Words[at].Text)
			texts(text, known.spec.operands == mayRead || !codeOnlyReads(text))
		}
	}
	if statesFiles(c.Program()) {
		for _, word := range c.Args() {
			if strings.ContainsAny(word.Text, " \t\n") {
				texts(word.Text, true)
			}
		}
	}
	unknown := known.wrapper == nil && (known.spec.operands == mayRead || known.spec.operands == scriptFirst)
	reader := !c.MayWrite("./", Span{}) // it writes only where an option says so
	switch {
	case unknown && !reader:
		for _, name := range e.givenNames(nil, i) {
			if !strings.ContainsAny(name, " \t\n") {
				all = append(all, NamedElsewhere{i, name, !codeReads})
			}
			texts(name, !codeReads)
		}
	case c.Stdin.Kind != StdinInherited && c.readsNames(known):
		if text, ok := e.constantInput(i); ok {
			texts(text, true)
		}
	}
	if unknown {
		for _, name := range e.variablesOf(i, reader) {
			all = append(all, NamedElsewhere{i, name, true})
		}
	}
	return all
}

// workOf is the work that a name makes: a long one takes longer to look up.
func workOf(name string) int { return 1 + len(name)/64 }

// variablesOf are the values of variables that tell command i which file to write.
func (e *nameSearch) variablesOf(i int, reader bool) []string {
	c := &e.Commands[i]
	var names []string
	add := func(name string, value Word) {
		if tellsName(name, value) && (!reader || namesOutput(name)) {
			names = append(names, value.Text)
		}
	}
	for _, told := range e.exported() {
		if told.command < i && (!reader || told.output) {
			names = append(names, told.text)
		}
	}
	for _, a := range c.Assigns {
		add(a.Name, a.Value)
	}
	if c.Program() == "env" {
		c.eachSet(add)
	}
	if c.Parent >= 0 && e.Commands[c.Parent].Program() == "env" {
		for _, a := range e.Commands[c.Parent].Assigns {
			add(a.Name, a.Value)
		}
		e.Commands[c.Parent].eachSet(add)
	}
	return names
}

// exported are the words that variables tell programs which run later.
func (e *nameSearch) exported() []toldName {
	if e.gathered {
		return e.told
	}
	e.gathered = true
	names := make(map[string]bool)
	for i := range e.Commands {
		if c := &e.Commands[i]; c.Program() == "export" {
			for _, word := range c.Words {
				names[word.Text] = true
			}
		}
	}
	for i := range e.Commands {
		c := &e.Commands[i]
		add := func(name string, value Word) {
			if tellsName(name, value) {
				e.told = append(e.told, toldName{i, value.Text, namesOutput(name)})
			}
		}
		exports := c.Program() == "export"
		for _, a := range c.Assigns {
			if exports || len(c.Words) == 0 && names[a.Name] {
				add(a.Name, a.Value)
			}
		}
		if exports {
			c.eachSet(add)
		}
	}
	return e.told
}

// eachSet gives the variables that env and export set with their words.
func (c *Command) eachSet(add func(name string, value Word)) {
	for _, word := range c.Args() {
		if name, value, found := strings.Cut(word.Text, "="); found {
			add(name, Word{Text: value, Span: word.Span})
		}
	}
}

// tellsName reports whether the value of a variable may be the name of a file for a program.
func tellsName(name string, value Word) bool {
	return !harmlessVariable(name, value) && !namesConfiguration(name) && !hasSuffixIn(name, []string{"ENV_FILE", "ENVFILE", "DOTENV"})
}

// givenNames adds what the script itself says that command i reads, and that its operands are.
func (s *inspection) givenNames(names []string, i int) []string {
	c := &s.Commands[i]
	unknown := slices.ContainsFunc(c.Args(), func(word Word) bool { return !word.Known() })
	if !unknown && c.Stdin.Kind == StdinInherited {
		return names
	}
	found := func(text string) bool {
		s.looked += workOf(text)
		if text != worstValue && !strings.Contains(text, "\n") { // its lines come one by one
			names = append(names, text)
		}
		return s.looked > mostLooked
	}
	lists := func(k int) bool {
		names = s.printedNames(names, k)
		return false
	}
	for _, word := range c.Args() {
		if !word.Known() && s.looked <= mostLooked {
			s.valuesOf(i, word.Span, found, lists)
		}
	}
	v := valueSearch{s: s, found: found, lists: lists}
	v.input(i)
	for k := max(c.Stdin.From, c.Stdin.To-lookAround); c.Stdin.Kind == StdinPipe && k < min(c.Stdin.To, len(s.Commands)); k++ {
		text, _ := s.outputText(k)
		names = append(names, strings.Fields(text)...)
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
