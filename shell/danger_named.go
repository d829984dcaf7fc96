package shell

import (
	"iter"
	"slices"
	"strings"
)

// Where an operand is not known, the script itself often spells what it may be: in an
// assignment, an array, set --, a here-string, or in what a substitution or a search lists.
// The search for it follows names in the source, so it may find more than bash would.

// valueSearch looks for what an expansion may stand for.
type valueSearch struct {
	s       *inspection
	first   string          // the first name that was looked at
	seen    map[string]bool // the others
	printed map[int]bool    // commands whose output was looked at
	found   func(text string) bool
	// lists tells which paths a command prints; nil where only constant words count.
	lists func(j int) bool
	// whole: a value is one name, so that a path among the words of a text is none.
	whole bool
	done  bool
}

// mostLooked bounds how many commands all searches look at. What would take longer is taken
// for the worst.
const mostLooked = 1 << 19

// worstValue is a system directory where a tree is deleted, and protected where it is changed.
const worstValue = "/etc/assent/.."

// affords counts what is looked at.
func (v *valueSearch) affords(n int) bool {
	if v.s.looked += n; v.s.looked > mostLooked && !v.done {
		v.done = true
		v.found(worstValue)
	}
	return !v.done
}

// protectedValue is a protected path that the operand of a change may be, "" if there is none.
func (s *inspection) protectedValue(a *Access) string {
	path := ""
	keep := func(text string) bool {
		path = protectedAmong(text)
		return path != ""
	}
	s.valuesOf(a.Command, a.Span, keep, func(j int) bool {
		path = s.listedProtected(j)
		return path != ""
	})
	return path
}

// protectedAmong is a protected path that a text is, or that stands in a short one.
func protectedAmong(text string) string {
	switch {
	case Protected(text):
		return text
	case len(text) < maxTrimmed:
		return protectedWord(text)
	}
	return ""
}

// valuesOf gives what the word at a place of command i may stand for to found, and the commands
// that list it to lists, until one of them is satisfied.
func (s *inspection) valuesOf(i int, span Span, found func(text string) bool, lists func(j int) bool) {
	v := valueSearch{s: s, found: found, lists: lists}
	v.of(i, span)
}

// of looks for what the word at a place of command i may stand for.
func (v *valueSearch) of(i int, span Span) {
	v.span(span, i)
	for p := v.s.Commands[i].Parent; p >= 0 && !v.done; p = v.s.Commands[p].Parent {
		v.runner(p)
	}
}

// runner is a command that runs the one in question, and may give it words.
func (v *valueSearch) runner(p int) {
	c := &v.s.Commands[p]
	switch c.Program() {
	case "xargs", "gxargs", "parallel":
		v.whole = false
		v.input(p)
		for k := range c.Words {
			word := &c.Words[k]
			if feeds(*word) {
				v.inside(word.Span, p)
			} else if k > 0 && listsInFile(c.Words[k-1].Text) {
				v.file(word.Text)
			} else if _, list, ok := strings.Cut(word.Text, "="); ok && strings.HasPrefix(word.Text, "--arg-f") {
				v.file(list)
			} else if list, ok := strings.CutPrefix(word.Text, "-a"); ok {
				v.file(list)
			}
		}
	case "find", "gfind", "fd", "fdfind":
		v.prints(p)
	case "sh", "bash", "dash", "zsh", "ksh":
		v.words(c.Args(), p)
	}
}

// span is a piece of the source: the substitutions in it, and the names of variables.
func (v *valueSearch) span(span Span, i int) {
	v.inside(span, i)
	source := v.s.Source
	if span.Start < 0 || span.Start >= span.End || int(span.End) > len(source) {
		return
	}
	for name := range variablesIn(source[span.Start:span.End]) {
		if v.name(name, i); v.done {
			return
		}
	}
}

// variablesIn yields the names of the variables in a piece of the source, "@" for the parameters.
func variablesIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := strings.IndexByte(text, '$'); at >= 0; at = strings.IndexByte(text, '$') {
			text = strings.TrimLeft(text[at+1:], "{!#")
			end := 0
			for end < len(text) && (isLetter(text[end]) || text[end] == '_' || text[end] >= '0' && text[end] <= '9') {
				end++
			}
			name := text[:end]
			if end == 0 && text != "" && (text[0] == '@' || text[0] == '*') || end > 0 && name[0] <= '9' {
				name = "@"
			}
			if name != "" && !yield(name) {
				return
			}
		}
	}
}

