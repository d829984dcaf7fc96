package shell

import (
	"slices"
	"strings"
)

// expression is what matters about the tests and actions of find.
type expression struct {
	deletes  bool // -delete, or -exec of a command that removes {}
	narrowed bool // a test in front of the deleting action picks files
	at       int  // the word of that action
	name     string
	runs     bool // there is an -exec
}

// readExpression follows the words of find. Tests count up to the first action
// that deletes; behind -o the picking starts again.
func readExpression(words []Word) expression {
	var e expression
	negated := false
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch text {
		case "!", "-not":
			negated = !negated
			continue
		case "-o", "-or", ",":
			e.narrowed, e.name = false, ""
		case "-delete":
			e.deletes, e.at = true, i
			return e
		case "-exec", "-execdir", "-ok", "-okdir":
			end := endOfExec(words, i)
			e.runs = true
			if removesEach(words[i+1 : end]) {
				e.deletes, e.at = true, i
				return e
			}
			i = end
		case "-empty", "-nouser", "-nogroup":
			e.narrowed = e.narrowed || !negated
		case "-fprintf":
			i += 2
		default:
			i += e.test(words, i, negated)
		}
		negated = false
	}
	return e
}

// test reads a test with its value and returns how many words that takes beyond
// the first.
func (e *expression) test(words []Word, i int, negated bool) int {
	text := words[i].Text
	if i+1 >= len(words) || len(text) < 2 || text[0] != '-' {
		return 0
	}
	value := words[i+1].Text
	if !findValued.has(text) && !strings.HasPrefix(text, "-newer") && text != "-samefile" && text != "-anewer" && text != "-cnewer" {
		return 0
	}
	if negated {
		return 1
	}
	switch text {
	case "-maxdepth", "-mindepth", "-fstype", "-printf", "-regextype", "-depth":
	case "-type", "-xtype":
		e.narrowed = e.narrowed || value == "l"
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex":
		if strings.Trim(value, "*?.") != "" {
			e.narrowed = true
		}
		e.name = value
	default:
		e.narrowed = true
	}
	return 1
}

// removesEach: the command of an -exec removes the file that is filled in.
func removesEach(words []Word) bool {
	filled := false
	for _, word := range words {
		filled = filled || strings.Contains(word.Text, "{}")
	}
	return filled && (deletesFiles(words) || (&Command{Words: words}).empties())
}

// changesFound: one of the words is an action of find that deletes or runs something.
func changesFound(words []Word) bool {
	for i := range words {
		switch words[i].Text {
		case "-delete", "-exec", "-execdir", "-ok", "-okdir":
			return true
		}
	}
	return false
}

// finds judges find: what is deleted depends on where it starts and on whether a
// test picks the files.
func finds(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if !changesFound(c.Words) {
		return nil
	}
	e := readExpression(c.Words)
	if !e.deletes && (!e.runs || !s.childRemoves(i)) {
		return nil
	}
	if e.narrowed && Protected(e.name) {
		return onFloor(s.at(kindControl, i, e.at, "deletes protected paths"))
	}
	var worst *Finding
	for at, path := range c.startingPoints {
		for _, dir := range dirsOf(c) {
			worst = worse(worst, s.foundFrom(i, at, locate(path, dir), e.narrowed))
		}
	}
	return worst
}

// Narrowed reports whether command i is find and deletes only what its tests pick.
func (s *Script) Narrowed(i int) bool {
	c := &s.Commands[i]
	switch c.Program() {
	case "find", "gfind":
		return readExpression(c.Words).narrowed
	case "git":
		sub := c.removesTracked()
		operands := slices.DeleteFunc(slices.Clone(c.Words[max(sub, 1):]), func(word Word) bool { return listed("rm -r -f -rf -q --", word.Text) })
		return sub > 0 && len(operands) > 0 && !slices.ContainsFunc(operands, func(word Word) bool { return !narrowPathspec(word.Text) })
	}
	return false
}

