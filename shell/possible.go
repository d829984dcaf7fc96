package shell

import (
	"slices"
	"strings"
)

// taking says what a program may do with the words it is given, as far as that is not
// modelled elsewhere.
type taking uint8

const (
	// takesCommands: the program is not known, so that any of its words may begin a command
	// which it runs.
	takesCommands taking = iota
	// takesValues: its words are subcommands, names and files, but the value of an option
	// may be a command.
	takesValues
	// takesData: it runs none of its words but those that the walker lists as commands, or
	// that follow an option which by its name takes a command.
	takesData
	// takesText: its options hold text for people besides, so that only one whose name says
	// so takes a command.
	takesText
	// takesWords: it runs none of its words.
	takesWords
)

func (k *knowledge) takes(program string) taking {
	plain := unversioned(program)
	switch {
	case listed(tellers, program):
		return takesWords
	case listed(textTakers, program):
		return takesText
	case k.subcommands, listed(valueTakers, plain), listed(dataTakers, program), listed(dataTakers, plain):
		return takesValues
	case k.spec != unlisted && (k.spec.operands != noPaths || specNamed(program) != unlisted), // uname26 is no version of uname
		k.wrapper != nil, k.running != nil, len(k.danger.all) > 0, k.judge != nil, k.reader != nil:
		return takesData
	}
	return takesCommands
}

// taking is what the program may do with its words. What lies elsewhere than the system's programs and has
// the name of one that takes them for data is another program: ./ls.
func (c *Command) taking() taking {
	how := c.knowledge().taking
	if how >= takesData && len(c.Words) > 0 && strings.IndexByte(c.Words[0].Text, '/') >= 0 {
		if _, ok := systemProgram(c.Words[0].Text); !ok {
			return takesCommands
		}
	}
	return how
}

// mayRun reports whether Possible may list something.
func (c *Command) mayRun() bool {
	if len(c.Words) == 0 {
		return false
	}
	how := c.taking()
	switch {
	case len(c.Assigns) > 0 || c.fed != "":
		return true
	case len(c.Words) < 2:
		return false
	case c.passesOn():
		return true
	case how == takesCommands || c.Words[1].Text == "exec" || c.builds() || takesScript(c.Program()) || c.Opaque == OpaqueCode || slices.ContainsFunc(c.Words[1:], startsPrograms):
		return true
	case how == takesWords:
		return false
	}
	return slices.ContainsFunc(c.Words[1:], func(word Word) bool {
		return how == takesValues && (severalWords(word.Text) || setsProgram(word.Text)) || namesCommand(word.Text)
	})
}

// setsProgram: the word is an assignment to a variable that names a program: SHELL=x.
func setsProgram(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && isName(name) && loadsCode(name)
}

// PossibleRun is a command that a program may run although it is not known to.
type PossibleRun struct {
	Text string // as rules see one
	// Faint: its first word alone says nothing. It stands right behind the program and is no
	// program known here, so that it may as well be a subcommand: tk pkg list. Or it stands
	// among the words of a program that mostly runs none of them: meson devenv npm publish.
	Faint bool
	// At is the word with which it begins, 0 if it stands inside one.
	At int
}

// Starter says which words may begin a command that matters.
type Starter interface {
	Starts(word string) bool
	// Letters are the characters that such words begin with: 0 is among them if an empty word may be one.
	Letters() *Letters
}

// Letters is a set of characters.
type Letters [4]uint64

// Has reports whether it holds a character.
func (l *Letters) Has(c byte) bool { return l[c/64]&(1<<(c%64)) != 0 }

// passesOn: the program may run the end of its words although it takes them for something
// else, as far as is known.
func (c *Command) passesOn() bool {
	k := c.knowledge()
	return len(c.Words) > 2 && c.taking() != takesWords && k.reader == nil && k.wrapper == nil
}

