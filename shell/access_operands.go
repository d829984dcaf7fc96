package shell

import "strings"

// arguments lists the paths among the words of the current command.
func (l *accessList) arguments() {
	if len(l.c.Words) < 2 {
		return
	}
	program := l.c.Program()
	known := l.c.knowledge()
	s := known.spec
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
	case readAll:
		mode := Reads
		if l.c.formatsInPlace() {
			mode = Writes
		}
		l.each(s, mode)
		l.namedInFiles(s, program)
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
	case writeFirst, patcher:
		l.sequence(s, Writes, Reads)
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
}

// each takes every operand the same way.
func (l *accessList) each(s *spec, mode AccessMode) {
	l.files = max(mode, Reads)
	for a := l.c.arguments(&s.grammar); a.next(); {
		if a.operand {
			l.value(mode, &a)
		} else {
			l.option(s, &a)
		}
	}
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
func (s *spec) optionMode(a *arguments) AccessMode {
	if a.name == "" { // --=x
		return 0
	}
	if a.long && len(a.name) > 1 {
		switch {
		case longIn(s.writes, a.name):
			return Writes
		case longIn(s.reads, a.name):
			return Reads
		}
		return 0
	}
	switch letter := a.name[0]; {
	case letterIn(s.writes, letter) != valueNone:
		return Writes
	case letterIn(s.reads, letter) != valueNone:
		return Reads
	}
	return 0
}

// anything is for programs that are not in the table: what could be a path is one
// that may be read.
func (l *accessList) anything(s *spec) {
	for a := l.c.arguments(&s.grammar); a.next(); {
		switch {
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
		case !a.long && a.cluster != "" && (a.cluster[0] == '=' || pathLike(a.cluster)): // -f.env, -f=.env
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
	for a := l.c.arguments(&s.grammar); a.next(); {
		if a.operand {
			continue
		}
		switch {
		case a.is('e', "expression"), a.is('E', "") && a.valueAt > 0, a.is('f', "file"), a.is(0, "regexp"), a.is(0, "files"), a.is(0, "from-file"):
			text = false
		}
		if s.operands == editInPlace && editsInPlace(&a) {
			mode = Writes
		}
	}
	l.files = mode
	for a := l.c.arguments(&s.grammar); a.next(); {
		switch {
		case !a.operand:
			l.option(s, &a)
			if a.is('e', "expression") {
				l.outputs(a.valueAt, a.value)
			}
		case text:
			text = false
			if firstIsScript(l.c.Program()) {
				l.value(Reads, &a)
			}
			l.outputs(a.valueAt, a.value)
			l.text(s, a.valueAt)
		default:
			l.value(mode, &a)
		}
	}
}

// editsInPlace: -i, --in-place, --inplace; gawk says -i inplace.
func editsInPlace(a *arguments) bool {
	if !a.is('i', "in-place") && !a.is(0, "inplace") {
		return false
	}
	return a.words[0].Text != "gawk" && a.words[0].Text != "awk" || a.value == "inplace"
}

// firstIsScript: without -e the first operand of perl and ruby is a file.
func firstIsScript(program string) bool {
	program = unversioned(program)
	return program == "perl" || program == "ruby"
}

// jq: --arg and its kind take two words.
func (l *accessList) jq(s *spec) {
	text := !l.c.has(&s.grammar, 'f', "from-file")
	for a := l.c.arguments(&s.grammar); a.next(); {
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
	for a := l.c.arguments(&s.grammar); a.next(); {
		if !a.operand {
			l.option(s, &a)
			continue
		}
		l.value(mode, &a)
		mode = others
	}
}

// unpacks: of the archivers, which also pack, what the verb says.
func (c *Command) unpacks() bool {
	if c.Program() == "unzip" {
		return true
	}
	switch c.Words[1].Text {
	case "x", "e", "l", "t":
		return true
	}
	return false
}

// packs is 7z a: a verb, the archive, what goes into it.
func (l *accessList) packs(s *spec) {
	modes := [...]AccessMode{0, Writes, Reads}
	n := 0
	for a := l.c.arguments(&s.grammar); a.next(); {
		if !a.operand {
			l.option(s, &a)
			continue
		}
		l.value(modes[min(n, 2)], &a)
		n++
	}
}

// extract reads the archive alone; only what it writes is a tree.
func (l *accessList) extract(s *spec) {
	reach := l.reach
	first := true
	for a := l.c.arguments(&s.grammar); a.next(); {
		switch {
		case !a.operand:
			l.reach = reach
			l.option(s, &a)
		case first && (l.c.Program() == "unzip" || a.at > 1):
			first = false
			l.reach = OnlyPath
			l.value(Reads, &a)
		}
	}
}

// afterMode: the first operand is a mode or an owner; chmod also takes a mode that
// looks like an option (chmod -x f), and --reference replaces it.
func (l *accessList) afterMode(s *spec) {
	mode := false
	for a := l.c.arguments(&s.grammar); a.next(); {
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
