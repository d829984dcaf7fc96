package shell

import (
	"slices"
	"strings"
)

// A protected path may be named where the tables expect none: behind --prefix= or another
// option that they do not know, glued to a letter, behind NAME=, or in a variable that is set
// for the command. Unless the command is known to only read, it may be written there; with a
// variable even then: GIT_TRACE=x git status.

// stray adds the protected paths that stand in such places. The accesses from the index on are
// those that the tables have found.
func (l *accessList) stray(known *knowledge, before int) {
	if known.wrapper == &loose {
		l.looseStray()
	}
	words := l.c.ownWords(known)
	for at := 1; at < len(words) && words[at].Text != "--" && !known.spec.leavesOpen(); at++ {
		if path := known.spec.strayPath(words[at].Text); path != "" && !l.onlyReads(known) {
			l.strayAt(known, at, path)
		}
	}
	if known.spec.operands == scriptFirst && l.script.codeReads(l.index) {
		return
	}
	for word := range l.c.looseWords(known, l.all[before:], func(text string) bool { return !namesNone(text) }) {
		text := l.c.Words[word.at].Text
		path := protectedIn(text)
		if path == "" || l.c.Link == Guess && onOtherHost(text) || known.spec.operands == mayRead && (path == text || !l.c.MayWrite("./", l.c.Words[word.at].Span)) {
			continue
		}
		l.strayAt(known, word.at, path)
	}
}

func (l *accessList) strayAt(known *knowledge, at int, path string) {
	l.possible = known.spec.operands == mayRead
	l.part(Writes, at, path)
	l.possible = false
}

// strayFed adds the protected paths in what commands give the current one as a file, unless that is
// a program which only reads.
func (l *accessList) strayFed(known *knowledge) {
	for at := range l.c.Words {
		if !l.c.takesFed(known, at) {
			continue
		}
		if text, ok := l.script.fileText(l.index, at, l.c.Words[at].Text); ok && (known.spec.operands == mayRead || !codeOnlyReads(text)) {
			l.strayAt(known, at, protectedIn(text))
		}
	}
}

// strayInput adds the protected path in what the current command reads, if that tells it what to
// do.
func (l *accessList) strayInput(known *knowledge) {
	if l.c.Stdin.Kind == StdinInherited || !l.c.readsNames(known) || l.onlyReads(known) {
		return
	}
	if in := l.c.Stdin; in.Kind != StdinPipe || [2]int{int(in.From), int(in.To)} != l.inputBy {
		text, _ := l.script.constantInput(l.index)
		if text != l.input {
			l.input, l.inputNames = text, protectedIn(text)
		}
		l.inputBy = [2]int{int(in.From), int(in.To)}
	}
	l.strayAt(known, 0, l.inputNames)
}

// looseStray adds the protected paths before the command of a wrapper whose options are not
// modelled; all of them unless that command is known to only read.
func (l *accessList) looseStray() {
	words := l.c.Words
	for at, end := 1, looseEnd(words); at < end; at++ {
		if path := protectedPiece(words[at].Text); path != "" {
			l.part(Writes, at, path)
		}
	}
}

// looseEnd is the index of the first word behind the program that is a command which only reads.
func looseEnd(words []Word) int {
	end := 1
	for end < len(words) && (about(programOf(words[end:])).taking == takesCommands || doubtWords(words[end:]).Text != "") {
		end++
	}
	return end
}

// strayVariables adds the protected paths in variables that are set for a program: for the command, by
// its words, or for those behind it.
func (l *accessList) strayVariables() {
	for _, a := range l.c.Assigns {
		if path := zoneFile(a); path != "" {
			l.put(&Access{Path: path, Mode: Reads, Span: a.Value.Span})
		}
		if !l.c.onlyAssigns() || protectedPiece(a.Value.Text) != "" && l.handsOn(a.Name) {
			l.strayVariable(a)
		}
	}
	for _, word := range l.c.settingWords() {
		if name, value, assigns := strings.Cut(word.Text, "="); assigns && isName(name) {
			l.strayVariable(Assign{Name: name, Value: Word{Text: value, Span: word.Span}})
		}
	}
}

// settingWords are the words before the command that env or sudo runs, which set variables for it.
func (c *Command) settingWords() []Word {
	options := &sudoOptions
	switch c.Program() {
	case "env", "genv":
		options = &envOptions
	case "sudo", "doas":
	default:
		return nil
	}
	if start, ok := options.start(c.Words, nil); ok {
		return c.Words[:start]
	}
	return c.Words
}

func (l *accessList) strayVariable(a Assign) {
	if path := protectedPiece(a.Value.Text); path != "" && !harmlessVariable(a.Name, a.Value) && (!namesConfiguration(a.Name) || l.c.configures(a)) {
		l.put(&Access{Path: path, Mode: Writes, Span: a.Value.Span})
	}
}