// tails lists the ends of the words which may be commands by their first two words, or behind
// a subcommand that runs what follows.
func (p *possible) tails(c *Command) {
	if !c.passesOn() {
		return
	}
	runs, text := false, false
	switch c.Words[1].Text {
	case "search", "help", "info":
		return
	}
	for j, word := range c.Words[1:] {
		switch {
		case p.spent():
			return
		case p.hasProgram(word.Text) && word.Known() && (text || !severalWords(word.Text)) && !isProse(c.Words[j].Text):
			if len(c.Words) > mostTails {
				*p.work = mostPossible + 1
				return
			}
			from := len(p.found)
			p.script(quoted(c.Words[j+1:]), !runs)
			for k := range p.found[from:] {
				p.found[from+k].At = j + 1
			}
		}
		runs = runs || j < 3 && runsRest(word.Text)
		text = runs || text || j < 3 && (word.Text == "run" || word.Text == "env")
	}
}

// runsRest: by its name the subcommand runs the words behind it.
func runsRest(word string) bool {
	if optionLike(Word{Text: word}) {
		return false
	}
	switch word {
	case "exec", "devenv", "watch", "lock", "rsh", "ssh", "shell", "debug", "with", "run-command":
		return true
	}
	at := max(strings.LastIndexByte(word, '.'), strings.LastIndexByte(word, ':')) // heroku local:run, salt cmd.run
	if at <= 0 {
		return false
	}
	switch word[at+1:] {
	case "run", "exec", "shell", "cmd":
		return true
	}
	return false
}

// Possible lists what the program may run: the end of its words, from one that starts says
// may begin a command, and the code inside a word or in a variable that is set for it. It adds to
// work what it has read: a script that makes it read too much may run anything.
func (c *Command) Possible(starts Starter, work *int) []PossibleRun {
	w := beginnings{starts, starts.Letters()}
	if !w.anyStarts(c) || !c.mayRun() {
		return nil
	}
	p := possible{beginnings: w, work: work}
	return p.search(c)
}

func (p *possible) search(c *Command) []PossibleRun {
	for _, a := range c.Assigns {
		switch {
		case len(c.Words) == 0 || c.unchangedBy(a):
		case loadsCode(a.Name) && a.Value.Known() && !namesDirectories(a.Name):
			p.pieces(a.Value.Text)
		default:
			p.code(a.Value.Text)
		}
	}
	k := c.knowledge()
	if c.fed != "" {
		p.lines(c.fed)
	}
	if c.Opaque == OpaqueCode || c.taking() < takesText && k.reader == nil && k.judge == nil {
		p.constants(c.Args(), c.Opaque == OpaqueCode)
	}
	words, how := c.taken()
	before := false // the option before names a command
	for j, word := range words {
		if p.spent() {
			break
		}
		behindOption := j > 0 && optionLike(words[j-1])
		names := namesCommand(word.Text)
		named := names || before
		before = names
		switch {
		case j > 0 && isProse(words[j-1].Text) || how >= takesData && !named:
		case (how == takesCommands || named) && word.Known() && p.hasProgram(word.Text):
			p.script(quoted(words[j:]), j == 0 && maySubcommand(word.Text))
		case named:
			p.word(words[j:], true)
			p.pieces(strings.ReplaceAll(word.Text, ";", " "))
		case how == takesCommands || behindOption || optionLike(word) || isAssignment(word.Text):
			p.word(words[j:], how == takesCommands)
		}
	}
	if how != takesCommands {
		p.tails(c)
	}
	if p.spent() {
		return append(p.found, PossibleRun{Text: unknownMark})
	}
	return p.found
}

// beginnings are the words that may begin a command.
type beginnings struct {
	starts  Starter
	letters *Letters
}

// anyStarts is the quick answer for most commands: nothing in them, however it is taken apart, may
// begin a command.
func (w beginnings) anyStarts(c *Command) bool {
	if c.fed != "" || slices.ContainsFunc(c.Assigns, func(a Assign) bool { return w.mayStart(a.Value.Text) }) {
		return true
	}
	for j := 1; j < len(c.Words); j++ {
		if (j == 1 || !isProse(c.Words[j-1].Text)) && w.mayStart(c.Words[j].Text) {
			return true
		}
	}
	return false
}

