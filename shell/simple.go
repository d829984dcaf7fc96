package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// simple walks one simple command: assignments, words, redirects.
func (w *walker) simple(call *syntax.CallExpr, stmt *syntax.Stmt) {
	outer, stdin := w.folded, w.stdin
	w.folded = false
	var c Command
	if len(call.Args) > 0 {
		c.Words = w.room(len(call.Args))
		for _, arg := range call.Args {
			c.Words = w.appendWords(c.Words, arg)
		}
	}
	for _, assign := range call.Assigns {
		c.Assigns = append(c.Assigns, w.assign(assign))
	}
	if stmt != nil {
		c.Redirects = w.redirects(stmt.Redirs)
		c.Span = w.spanOf(stmt)
	} else {
		c.Span = w.spanOf(call)
	}
	if len(call.Args) == 0 {
		for _, a := range c.Assigns {
			w.assigned(a)
		}
	}
	i := w.add(&c)
	if w.language() == Zsh {
		w.evaluatesNumbers(call.Args, c.Words)
		w.pathOfProgram(call.Args)
	}
	w.run(i)
	for _, a := range c.Assigns {
		w.assignedCode(i, a.Name, a.Value) // PAGER="cmd" git log
	}
	w.folded, w.stdin, w.printed = outer, stdin, ""
}

// room is an empty slice for n words, cut from one piece for many commands.
func (w *walker) room(n int) []Word {
	if cap(w.slab)-len(w.slab) < n {
		w.slab = make([]Word, 0, max(n, min(max(2+len(w.s.Source)/5, 2*cap(w.slab)), 64)))
	}
	from := len(w.slab)
	w.slab = w.slab[:from+n]
	return w.slab[from : from : from+n]
}

// joined is words of one command followed by others.
func (w *walker) joined(words, others []Word) []Word {
	return append(append(w.room(len(words)+len(others)), words...), others...)
}

// add lists a command with what the surroundings say about it.
func (w *walker) add(c *Command) int {
	if p := w.parent; p >= 0 && len(c.Words) > 0 && c.Words[0].Text == w.s.Commands[p].first() { // another reading of it
		c.program, c.known = w.s.Commands[p].program, w.s.Commands[p].known
	} else {
		c.program = programOf(c.Words)
		c.known = about(c.program)
		w.otherName(c)
	}
	if w.span == nil {
		c.text = asWritten(w.s.Source, c.Words)
	}
	c.Parent, c.Link = w.parent, w.link
	c.Via, c.Dirs, c.Stdin, c.behind = w.via, w.dirs, w.stdin, w.behind
	c.listed, w.listed = w.listed, nil
	if w.folding {
		c.folded, c.Link = c.Link != Guess, Guess
	}
	if w.parent >= 0 && c.Taint == "" {
		c.Taint, c.Unlisted, c.suspect = w.s.Commands[w.parent].Taint, w.s.Commands[w.parent].Unlisted, w.s.Commands[w.parent].suspect
	}
	for _, a := range c.Assigns {
		w.inheritsHistory(a.Name, a.Value.Text)
		if a.Name == "IFS" && c.Program() == "read" {
			continue // it only says where read splits the line
		}
		if len(c.Words) > 0 {
			c.taintBy(a)
		}
	}
	if w.folding {
		w.work++
		w.changed = append(w.changed, w.touched(c))
	}
	w.s.Commands = append(w.s.Commands, *c)
	return len(w.s.Commands) - 1
}

// otherName gives chdir its usual name, cd. It is no builtin of bash, where nothing is known of a
// program of that name.
func (w *walker) otherName(c *Command) {
	if c.program != "chdir" {
		return
	}
	c.program = "cd"
	if w.language() == Zsh || w.reader == readBySh {
		c.known = about(c.program)
	}
}

// asWritten is the piece of the source that is exactly the words with one blank
// between them, which spares making it; "" if there is none.
func asWritten(src string, words []Word) string {
	for i := range words {
		span := words[i].Span
		if int(span.End) > len(src) || span.Start >= span.End || src[span.Start:span.End] != words[i].Text {
			return ""
		}
		if i > 0 && (span.Start != words[i-1].Span.End+1 || src[span.Start-1] != ' ') {
			return ""
		}
	}
	if len(words) == 0 {
		return ""
	}
	return src[words[0].Span.Start:words[len(words)-1].Span.End]
}