// narrowPathspec reports whether git takes a word for a pattern of names that have something in
// common: *.log.
func narrowPathspec(text string) bool {
	at := strings.IndexByte(text, '*')
	if at < 0 || firstMark(text) >= 0 || strings.ContainsAny(text, ":[\\") || strings.Contains(text, "..") {
		return false
	}
	return strings.ContainsFunc(text[at:], func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

func (s *inspection) foundFrom(i, at int, loc location, narrowed bool) *Finding {
	text := "deletes below " + loc.place.String()
	switch {
	case loc.place.ruinous() && !narrowed:
		return onFloor(s.at(kindRemove, i, at, text))
	case loc.place == root, loc.place == systemTop, loc.place == systemPath, loc.place == parent, loc.place == beside:
		return s.at(kindRemove, i, at, text)
	case !narrowed && (loc.place == belowHome || loc.place == topLevel || loc.place == elsewhere):
		return s.at(kindRemove, i, at, text)
	}
	return nil
}

// childRemoves: a command that find starts removes what is not known here.
func (s *inspection) childRemoves(i int) bool {
	for j := i + 1; j < len(s.Commands); j++ {
		c := &s.Commands[j]
		switch {
		case !s.below(j, i):
		case c.deletesOperands() && !c.Words[len(c.Words)-1].Known():
			return true
		case c.empties() && s.changesUnknown(j):
			return true
		}
	}
	return false
}

// changesUnknown reports whether command j changes a file that is not known.
func (s *inspection) changesUnknown(j int) bool {
	for _, a := range s.accessesOf(j) {
		if a.Mode != Reads && a.Path == unknownMark {
			return true
		}
	}
	return false
}

// below reports whether command j is run, directly or not, by command i.
func (s *inspection) below(j, i int) bool {
	for j > i {
		j = s.Commands[j].Parent
	}
	return j == i
}

// startingPoints yields where find starts: the word and the path.
func (c *Command) startingPoints(yield func(int, string) bool) {
	any := false
	for i := 1; i < len(c.Words) && !startsExpression(c.Words[i].Text); i++ {
		if findOption(c.Words[i].Text) {
			continue
		}
		any = true
		path := pathOf(c.Words[i], c.Link == Guess)
		if c.Words[i].Split && withoutUnknown(path) == "" {
			path = "." // an empty variable leaves find without a starting point
		}
		if !yield(i, path) {
			return
		}
	}
	if !any {
		yield(0, ".")
	}
}

func (c *Command) startsAtRuin() bool {
	for _, path := range c.startingPoints {
		for _, dir := range dirsOf(c) {
			if loc := locate(path, dir); loc.place.ruinous() || loc.place == belowHome || loc.place == systemPath {
				return true
			}
		}
	}
	return false
}

// dirsOf is never empty.
func dirsOf(c *Command) []string {
	if len(c.Dirs) == 0 {
		return startDir
	}
	return c.Dirs
}

var fdGrammar = grammar{values: "e t d S E g o c j extension type max-depth size exclude glob owner color threads changed-within changed-before base-directory"}

// fdNarrows: a pattern or a filter picks the files.
func fdNarrows(c *Command) bool {
	a := c.arguments(&fdGrammar)
	for a.next() {
		switch {
		case a.operand:
			return strings.Trim(a.value, ".*") != ""
		case a.is('e', "extension"), a.is('S', "size"), a.is(0, "changed-within"), a.is(0, "changed-before"), a.is('g', "glob"):
			return true
		case a.is('x', "exec"), a.is('X', "exec-batch"):
			return false
		}
	}
	return false
}

// fds judges fd with -x rm.
func fds(s *inspection, i int) *Finding {
	if !s.childRemoves(i) || fdNarrows(&s.Commands[i]) {
		return nil
	}
	return onFloor(s.at(kindRemove, i, 0, "deletes everything in the working directory"))
}