// mayStart reports whether a command may begin somewhere in a text, or behind the letter of an option.
func (w beginnings) mayStart(text string) bool {
	return w.mayStartIn(text) || gluesValue(text) && w.mayStartIn(withoutLetter(text))
}

// mayStartIn divides a text as word, mentions and pieces do.
func (w beginnings) mayStartIn(text string) bool {
	if w.hasProgram(text) {
		return true
	}
	mention, piece, value := 0, 0, 0
	for i := 0; i <= len(text); i++ {
		divides := byte(inMentions | inPieces)
		if i < len(text) {
			if divides = divisions[text[i]]; divides == 0 {
				continue
			}
			if text[i] == '=' && value == 0 {
				if value = i + 1; w.hasProgram(text[value:]) {
					return true
				}
			}
		}
		if divides&inMentions != 0 {
			if i-mention < len(text) && w.hasProgram(text[mention:i]) {
				return true
			}
			mention = i + 1
		}
		if divides&inPieces != 0 {
			if i-piece < len(text) && w.hasProgram(text[piece:i]) {
				return true
			}
			piece = i + 1
		}
	}
	return false
}

const (
	inMentions = 1 << iota
	inPieces
)

// divisions says what divides a text into mentions and into pieces.
var divisions = [256]byte{
	'\'': 3, '"': 3, ',': 3, ' ': 3, '\t': 3, '\n': 3, '=': 3, ':': 3, '!': 3, '(': 3, ')': 3, '[': 3, ']': 3, '{': 3, '}': 3, ';': 3, '|': 3, '&': 3, '`': 3,
	'$': inMentions, '%': inPieces,
}

// readsCode: what the program reads from standard input may be commands.
func (c *Command) readsCode() bool {
	k, how := c.knowledge(), c.taking()
	return how == takesCommands || how < takesText && k.reader == nil && k.judge == nil && (k.subcommands || k.wrapper != nil || k.running != nil)
}

// maySubcommand: the word is no program known here, or one whose name other programs use for
// a subcommand.
func maySubcommand(word string) bool {
	return !severalWords(word) && strings.IndexByte(word, '/') < 0 && (about(word).taking == takesCommands || listed("batch init pkg wipe", word))
}

// taken are the words that the program may run, and what it takes them for. Those behind
// the name of a script are the script's, and those behind "exec" a command.
func (c *Command) taken() ([]Word, taking) {
	if len(c.Words) < 2 {
		return nil, takesWords
	}
	how, words := c.taking(), c.Words[1:]
	switch {
	case how == takesCommands:
	case takesScript(c.Program()):
		at := 0
		for at < len(words) && optionLike(words[at]) {
			at++
		}
		if at == len(words) {
			return nil, takesWords
		}
		how = takesCommands
		if at > 0 && words[at-1].Text == "-m" {
			how = about(words[at].Text).taking // python -m pip is pip
		}
		words = words[at+1:]
	case words[0].Text == "exec":
		return words[1:], takesCommands
	case c.builds():
		return built(c.Program(), words), takesCommands
	}
	if how == takesWords {
		return nil, how
	}
	return words, how
}

// builds: go run and cargo run.
func (c *Command) builds() bool {
	return c.Words[1].Text == "run" && (c.Program() == "go" || c.Program() == "cargo")
}

// built are the words that they give to what they build: behind the package, behind "--".
func built(program string, words []Word) []Word {
	for j, word := range words[1:] {
		if word.Text == "--" || program == "go" && !optionLike(word) {
			return words[j+2:]
		}
	}
	return nil
}

// takesScript: the first operand is a file with a program, to which the others are given.
func takesScript(name string) bool {
	switch name {
	case "bun", "deno": // they have subcommands
		return false
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish", "source", ".", "java":
		return true
	}
	_, ok := interpreterFlags(name)
	return ok
}

