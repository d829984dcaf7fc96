package shell

import (
	"slices"
	"strings"
)

// unpacked adds a member that an archiver writes below a directory. The archiver may read
// the name as a pattern.
func (l *accessList) unpacked(at int, dir string) {
	l.part(Writes, at, behind(dir, strings.NewReplacer("*", globMark, "?", globMark).Replace(l.c.Words[at].Text)))
}

// unpacksHere adds the directory in which a program writes files that it does not name, if
// that may be protected.
func (l *accessList) unpacksHere(dir string) {
	if slices.ContainsFunc(dirsOf(l.c), func(from string) bool { return Protected(behind(from, dir)) }) {
		l.part(Writes, 0, behind(dir, "."))
	}
}

// unpacksPiped adds the protected names that are packed into the archive which an archiver reads
// from a pipe: tar c .git | tar x.
func (l *accessList) unpacksPiped(dir string) {
	in := l.c.Stdin
	if in.Kind != StdinPipe {
		return
	}
	if from := [2]int{int(in.From), int(in.To)}; from != l.packedBy {
		l.packedBy, l.packed = from, l.packedName()
	}
	if l.packed != "" {
		l.part(Writes, 0, behind(dir, l.packed))
	}
}

// packedName is the first protected name among the words of the commands before the pipe.
func (l *accessList) packedName() string {
	in := l.c.Stdin
	for k := max(in.From, in.To-lookAround); k < min(in.To, len(l.script.Commands)); k++ {
		words := l.script.Commands[k].Words
		for at := 1; at < len(words); at++ {
			text := words[at].Text
			if !isOption(text) && Protected(text) && !leavesOut(words[at-1].Text) {
				return text
			}
		}
	}
	return ""
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
	a := l.c.arguments(&s.grammar)
	for a.next() {
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
	first, writes, dir := true, !l.c.onlyLists(s), ""
	if writes {
		l.unpacksHere("")
		where := l.c.arguments(&s.grammar)
		for where.next() {
			if !where.operand && s.optionMode(&where) == Writes && where.valueAt > 0 {
				dir = where.value
			}
		}
	}
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case !a.operand:
			l.reach = reach
			l.option(s, &a)
		case first && (l.c.Program() == "unzip" || a.at > 1):
			first = false
			l.reach = OnlyPath
			l.value(Reads, &a)
		case !first && writes:
			l.unpacked(a.valueAt, "")
			if dir != "" && !harmless(dir) {
				l.unpacked(a.valueAt, dir)
			}
		}
	}
}

// onlyLists reports whether an archiver that unpacks prints instead: the names, or what the
// members hold.
func (c *Command) onlyLists(s *spec) bool {
	if c.Program() != "unzip" {
		return c.Words[1].Text == "l" || c.Words[1].Text == "t"
	}
	a := c.arguments(&s.grammar)
	for a.next() {
		if !a.operand && !a.long && strings.IndexByte("lpctvzZ", a.name[0]) >= 0 {
			return true
		}
	}
	return false
}

// protectedWord is the first protected path that stands in a text as a word of its own.
func protectedWord(text string) string {
	if harmlessText(text) || namesNone(text) {
		return ""
	}
	for word := range strings.FieldsFuncSeq(text, endsName) {
		if Protected(word) {
			return word
		}
	}
	return ""
}

// endsName reports whether a character separates names in statements and programs.
func endsName(r rune) bool {
	return r < 0x80 && betweenNames[r]
}
