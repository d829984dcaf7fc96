package shell

import (
	"slices"
	"strings"
)

// seen is the list without the files behind words whose values the script itself gives, none
// of them an option.
func (s *Script) seen(list []Access) []Access {
	if s.settled || !anyAccess(list, isHidden) {
		return list
	}
	return slices.DeleteFunc(list, s.Seen)
}

// Seen: the file is not Hidden after all, because the script itself says what the word is
// behind which it might be.
func (s *Script) Seen(a Access) bool {
	if !a.Hidden || s.settled {
		return false
	}
	readings := s.Bounded()
	return len(readings) > 0 && !s.hides(readings, a)
}

func isHidden(a *Access) bool { return a.Hidden }

// anyAccess is slices.ContainsFunc without copies: an access is large.
func anyAccess(list []Access, such func(a *Access) bool) bool {
	for i := range list {
		if such(&list[i]) {
			return true
		}
	}
	return false
}

// isHiddenChange: where a file may be changed that nobody sees, that matters to the danger
// floor, which every decision asks for.
func isHiddenChange(a *Access) bool { return a.Hidden && (a.Mode != Reads || a.Possible) }

// hides: in some reading of the script the word is still one that may be more than it looks
// like.
func (s *Script) hides(readings []*Script, a Access) bool {
	c := &s.Commands[a.Command]
	s.second.index(s, readings)
	own := s.second.own[a.Span]
	found := slices.IndexFunc(own, func(at wordPlace) bool { return at.command == a.Command })
	if found < 0 {
		return true
	}
	at := own[found].word
	first, option, meaning := &c.Words[at], c.optionBefore(at), c.wordsMeanMore()
	for n, words := range s.second.words {
		found := words[a.Span]
		if len(found) == 0 {
			return true
		}
		for _, at := range found {
			all := readings[n].Commands[at.command].Words
			word := &all[at.word]
			if word.Empty && onlyMarks(word.Text) && at.word+1 < len(all) && isOption(all[at.word+1].Text) {
				return true // without it the option behind it is a value, and what follows that a file
			}
			if first.stillHides(word, option) || meaning && strings.IndexByte(word.Text, Glob) >= 0 {
				return true
			}
		}
	}
	return false
}

// wordsMeanMore: a word that is no option may name a file in other ways than by its name:
// a URL, a program, the letters of tar.
func (c *Command) wordsMeanMore() bool {
	switch c.knowledge().spec.operands {
	case editInPlace, writeFirst, database, keyEqualsPath, archiver, extractor, remoteCopy, cloudCopy, transfer, editor:
		return true
	default:
		return false
	}
}

// optionBefore is the option to which the unknown value in a word is glued: -d of -d"$X". It
// is "" if the word is something else.
func (c *Command) optionBefore(at int) string {
	text := c.Words[at].Text
	if text == "" || text[0] != '-' {
		return ""
	}
	for a := c.arguments(&c.knowledge().spec.grammar); a.next() && a.at <= at; {
		if a.at == at && a.valueAt == at && !a.whole() {
			if option := text[:len(text)-len(a.value)]; strings.IndexByte(option, Unknown) < 0 {
				return option
			}
		}
	}
	return ""
}

// stillHides compares a word with what it is in a reading of the script.
func (w *Word) stillHides(read *Word, option string) bool {
	text := read.Text
	switch {
	case strings.IndexByte(text, Unknown) >= 0 || read.state == severalNames:
		return true
	case option != "":
		value, same := strings.CutPrefix(text, option)
		// Without a value the next word is taken for it, and all that follows is something else.
		return !same || !strings.HasSuffix(option, "=") && (value == "" || read.Empty && onlyMarks(value))
	case text == "":
		return false
	case text[0] == '-': // tail -5 is a number of lines
		return w.Text[0] != '-' || read.Named || !isDecimal(withoutMarks(strings.Trim(text, "-"))+"0")
	case text[0] != Glob:
		return false
	case read.Empty && len(text) > 1 && text[1] == '-': // nothing, and then an option
		return true
	}
	// A negative number is an option of one or two programs, with letters behind it a cluster.
	return read.state == signedNumber && (len(text) > 1 || len(w.Text) > 1 || read.Named)
}