// run looks at what the command at index i does besides running its program: it
// may run other commands, change directory, assign or redefine names.
func (w *walker) run(i int) {
	words := w.s.Commands[i].Words
	if len(words) == 0 {
		return
	}
	for k := range words {
		w.strays(straysIn(words[k].Text))
	}
	if w.moving > 0 || w.astray != 0 {
		w.goes(words)
	}
	if !words[0].Known() {
		w.s.Commands[i].Opaque = OpaqueShell
		if words[0].Split && len(words) > 1 {
			w.child(i, Guess, words[1:]) // $SUDO rm: the variable may be empty
		}
		if name := withoutMarks(words[0].Text); name != "" && name != words[0].Text {
			guess := append([]Word{{Text: name, Span: words[0].Span}}, words[1:]...)
			w.child(i, Guess, guess) // r${x}m: the variable may be empty
		}
		for j := 1; j+1 < len(words); j++ {
			if words[j].Text == "-c" && words[j+1].Known() {
				w.code(i, Guess, "-c", words[j+1].Text, words[j+1].Span) // $SHELL -c
			}
		}
		return
	}
	if without, ok := withoutExpansions(words); ok {
		w.child(i, Guess, without)
	}
	if w.language().redefines(words) {
		w.problem(Unparseable, words[0].Text+" changes how zsh reads what follows", words[0].Span.Start)
	}
	if w.language() == Zsh {
		w.movesInZsh(words)
		w.namesInZsh(i)
		if words[0].Text != "" && words[0].Text[0] == '{' {
			w.problem(Unparseable, "zsh may read a block where bash reads a word", words[0].Span.Start)
		}
	}
	if name, ok := strings.CutPrefix(words[0].Text, "="); ok && name != "" { // zsh puts in the path of the program
		w.child(i, Guess, append([]Word{{Text: name, Span: words[0].Span}}, words[1:]...))
	}
	if isAssignment(words[0].Text) {
		w.child(i, Guess, words[1:]) // coproc x=1 command
	}
	if len(w.aliases) > 0 {
		w.expandAlias(i)
	}
	w.program(w.s.Commands[i].Program(), i)
}

// withoutExpansions is a command with options that are put together by expansions, as it is if those
// are empty: env -S"$x"make. It is not ok where there are none.
func withoutExpansions(words []Word) ([]Word, bool) {
	for at := 1; at < len(words); at++ {
		if text := words[at].Text; len(text) > 2 && text[0] == '-' && strings.IndexByte(text, Unknown) > 0 {
			without := slices.Clone(words)
			for k := range without {
				without[k].Text = withoutMarks(without[k].Text)
			}
			return without, true
		}
	}
	return nil, false
}

func withoutMarks(text string) string {
	if firstMark(text) < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i]; c != Unknown && c != Glob {
			out = append(out, c)
		}
	}
	return string(out)
}

// child lists a command that the command at index i runs, and looks into it.
func (w *walker) child(i int, link Link, words []Word) {
	if len(words) > 0 && w.firstVisit(link, words) {
		w.descend(i, link, words)
	}
}

// descend is child for words that cannot have been seen before.
func (w *walker) descend(i int, link Link, words []Word) {
	if !w.affords(len(words), words[0].Span.Start) {
		return
	}
	w.nested(i, link, w.s.Commands[i].Program(), func() {
		span := words[0].Span
		span.End = max(span.End, words[len(words)-1].Span.End)
		w.run(w.add(&Command{Words: words, Span: span}))
	})
}

// affords counts the work that readings of readings cause. A text that asks for much
// more than its size is hostile; it is never allowed.
func (w *walker) affords(words int, at int32) bool {
	w.work += 1 + words
	if w.exhausted() {
		w.problem(TooDeep, tooManyWays, at)
		return false
	}
	return true
}

const tooManyWays = "it can be read in too many ways to be judged"

// exhausted reports whether a text has caused all the work that it may.
func (w *walker) exhausted() bool { return w.work > 20_000+len(w.s.Source) }

// firstVisit keeps guesses from being tried again at the same word: readings of
// one command line overlap, and a second visit would find nothing new.
func (w *walker) firstVisit(link Link, words []Word) bool {
	if link != Guess {
		return true
	}
	if _, seen := w.guessed[&words[0]]; seen {
		return false
	}
	if w.guessed == nil {
		w.guessed = make(map[*Word]struct{})
	}
	w.guessed[&words[0]] = struct{}{}
	return true
}

