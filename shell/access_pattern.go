package shell

import "strings"

// A pattern in the place of a text, or of the value of an option, becomes as many words as it
// finds names. The first is the text, and all others are files. What was a text behind it may
// then be a file too. With nullglob it may even vanish, and nobody knows what the words behind
// it are.

// pattern adds what a word names besides if it turns into several.
func (l *accessList) pattern(s *spec, at int) {
	word := &l.c.Words[at]
	if word.state == severalNames {
		l.word(l.files, at)
		l.shifted = true
	}
	if l.patterns&mayVanish != 0 && (word.state == severalNames || strings.IndexByte(word.Text, Glob) >= 0) {
		l.unseen(s, at)
	}
}

// text adds the operand that is a text unless a pattern stands in its place, or before it.
func (l *accessList) text(s *spec, at int) {
	l.pattern(s, at)
	if l.shifted && l.c.Words[at].state != severalNames {
		l.word(l.files, at)
	}
}

// twoPatterns skips the name and the value that follow an option of jq.
func (l *accessList) twoPatterns(s *spec, a *arguments) {
	for range 2 {
		if a.at++; a.at < len(a.words) {
			l.pattern(s, a.at)
		}
	}
}