// inside are the substitutions that stand in a piece of the source.
func (v *valueSearch) inside(span Span, i int) {
	if !v.affords(min(len(v.s.Commands), 2*lookAround) / 8) {
		return
	}
	for j := max(0, i-lookAround); j < min(len(v.s.Commands), i+lookAround) && !v.done; j++ {
		if j != i && v.s.within(j, span) && slices.Contains(v.s.Commands[j].Via, "$(…)") {
			v.prints(j)
		}
	}
}

// name is a variable, "@" for the parameters.
func (v *valueSearch) name(name string, i int) {
	if name == "" || name == v.first || v.seen[name] {
		return
	}
	if v.first == "" {
		v.first = name
	} else {
		v.sees(name)
	}
	if name == "_" { // the last word of the command before
		if i > 0 && len(v.s.Commands[i-1].Words) > 0 {
			words := v.s.Commands[i-1].Words
			v.words(words[len(words)-1:], i-1)
		}
		return
	}
	for k := range v.s.loops {
		if l := &v.s.loops[k]; l.name == name {
			v.words(l.words, i)
			if l.all {
				v.name("@", i)
			}
		}
	}
	if !v.affords(len(v.s.Commands)) {
		return
	}
	for j := 0; j < len(v.s.Commands) && !v.done; j++ {
		v.gives(j, name)
	}
}

func (v *valueSearch) sees(name string) {
	if v.seen == nil {
		v.seen = make(map[string]bool)
	}
	v.seen[name] = true
}

// gives looks at what command j gives the variable.
func (v *valueSearch) gives(j int, name string) {
	c := &v.s.Commands[j]
	for k := range c.Assigns {
		if a := &c.Assigns[k]; a.Name == name {
			v.words([]Word{a.Value}, j)
			v.words(a.elements, j)
		}
	}
	switch program := c.Program(); {
	case name == "@":
		if program == "set" || v.s.defines(program) {
			v.words(c.Args(), j)
		}
	case program == "getopts":
		if name == "OPTARG" {
			v.words(c.Args(), j)
		}
	case program == "printf":
		if c.hasWord("-v") && c.fills(name) {
			v.words(c.Args(), j)
		}
	case program == "read" || program == "mapfile" || program == "readarray":
		if c.fills(name) || program == "read" && name == "REPLY" || name == "MAPFILE" {
			v.whole = v.whole && !c.splitsLines()
			v.input(j)
		}
	case program == "env":
		for _, word := range c.Args() {
			if value, ok := strings.CutPrefix(word.Text, name+"="); ok {
				v.text(value)
			}
		}
	}
}

// fills reports whether a variable, or an element of it, is among the words: read x, printf -v 'x[0]'.
func (c *Command) fills(name string) bool {
	return slices.ContainsFunc(c.Args(), func(word Word) bool {
		rest, ok := strings.CutPrefix(word.Text, name)
		return ok && (rest == "" || rest[0] == '[')
	})
}

// splitsLines reports whether the command reads a line into several variables, or into an array.
func (c *Command) splitsLines() bool {
	words := c.Words
	if n := len(words); n > 2 && isName(words[n-2].Text) && isName(words[n-1].Text) {
		return true
	}
	return c.Program() == "read" && slices.ContainsFunc(c.Args(), func(word Word) bool { return isOption(word.Text) && strings.Contains(word.Text, "a") })
}

// defines reports whether the script defines the function.
func (s *inspection) defines(name string) bool {
	if s.functions == nil {
		s.functions = make(map[string]bool, len(s.Functions))
		for i := range s.Functions {
			s.functions[s.Functions[i].Name] = true
		}
	}
	return s.functions[name]
}

// words are values: what they spell, and what stands in them.
func (v *valueSearch) words(words []Word, i int) {
	for _, word := range words {
		if v.done {
			return
		}
		if strings.IndexByte(word.Text, Unknown) >= 0 {
			v.span(word.Span, i)
		}
		if word.Text != "" && word.Text[0] != Unknown || word.Home {
			v.text(pathOf(word, true))
		}
	}
}

// text is a value, whose fields may become others.
func (v *valueSearch) text(text string) {
	if text == "" || !v.affords(1+len(text)/8) {
		return
	}
	v.done = v.done || v.found(text)
	if !strings.ContainsAny(text, " \t\n") || !v.affords(len(text)/4) {
		return
	}
	if v.whole {
		v.lines(text)
		return
	}
	for field := range strings.FieldsSeq(text) {
		if v.done = v.done || v.found(field); v.done {
			return
		}
	}
}