// nested walks what command i runs, with i as the parent.
func (w *walker) nested(i int, link Link, via string, walk func()) {
	parent, outer, stdin := w.parent, w.link, w.stdin
	w.parent, w.link = i, max(link, w.inherited(i))
	w.stdin = w.s.Commands[i].Stdin
	w.inside(via, walk)
	w.parent, w.link, w.stdin = parent, outer, stdin
}

// inherited is the link below which no child of i can be: what a guess runs is a
// guess, what sudo runs is no longer transparent.
func (w *walker) inherited(i int) Link {
	if w.s.Commands[i].folded { // as all others of this pass
		return Direct
	}
	return w.s.Commands[i].Link
}

// maxSuffixes bounds how many readings of one command line are tried: their number
// times their length is what a hostile text could make us look at.
const maxSuffixes = 200

// suffixes tries every suffix of the words as a command: the syntax of the
// program is not known well enough to say where the command starts.
func (w *walker) suffixes(i int, words []Word) {
	if len(words) > maxSuffixes {
		w.problem(TooDeep, "a program that runs its arguments has too many of them to be judged", words[maxSuffixes].Span.Start)
		words = words[:maxSuffixes]
	}
	dirs := w.dirs
	defer func() { w.dirs = dirs }()
	w.dirs = w.elsewhere(i)
	for j := range words {
		w.child(i, Guess, words[j:])
		if words[j].Known() && strings.Contains(words[j].Text, " ") {
			code := words[j].Text
			if _, value, glued := strings.Cut(code, "="); glued && code[0] == '-' {
				code = value // --exec='command'
			}
			w.code(i, Guess, w.s.Commands[i].Program(), code, words[j].Span)
		}
	}
}

// code parses text that a shell will run. span is the word it stands in.
func (w *walker) code(i int, link Link, via, text string, span Span) {
	if !w.affords(4+len(text)/4, span.Start) {
		return
	}
	if refuse(text) != nil {
		if len(text) > 0 {
			w.opaque(i)
		}
		return
	}
	before := w.reader
	defer func() { w.reader = before }()
	if !w.stays {
		w.reader = readerOfCode(w.s.Commands[i].Program())
	}
	stmts, problem := read(text)
	var others []*syntax.Stmt
	switch {
	case problem != nil:
	case w.reader == readBySh:
		if others, problem = otherwise(posixReaders, text, stmts); problem != nil { // sh may be dash
			problem.Text = "dash, which is sh on many systems, does not read this text as bash does"
		}
	default:
		problem = w.language().differs(text, stmts)
	}
	if problem != nil && link != Guess {
		w.problem(problem.Kind, problem.Text, span.Start)
	}
	outer, dirs, fail, stays := w.span, w.dirs, w.failDirs, w.stays
	w.span, w.stays = &span, false
	w.nested(i, link, via, func() { w.list(stmts) })
	if len(others) > 0 {
		w.nested(i, link, via, func() { w.list(others) })
	}
	w.span = outer
	if !stays {
		w.dirs, w.failDirs = dirs, fail
	}
}

// codeReader is the shell that reads the code that is walked now.
type codeReader uint8

const (
	readByScript codeReader = iota // the one that reads the whole script
	readBySh                       // sh, which may be dash
	readByBash
	readByZsh
)

// readerOfCode is the shell that reads the code in the words of a program: sh, unless it is a shell
// with a language of its own.
func readerOfCode(program string) codeReader {
	switch {
	case !listed("bash rbash zsh ksh mksh yash fish csh tcsh elvish xonsh pwsh powershell", program):
		return readBySh
	case LanguageOf(program) == Zsh:
		return readByZsh
	}
	return readByBash
}

// language is the language of the code that is walked now.
func (w *walker) language() Language {
	switch w.reader {
	case readByScript:
		return w.s.language
	case readByZsh:
		return Zsh
	default:
		return Bash
	}
}

// opaque marks a command that runs shell text nobody can know.
func (w *walker) opaque(i int) {
	w.s.Commands[i].Opaque = OpaqueShell
}

// mayRun lists a place where bash may run unknown code although no command
// stands there: an arithmetic index, a prompt expansion.
func (w *walker) mayRun(why string, span Span) {
	i := w.add(&Command{
		Words: []Word{{Text: string([]byte{Unknown}), Span: span}}, Span: span,
		Opaque: OpaqueShell, Evaluated: true, Taint: why,
	})
	if c := &w.s.Commands[i]; c.Link == Transparent { // command read: no wrapper runs it, this shell does
		c.Link = Direct
	}
}