// onlyAssigns reports whether the command sets variables of this shell, which no program gets by that.
func (c *Command) onlyAssigns() bool {
	return len(c.Words) == 0 || listed("declare typeset local readonly", c.Program())
}

// handsOn reports whether programs may get a variable that the script assigns: it exports it, it is one
// that they mostly have already, or a file that is read as code of the script may do anything with it.
func (l *accessList) handsOn(name string) bool {
	exports := l.script.exports
	if slices.Contains(exports, name) || slices.Contains(exports, "") || namesOutput(name) || loadsCode(name) || listed("TMPDIR TMP TEMP", name) {
		return true
	}
	if !l.codeKnown { // once, as there may be thousands of assignments and of commands
		l.codeKnown = true
		for i := range l.script.Commands {
			c := &l.script.Commands[i]
			l.readsCode = l.readsCode || listed("source .", c.Program()) || c.Program() == "eval" && c.Opaque != 0
		}
	}
	return l.readsCode
}

// zoneFile is the file that TZ names, "" if it is a zone of the system.
func zoneFile(a Assign) string {
	if a.Name != "TZ" || harmlessVariable(a.Name, a.Value) {
		return ""
	}
	path := strings.TrimPrefix(a.Value.Text, ":")
	if path == "" || path[0] == '/' || path[0] >= Glob {
		return path
	}
	return "/usr/share/zoneinfo/" + path
}

// configures: the command changes its configuration, which is where the variable says. The usual
// directory of a repository is no other place than without it.
func (c *Command) configures(a Assign) bool {
	if strings.HasPrefix(a.Name, "GIT_") && baseName(a.Value.Text) == ".git" || c.doubt().Text == "" {
		return false
	}
	return namesOutput(a.Name) || a.Name != "PATH" && (c.hasWord("config") || c.hasWord("init"))
}

// namesConfiguration: by its name the variable says where to read from, like CLAUDE_CONFIG_DIR.
func namesConfiguration(name string) bool {
	return name == "GIT_DIR" || name == "GIT_COMMON_DIR" || name == "GIT_CONFIG" || hasSuffixIn(name, []string{"CONFIG_DIR", "CONFIG_HOME", "CONFIG", "PATH", "HOME"})
}

// onlyReads reports whether the current command is known to change nothing.
func (l *accessList) onlyReads(known *knowledge) bool {
	return known.wrapper == nil && l.c.doubt().Text == ""
}

// strayPath is the protected path in an argument, "" if there is none or the tables know
// what the argument is.
func (s *spec) strayPath(text string) string {
	name, value, assigns := strings.Cut(text, "=")
	switch {
	case len(text) < 3 || harmlessText(text):
		return ""
	case s.operands == mayRead && text[0] == '-' && strings.ContainsAny(text, "=:,") && text[1] != '-' && !leavesOut(name):
		return protectedPiece(text) // -sOutputFile=x, -o:x
	case text[0] != '-':
		if assigns && s.operands == readAll {
			return protectedPiece(value)
		}
		return ""
	case strings.HasPrefix(text, "--") || s.single && assigns:
		name = strings.TrimLeft(name, "-")
		if !assigns || name == "git-dir" || s.takesLong(name) || leavesOut(name) {
			return ""
		}
		return protectedPiece(value)
	}
	return s.gluedPath(text)
}

// gluedPath is the protected path that is glued to one of the first letters of a word.
func (s *spec) gluedPath(text string) string {
	const mostLetters = 3
	for at := 1; at < len(text)-1 && at <= mostLetters && isLetter(text[at]); at++ {
		if s.takesShort(text[at]) != valueNone && !s.single {
			return "" // listed by what the tables say about it
		}
		if rest := strings.TrimPrefix(text[at+1:], "="); strings.IndexByte("./~", path0(rest)) >= 0 && rest != "" && Protected(rest) {
			return rest
		}
	}
	return ""
}

// harmlessText is harmless for a text in which a path may start anywhere.
func harmlessText(text string) bool {
	return strings.IndexByte(text, '.') < 0 && strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '\\') < 0
}

// protectedPiece is the protected path that a value is, or that stands in it behind a key or
// beside others: type=local,dest=x, a:b.
func protectedPiece(value string) string {
	switch {
	case namesNone(value), strings.Contains(value, "://"):
		return ""
	case Protected(value):
		return value
	}
	for piece := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '=' || r == ',' || r == ':' || r == '@' }) {
		if Protected(piece) {
			return piece
		}
	}
	return ""
}

// leavesOut reports whether an option names what the program leaves alone.
func leavesOut(name string) bool {
	for _, word := range [...]string{"exclude", "ignore", "skip", "prune", "omit"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