// lines are the lines of a text.
func (v *valueSearch) lines(text string) {
	for line := range strings.Lines(text) {
		if v.done = v.done || v.found(strings.TrimSpace(line)); v.done {
			return
		}
	}
}

// input is what command j reads.
func (v *valueSearch) input(j int) {
	c := &v.s.Commands[j]
	switch c.Stdin.Kind {
	case StdinText:
		v.text(c.Stdin.Text)
	case StdinPipe:
		for k := max(c.Stdin.From, c.Stdin.To-lookAround); k < c.Stdin.To && k < len(v.s.Commands); k++ {
			v.prints(k)
		}
	case StdinFile, StdinUnknown:
		v.text(c.Stdin.Text)
		for k := max(0, j-lookAround); k <= j; k++ { // the redirection may be that of the loop around it
			from := &v.s.Commands[k]
			if k != j && (len(from.Words) > 0 || !v.s.within(j, from.Span)) {
				continue
			}
			for n := range from.Redirects {
				r := &from.Redirects[n]
				if v.span(r.Span, j); r.Kind == RedirectRead {
					v.file(r.Target.Text)
				}
			}
		}
	case StdinInherited:
	}
}

// listsInFile reports whether the word behind an option of xargs or parallel is a file with a list.
func listsInFile(text string) bool {
	return text == "-a" || text == "--arg-file" || text == "::::"
}

// file is a list in a file that the script itself has written.
func (v *valueSearch) file(path string) {
	path = strings.TrimPrefix(path, "./")
	if path == "" || firstMark(path) >= 0 || v.seen["<"+path] || !v.affords(len(v.s.accesses)) {
		return
	}
	v.sees("<" + path)
	for k := range v.s.accesses {
		if a := &v.s.accesses[k]; a.Mode == Writes && strings.TrimPrefix(a.Path, "./") == path && !v.done {
			v.wrote(a)
		}
	}
}

// wrote is what a command wrote into a file.
func (v *valueSearch) wrote(a *Access) {
	c := &v.s.Commands[a.Command]
	if a.Redirect && len(c.Words) > 0 {
		v.prints(a.Command)
	}
	if a.Redirect && len(c.Words) == 0 { // of a block
		for j := max(0, a.Command-lookAround); j < min(len(v.s.Commands), a.Command+lookAround) && v.affords(1); j++ {
			if j != a.Command && v.s.within(j, c.Span) {
				v.prints(j)
			}
		}
	}
	switch program := c.Program(); {
	case passing.has(program):
		v.input(a.Command)
	case listed("cp gcp mv gmv ln install", program):
		for _, from := range v.s.accessesOf(a.Command) {
			if from.Mode == Reads {
				v.file(from.Path)
			}
		}
	}
}

// passing are programs that print all the lines that they read.
var passing = wordSet{list: "cat tac sort uniq tee sponge tr nl"}

// prints is the output of command j. It is looked at once: what a guess makes of a command has the
// place of that command, so that each may seem to stand in the other.
func (v *valueSearch) prints(j int) {
	if v.printed[j] {
		return
	}
	if v.printed == nil {
		v.printed = make(map[int]bool)
	}
	v.printed[j] = true
	c := &v.s.Commands[j]
	switch c.Program() {
	case "echo", "printf":
		v.words(c.Args(), j)
	case "sed", "gsed", "cut", "awk", "gawk", "mawk", "grep", "head", "tail", "tr":
		if c.Stdin.Kind == StdinText { // a piece of it
			v.text(strings.NewReplacer(":", " ", ",", " ", ";", " ", "|", " ", "=", " ").Replace(c.Stdin.Text))
		}
		v.done = v.done || v.lists != nil && v.lists(j)
	default:
		v.done = v.done || v.lists != nil && v.lists(j)
	}
	if !passing.has(c.Program()) && !v.s.printsFile(c) || v.done || !v.affords(lookAround/8) || v.s.picked(j) {
		return
	}
	for _, a := range v.s.accessesOf(j) {
		if a.Mode == Reads {
			v.file(a.Path)
		}
	}
}

// printsFile reports whether the command is the redirection of $(<file).
func (s *inspection) printsFile(c *Command) bool {
	at := int(c.Span.Start)
	return len(c.Words) == 0 && at >= 0 && at < len(s.Source) && s.Source[at] == '<'
}

