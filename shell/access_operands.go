package shell

import (
	"slices"
	"strings"
)

// arguments lists the paths among the words of the current command.
func (l *accessList) arguments() {
	if len(l.c.Words) == 0 || len(l.c.Words) == 1 && l.c.Stdin.Kind == StdinInherited {
		return
	}
	program := l.c.Program()
	known := l.c.knowledge()
	s := known.spec
	l.stated(program)
	before := len(l.all)
	if len(l.c.Words) == 1 {
		l.strayInput(known)
		if s.operands == patcher {
			l.patch(s)
		}
		return
	}
	l.named(program, known)
	l.hidden(known)
	switch s.operands {
	case mayRead:
		if l.c.formatsInPlace() {
			l.each(s, Writes)
		} else if known.wrapper == nil {
			l.possible = true
			l.anything(s)
		}
	case noPaths:
		l.each(s, 0)
	case readAll, readMost:
		mode := Reads
		if l.c.formatsInPlace() {
			mode = Writes
		}
		l.each(s, mode)
		l.namedInFiles(s, program)
		if strings.HasPrefix(program, "gpg") && !l.c.has(&s.grammar, 'd', "decrypt") && !l.c.has(&s.grammar, 0, "verify") {
			l.unpackedNames(s)
		}
	case scriptFirst:
		l.scripts(s)
	case testOperands:
		l.tests()
	case textFirst, editInPlace:
		l.textThenFiles(s)
	case twoValued:
		l.jq(s)
	case writeAll:
		l.each(s, Writes)
	case deleteAll:
		l.each(s, Deletes)
	case copyLast, linkLast:
		l.intoLast(s, Reads)
	case moveLast:
		l.intoLast(s, Deletes)
	case modeFirst:
		l.afterMode(s)
	case readThenWrite:
		l.sequence(s, Reads, Writes)
	case writeFirst:
		l.sequence(s, Writes, Reads)
	case patcher:
		l.patch(s)
	case database:
		l.sequence(s, Writes, 0)
	case extractor:
		if l.c.unpacks() {
			l.extract(s)
		} else {
			l.packs(s)
		}
	default:
		l.special(s)
	}
	l.stray(known, before)
	l.strayFed(known)
	l.strayInput(known)
}

// each takes every operand the same way.
func (l *accessList) each(s *spec, mode AccessMode) {
	l.files = max(mode, Reads)
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
			l.option(s, &a)
		case l.leftOut(&a):
			l.value(min(mode, Reads), &a)
		default:
			l.value(mode, &a)
		}
	}
}

// leftOut reports whether an operand is the value of an option that names what is left alone.
func (l *accessList) leftOut(a *arguments) bool {
	before := l.c.Words[a.at-1].Text
	return isOption(before) && leavesOut(before)
}

// option adds the value of an option that takes a path.
func (l *accessList) option(s *spec, a *arguments) {
	if a.valueAt == 0 {
		return
	}
	l.value(s.optionMode(a), a)
	if a.whole() {
		l.pattern(s, a.valueAt)
	}
}

// optionMode is what is done with the value of the option just found; 0 when it
// is no path.
func (g *grammar) optionMode(a *arguments) AccessMode {
	if a.name == "" { // --=x
		return 0
	}
	if a.long && len(a.name) > 1 {
		switch {
		case longIn(g.writes, a.name):
			return Writes
		case longIn(g.reads, a.name):
			return Reads
		case a.valueAt != a.at || longIn(g.values, a.name):
			return 0
		case beginsIn(g.writes, a.name): // a flag has no value, so the name is a short form of a longer one
			return Writes
		case beginsIn(g.reads, a.name):
			return Reads
		}
		return 0
	}
	switch letter := a.name[0]; {
	case letterIn(g.writes, letter) != valueNone:
		return Writes
	case letterIn(g.reads, letter) != valueNone:
		return Reads
	}
	return 0
}

// anything is for programs that are not in the table: what could be a path is one
// that may be read.
func (l *accessList) anything(s *spec) {
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand && l.leftOut(&a), a.long && leavesOut(a.name):
			l.possible = !Protected(a.value) // it is not written
			l.value(Reads, &a)
			l.possible = true
		case a.operand:
			l.value(Reads, &a)
			l.inner(a.valueAt)
		case a.valueAt > 0 && s.optionMode(&a) != 0:
			l.option(s, &a)
		case a.valueAt > 0 && a.long:
			l.value(Reads, &a)
			if _, path, found := strings.Cut(a.value, "="); found { // --from-file=key=x
				l.part(Reads, a.valueAt, path)
			}
		case !a.long && a.cluster != "" && (a.cluster[0] == '=' || a.firstLetter() && pathLike(a.cluster)): // -f.env, -f=.env
			l.part(Reads, a.at, strings.TrimPrefix(a.cluster, "="))
			a.cluster = ""
		}
	}
}

// inner adds what stands behind "=" or "@" in an operand: if=x, key=@x, @x.
func (l *accessList) inner(at int) {
	_, path, found := strings.Cut(l.c.Words[at].Text, "=")
	if !found {
		path = l.c.Words[at].Text
	}
	file, sent := strings.CutPrefix(path, "@")
	if found || sent {
		l.part(Reads, at, file)
	}
	if piece := protectedPiece(l.c.Words[at].Text); piece != "" && piece != file {
		l.part(Reads, at, piece)
	}
}

func pathLike(text string) bool {
	return strings.ContainsAny(text, "./~") || strings.IndexByte(text, Unknown) >= 0
}

func (l *accessList) tests() {
	for i := 1; i < len(l.c.Words); i++ {
		switch text := l.c.Words[i].Text; {
		case text == "]" || text == "=" || text == "==" || text == "!=" || text == "!" || text == "(" || text == ")":
		case len(text) > 1 && text[0] == '-':
		default:
			l.word(Reads, i)
		}
	}
}