// isProse: the value of the option is text for people, whatever the program.
func isProse(option string) bool {
	if len(option) < 2 || option[0] != '-' {
		return false
	}
	switch strings.TrimLeft(option, "-") {
	case "k", "t", "g", "grep", "testNamePattern", "m", "am", "message", "msg", "title", "body", "description", "desc", "note", "notes", "subject", "summary",
		"comment", "text", "label", "reason", "name", "header", "annotation", "author", "search", "query":
		return true
	}
	return false
}

// severalWords: the text may be a command with arguments.
func severalWords(text string) bool { return strings.ContainsAny(text, " \t\n,") }

// namesCommand: by its name the value of the option is a command, or the words behind it are.
func namesCommand(option string) bool {
	name, _, assigns := strings.Cut(strings.TrimLeft(option, "-"), "=")
	if option == name || len(name) < 2 || strings.HasPrefix(option, "=") || !assigns && !optionLike(Word{Text: option}) {
		return false
	}
	name = strings.ToLower(name)
	for name != "" {
		end := 0
		for end < len(name) && name[end] != '-' && name[end] != '_' && name[end] != '.' {
			end++
		}
		switch part := name[:end]; part {
		case "commands", "config", "exec", "executable", "shell", "pager", "editor", "wrapper", "launcher", "runner", "linker", "viewer", "engine", "hook", "script", "scripts":
			return true
		default: // --reloadcmd, --sendmail-cmd
			if strings.HasSuffix(part, "command") || strings.HasSuffix(part, "cmd") || strings.HasSuffix(part, "program") || strings.HasSuffix(part, "prog") {
				return true
			}
		}
		name = name[min(end+1, len(name)):]
	}
	return false
}

// constants lists what a program in another language may start: where it calls a function that
// starts programs, the argument may be any constant in it, and of a program that is all code any
// word.
func (p *possible) constants(words []Word, code bool) {
	if !slices.ContainsFunc(words, startsPrograms) {
		return
	}
	for j, word := range words {
		if (code || startsPrograms(word)) && (j == 0 || !isProse(words[j-1].Text)) {
			p.pieces(word.Text)
		}
	}
}

// startsPrograms reports whether a text has the name of a function in it that starts programs, or
// a pipe, which "||" is not.
func startsPrograms(word Word) bool {
	text := word.Text
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; rest[0] {
		case '|':
			if !strings.HasPrefix(rest, "||") {
				return true
			}
			i++
		case 's':
			if strings.HasPrefix(rest, "system") || strings.HasPrefix(rest, "spawn") || strings.HasPrefix(rest, "subprocess") {
				return true
			}
		case 'p', 'P':
			if strings.HasPrefix(rest[1:], "open") {
				return true
			}
		case 'e':
			if strings.HasPrefix(rest, "exec") {
				return true
			}
		case 'c':
			if strings.HasPrefix(rest, "cmd") || strings.HasPrefix(rest, "child_process") {
				return true
			}
		case 'g':
			if strings.HasPrefix(rest, "getline") {
				return true
			}
		case 'q':
			if strings.HasPrefix(rest, "qx") {
				return true
			}
		case 'w':
			if strings.HasPrefix(rest, "write18") {
				return true
			}
		}
	}
	return false
}

// hasProgram: the word may be the program of a command, with a directory or without.
func (w beginnings) hasProgram(word string) bool {
	if word == "" || w.letters.Has(word[0]) && w.starts.Starts(word) {
		return word != ""
	}
	slash := strings.LastIndexByte(word, '/')
	if slash < 0 {
		return false
	}
	first := byte(0)
	if name := word[slash+1:]; name != "" {
		first = name[0]
	}
	return w.letters.Has(first) && w.starts.Starts(word[slash+1:])
}

// possible gathers the texts.
type possible struct {
	beginnings
	found []PossibleRun
	work  *int
	inner bool // it looks at a command in a text
}

// mostPossible bounds the work on one script: the bytes that are read as code, and the commands that
// are found in them.
const (
	mostPossible   = 1 << 18
	perPossibleRun = 1 << 6
	mostTails      = 1 << 10 // words of a command whose ends are read one by one
)