// listsNames reports whether command j prints names of files, and not what is in them or how many
// there are.
func (s *inspection) listsNames(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind", "ls", "fd", "fdfind", "tree", "realpath", "readlink", "dirname", "locate":
	case "grep", "egrep", "fgrep", "rg", "ag":
		if !slices.ContainsFunc(c.Args(), printsNames) {
			return false
		}
	case "git":
		if !slices.ContainsFunc(c.Args(), func(word Word) bool { return gitNames.has(word.Text) }) {
			return false
		}
	default:
		return false
	}
	for k := j + 1; k < min(len(s.Commands), j+lookAround); k++ {
		next := &s.Commands[k]
		if next.Stdin.Kind == StdinPipe && next.Stdin.From <= j && j < next.Stdin.To && counting.has(next.Program()) {
			return false
		}
	}
	return true
}

// printsNames reports whether an option makes grep print names: -l, --files-with-matches, --files.
func printsNames(word Word) bool {
	if !isOption(word.Text) {
		return false
	}
	if strings.HasPrefix(word.Text, "--") {
		return strings.HasPrefix(word.Text, "--files")
	}
	return strings.ContainsAny(word.Text, "lL")
}

// gitNames are the words with which git prints names of files.
var gitNames = wordSet{list: "ls-files ls-tree status --name-only --name-status -l --files-with-matches --git-dir --git-common-dir --git-path --absolute-git-dir"}

// counting are programs that print how much they read, or a sum of it.
var counting = wordSet{list: "wc md5sum sha1sum sha256sum sha512sum shasum cksum sum"}

// listedProtected is a protected path among the names that command j lists.
func (s *inspection) listedProtected(j int) string {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind":
		if path := foundProtected(c); path != "" {
			return path
		}
	case "ls", "grep", "egrep", "fgrep", "rg", "ag", "git", "fd", "fdfind", "tree", "du", "realpath", "readlink", "dirname", "stat", "locate", "cat":
	default:
		return ""
	}
	if program := c.Program(); program == "fd" || program == "fdfind" {
		for a := c.arguments(&about(program).spec.grammar); a.next() && !a.is('x', "exec") && !a.is('X', "exec-batch"); {
			if a.operand && Protected(a.value) {
				return a.value
			}
		}
	}
	for _, a := range s.accessesOf(j) {
		if a.Mode == Reads && !a.Possible && Protected(a.Path) {
			return a.Path
		}
	}
	return ""
}

// foundProtected is a protected path that the tests of find pick: by its path, or by a name that
// stands in such a place, where find comes by one.
func foundProtected(c *Command) string {
	named, path := "", ""
	for at := 1; at+1 < len(c.Words); at++ {
		value := strings.NewReplacer("*", globMark, "?", globMark).Replace(c.Words[at+1].Text)
		negated := c.Words[at-1].Text == "!" || c.Words[at-1].Text == "-not"
		switch c.Words[at].Text {
		case "-name", "-iname":
			if !negated && placedNames.has(strings.TrimSuffix(value, ".sample")) {
				named = value
			}
			if behindStar(value) && Protected("."+value) {
				value = "." + value // to find a star is a dot too
			}
		case "-path", "-ipath", "-wholename", "-iwholename":
		default:
			continue
		}
		if !Protected(value) {
			continue
		}
		if negated || c.hasWord("-prune") {
			return ""
		}
		path = value
	}
	if path == "" && named != "" {
		for _, start := range c.startingPoints {
			if at := locate(start, firstDir(c)).place; at.ruinous() || at == nowhere {
				return behind(withoutMarks(start), placeOf(named)+named)
			}
		}
	}
	return path
}

// behindStar reports whether a name begins with a star and goes on with more than an extension.
func behindStar(name string) bool {
	at := 0
	for at < len(name) && name[at] == Glob {
		at++
	}
	return at > 0 && at < len(name) && name[at] != '.'
}

// placeOf is a protected directory that has a file of that name.
func placeOf(name string) string {
	switch {
	case strings.HasPrefix(name, "settings"):
		return ".claude/"
	case name == "launch.json" || name == "tasks.json":
		return ".vscode/"
	}
	return ".git/"
}

// placedNames are names that files and directories in protected places have.
var placedNames = wordSet{list: "hooks pre-commit pre-push commit-msg post-checkout post-merge post-commit prepare-commit-msg settings.json settings.local.json launch.json tasks.json config HEAD packed-refs"}