// textThenFiles: the first operand is a pattern or a program unless an option gave
// one. With -i the files are edited.
func (l *accessList) textThenFiles(s *spec) {
	text, mode := true, Reads
	program := l.c.Program()
	awk, edits := isAwk(program), s.operands == editInPlace
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if a.operand {
			continue
		}
		switch {
		case a.is('e', "expression"), a.is('E', "") && a.valueAt > 0, a.is('f', "file"), a.is(0, "regexp"), a.is(0, "files"), a.is(0, "from-file"), a.is(0, "source"):
			text = false
		}
		if edits && editsInPlace(&a) {
			mode = Writes
		}
	}
	if awk && slices.ContainsFunc(l.c.Words, func(word Word) bool { return strings.Contains(word.Text, "inplace") }) {
		mode = Writes
	}
	l.files = mode
	a = l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand && edits && editsInPlace(&a):
			if strings.ContainsAny(a.value, "/*") { // what the copies are called
				l.part(Writes, a.at, strings.ReplaceAll(a.value, "*", globMark))
			}
		case !a.operand:
			l.option(s, &a)
			if awk && awkLoads(&a) {
				l.part(Reads, a.valueAt, unknownMark)
			}
			if a.is('W', "") && a.valueAt > 0 { // another way to write a long option of awk
				l.part(Reads, a.valueAt, unknownMark)
			}
			switch {
			case a.is('e', "expression") || a.is(0, "source"):
				l.outputs(a.valueAt, a.value)
			case a.is('f', "file") && a.valueAt > 0:
				if program, ok := l.script.fileText(l.index, a.valueAt, a.value); ok {
					l.outputs(a.valueAt, program)
				}
			case a.is('s', "split-exp") && program == "yq" && a.at+1 < len(a.words):
				l.part(Writes, a.at+1, protectedIn(a.words[a.at+1].Text))
			}
		case text && contextLines(l.c.Words, a.at):
		case text:
			text, l.textAt = false, a.valueAt
			if firstIsScript(program) || program == "yq" && l.onlyOperand(s, a.at) {
				l.value(Reads, &a)
			}
			l.outputs(a.valueAt, a.value)
			l.text(s, a.valueAt)
		case mode == Reads && firstIsScript(program):
			l.argument(&a)
		default:
			l.value(mode, &a)
		}
	}
}

// contextLines: the word is the number of lines that ag and ack show around a match. It may be
// left out, and then the next word is what they look for.
func contextLines(words []Word, at int) bool {
	program := programOf(words)
	return (program == "ag" || program == "ack") && isDecimal(words[at].Text) && listed("-A -B -C --after --before --context", words[at-1].Text)
}

// onlyOperand: no other operand follows. Newer versions of yq take such a one for a file if there
// is one of that name.
func (l *accessList) onlyOperand(s *spec, at int) bool {
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if a.operand && a.at > at {
			return false
		}
	}
	return true
}

// editsInPlace: -i, --in-place, --inplace. To gawk -i is code that it loads.
func editsInPlace(a *arguments) bool {
	return (a.is('i', "in-place") || a.is(0, "inplace")) && !isAwk(programOf(a.words))
}

// isAwk: the program reads the language of awk.
func isAwk(program string) bool {
	return listed("awk gawk mawk nawk original-awk goawk frawk", program)
}

// awkLoads: the option gives awk code that no word shows: a library, or a program that it
// reads from its input or from a command.
func awkLoads(a *arguments) bool {
	switch {
	case a.is('i', "include"), a.is('l', "load"):
		return true
	case a.is('f', "file"), a.is('E', "exec"):
		return a.value == "-" || strings.HasPrefix(a.value, "/dev/") || firstMark(a.value) >= 0
	}
	return false
}

// firstIsScript: without -e the first operand of perl and ruby is a file.
func firstIsScript(program string) bool {
	program = unversioned(program)
	return program == "perl" || program == "ruby"
}

// jq: --arg and its kind take two words.
func (l *accessList) jq(s *spec) {
	text := !l.c.has(&s.grammar, 'f', "from-file")
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.is(0, "slurpfile"), a.is(0, "rawfile"):
			if a.at+2 < len(a.words) {
				l.word(Reads, a.at+2)
			}
			l.twoPatterns(s, &a)
		case a.is(0, "arg"), a.is(0, "argjson"):
			l.twoPatterns(s, &a)
		case !a.operand:
			l.option(s, &a)
		case text:
			text = false
			if jqMayReadFiles(a.value) {
				l.part(Reads, a.valueAt, unknownMark)
			}
			l.text(s, a.valueAt)
		default:
			l.value(Reads, &a)
		}
	}
	if l.c.has(&s.grammar, 'f', "from-file") { // the filter may read any file
		l.part(Reads, 0, unknownMark)
	}
}

// sequence gives the first operand one mode and all others another.
func (l *accessList) sequence(s *spec, first, others AccessMode) {
	mode := first
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if !a.operand {
			l.option(s, &a)
			continue
		}
		l.value(mode, &a)
		mode = others
	}
}

// afterMode: the first operand is a mode or an owner; chmod also takes a mode that
// looks like an option (chmod -x f), and --reference replaces it.
func (l *accessList) afterMode(s *spec) {
	mode := false
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.operand && mode:
			l.value(Writes, &a)
		case a.operand:
			mode = true
		case a.is(0, "reference"), !a.long && strings.IndexByte("rwxXstugoai", a.name[0]) >= 0:
			mode = true
			l.option(s, &a)
		}
	}
}