// spent: the script makes it read too much.
func (p *possible) spent() bool { return *p.work > mostPossible }

// word looks for code in the first word: the value behind "=" or behind the letter of an
// option, or all of it. Where any word may begin a command, so may a value.
func (p *possible) word(words []Word, any bool) {
	text := words[0].Text
	name, value, assigns := strings.Cut(text, "=")
	switch {
	case assigns && (name == "" || isProse(name)):
		return
	case assigns && (name[0] == '-' || isName(name)):
		text = value
		if (any || namesCommand(name) || setsProgram(words[0].Text)) && words[0].Known() && p.hasProgram(value) && !strings.ContainsAny(value, " \t\n") {
			p.script(quoted(append([]Word{{Text: value}}, words[1:]...)), false)
		}
	case gluesValue(text):
		if text = withoutLetter(text); any && words[0].Known() && p.hasProgram(text) { // foo -xmake, zip -TT'make x'
			p.script(quoted(append([]Word{{Text: text}}, words[1:]...)), false)
		}
	}
	p.code(text)
}

// gluesValue: a value may follow the letter of an option in its word.
func gluesValue(text string) bool { return len(text) > 3 && text[0] == '-' && text[1] != '-' }

// withoutLetter is an option without its dashes and the letter that it begins with.
func withoutLetter(option string) string {
	letter := option[1]
	for option != "" && (option[0] == '-' || option[0] == letter) {
		option = option[1:]
	}
	return option
}

// code lists the commands in a text of several words: as a shell reads it, and in pieces.
func (p *possible) code(text string) {
	if !severalWords(text) || !p.mentions(text) {
		return
	}
	p.script(withoutMarks(text), false)
	p.pieces(text)
}

// lines lists the commands that lines of a text begin with.
func (p *possible) lines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if first, _, _ := strings.Cut(line, " "); p.hasProgram(first) {
			p.script(line, false)
		}
	}
}

// pieces lists those in brackets, behind "=", "!" or ":" or between commas, as other languages
// write them.
func (p *possible) pieces(text string) {
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return !quotesWords(r) && r < 0x80 && divisions[r]&inPieces != 0 }) {
		words := strings.FieldsFunc(piece, quotesWords)
		switch {
		case len(words) == 0 || piece[0] == ' ':
		case p.hasProgram(words[0]):
			p.found = append(p.found, PossibleRun{Text: strings.Join(words, " ")})
		case slices.ContainsFunc(words, p.hasProgram): // env,npm,publish
			p.script(strings.Join(words, " "), false)
			if items := strings.Split(piece, ","); len(items) > 1 && len(items) < len(words) { // sh,-c,npm publish
				var list []Word
				for _, item := range items {
					list = append(list, Word{Text: item})
				}
				p.script(quoted(list), false)
			}
		}
	}
}

func quotesWords(r rune) bool { return r == '\'' || r == '"' || r == ',' || r == ' ' || r == '\t' }

// script lists the commands in a text that a shell would read; the first may be faint.
func (p *possible) script(text string, faint bool) {
	if p.spent() {
		return
	}
	script := Parse(text)
	*p.work += len(text) + perPossibleRun*len(script.Commands)
	for i := range script.Commands {
		c := &script.Commands[i]
		if p.hasProgram(c.first()) {
			p.found = append(p.found, PossibleRun{Text: c.Text(), Faint: faint && c.first() == script.Commands[0].first()})
		}
		if !p.inner && c.mayRun() && c.taking() != takesCommands { // CC='gcc -wrapper npm,publish'
			inner := possible{beginnings: p.beginnings, work: p.work, inner: true}
			p.found = append(p.found, inner.search(c)...)
		}
	}
}

// mentions: some word in the text may begin a command.
func (p *possible) mentions(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && divisions[r]&inMentions != 0 }) {
		if p.hasProgram(word) {
			return true
		}
	}
	return false
}
