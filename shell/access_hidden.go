package shell

import "strings"

// A word that is only known when the command runs may be more than it looks like: an
// option, or several words, some of them options or files. grep "$(…)" x is then
// grep -r or grep -f, and head -n $N x shows a second file. Such a word is a file of its
// own that nobody knows, besides the one that it may be where it stands.

// hidden adds what the words of the current command may name besides.
func (l *accessList) hidden(known *knowledge) {
	s := known.spec
	if known.wrapper != nil || !l.c.hasUnknown() {
		return
	}
	switch s.operands {
	case mayRead, testOperands, versionControl, container: // asked about, or read, in another way
		return
	case finder: // a word in quotes is a value or a starting point
		for at := range l.c.Words {
			if at > 0 && splitsUnknown(&l.c.Words[at]) {
				l.unseen(s, at)
			}
		}
		return
	case noPaths:
		if s.reads == "" && s.writes == "" {
			return
		}
	default:
	}
	if program := l.c.Program(); program == "cd" || program == "pushd" { // one directory, or an error
		return
	}
	a := l.c.arguments(&s.grammar)
	for a.next() {
		at := a.at
		if a.hides() || a.operand && !a.ended && beginsUnknown(&a.words[at]) && (s.operands != readAll || s.writes != "") {
			l.unseen(s, at)
		}
		if s.operands == twoValued && (a.is(0, "arg") || a.is(0, "argjson") || a.is(0, "slurpfile") || a.is(0, "rawfile")) {
			for range 2 {
				if a.at++; a.at < len(a.words) && splitsUnknown(&a.words[a.at]) {
					l.unseen(s, a.at)
				}
			}
		}
	}
}

// hasUnknown: an argument is only known when the command runs.
func (c *Command) hasUnknown() bool {
	for i := 1; i < len(c.Words); i++ {
		if strings.IndexByte(c.Words[i].Text, Unknown) >= 0 {
			return true
		}
	}
	return false
}

// unseen adds the files that nobody sees behind a word.
func (l *accessList) unseen(s *spec, at int) {
	l.behindWord(Reads, at)
	if s.writes != "" || s.operands == finder || s.operands == keyEqualsPath {
		l.behindWord(Writes, at)
	}
}

func (l *accessList) behindWord(mode AccessMode, at int) {
	word := &l.c.Words[at]
	a := Access{Path: unknownMark, Mode: mode, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split, Hidden: true}
	if strings.HasPrefix(word.Text, "-") { // a name behind a letter is no name
		a.Loose, a.Listed = true, 0
	}
	l.put(&a)
}

// hides: the argument just found may be another one, or bring more of them.
func (a *arguments) hides() bool {
	if splitsUnknown(&a.words[a.at]) {
		return true
	}
	switch {
	case a.operand:
		return false
	case a.long:
		return strings.IndexByte(a.name, Unknown) >= 0
	case a.name[0] == Unknown:
		return true
	}
	// An empty value makes the next word the value, and all that follows something else.
	return a.valueAt == a.at && a.value != "" && !a.whole() && onlyMarks(a.value) && strings.IndexByte(a.value, Unknown) >= 0
}

// splitsUnknown: the word may turn into several, or into none: a number may be missing.
func splitsUnknown(word *Word) bool {
	return (word.Split || word.mayBeMissing()) && !startsWithHome(word) && strings.IndexByte(word.Text, Unknown) >= 0
}

func beginsUnknown(word *Word) bool {
	return word.Text != "" && word.Text[0] == Unknown && !startsWithHome(word)
}
