package shell

import "strings"

// optionScan walks over the arguments of a command as getopt_long does: clusters of
// short options, glued and separate values, long options with abbreviations,
// options after operands, "--". It stops with a doubt at the first argument that
// is not known to be harmless.
type optionScan struct {
	spec    *optionSpec
	words   []Word
	first   int // index of the first argument
	at      int // index of the next word
	cluster int // place of the next letter in the current word, 0 outside a cluster
	ended   bool
	dashes  bool // ended by "--"

	// The current argument.
	word   int    // its index
	option string // the option without dashes, in full; "" for an operand
	value  Word   // the operand, or the value of the option
	doubt  Doubt
}

// scanOptions starts at the argument with index first; the words before it are the
// program and its subcommand.
func scanOptions(spec *optionSpec, words []Word, first int) optionScan {
	return optionScan{spec: spec, words: words, first: first, at: first}
}

// next moves to the next option or operand.
func (s *optionScan) next() bool {
	for s.doubt.Text == "" {
		s.option, s.value = "", Word{}
		if s.cluster > 0 {
			return s.nextLetter()
		}
		if s.at >= len(s.words) {
			return false
		}
		s.word = s.at
		s.at++
		if !s.ended && s.words[s.word].Text == "--" {
			s.ended, s.dashes = true, true
			continue
		}
		return s.nextWord(&s.words[s.word])
	}
	return false
}

func (s *optionScan) nextWord(w *Word) bool {
	text := w.Text
	switch {
	case s.ended, text == "", text == "-", startsWithHome(w):
		return s.operand(w)
	case text[0] == Unknown || text[0] == Glob:
		if s.spec.loose {
			return s.operand(w)
		}
		return s.stop(mayBeAnOption(w))
	case text[0] != '-':
		return s.operand(w)
	case strings.HasPrefix(text, "--"):
		return s.nextLong(w)
	}
	if w.Split && !s.spec.loose {
		return s.stop(splits)
	}
	s.cluster = 1
	return s.nextLetter()
}

// mayBeAnOption says why a word may be one, and how to write it instead.
func mayBeAnOption(w *Word) string {
	switch {
	case w.Text[0] == Glob:
		return "a name that a pattern finds may be an option (write ./* for *, or put -- before it)"
	case w.Split:
		return "an argument that is only known when it runs may be an option"
	}
	return "an argument that is only known when it runs may be an option (put -- before it)"
}

const splits = "an unquoted expansion may add options"

// operand settles the current word as one.
func (s *optionScan) operand(w *Word) bool {
	s.value = *w
	if s.spec.posix {
		s.ended = true
	}
	switch {
	case s.spec.loose:
		return true
	case w.Split && !s.ended && !startsWithHome(w):
		return s.stop(splits)
	case s.dashes && w.Split && w.Text != "" && w.Text[0] == Unknown && s.spec.harm != "" && !startsWithHome(w):
		return s.stop(splits)
	case s.dashes:
		return s.notHarmful(w.Text)
	}
	return true
}

// startsWithHome: the home directory is an absolute path, so such a word is no option.
func startsWithHome(w *Word) bool {
	return w.Home && w.state != movedHome && strings.LastIndexByte(w.Text, Unknown) <= 0
}

func (s *optionScan) nextLong(w *Word) bool {
	name, value, glued := strings.Cut(w.Text[2:], "=")
	if !(Word{Text: name}).Known() { // also where no option does harm: it may name a file to be read
		return s.stop("an option that is only known when it runs")
	}
	if w.Split && !s.spec.loose {
		return s.stop(splits)
	}
	full, takes := s.spec.option(name)
	switch {
	case takes == notListed, glued && takes == takesNothing:
		return s.refuse("--"+name, s.spec.harmOfLong(name))
	case glued:
		s.value = Word{Text: value, Span: w.Span}
	case takes == takesValue && !s.takeNext():
		return false
	}
	s.option = full
	return true
}

func (s *optionScan) nextLetter() bool {
	w := &s.words[s.word]
	letter, rest := w.Text[s.cluster], w.Text[s.cluster+1:]
	if letter == Unknown || letter == Glob {
		s.cluster = 0
		if s.spec.loose {
			return s.operand(w)
		}
		return s.stop("an option that is only known when it runs")
	}
	takes := shortArity(s.spec.short, letter)
	s.option = w.Text[s.cluster : s.cluster+1]
	if s.cluster++; rest == "" || takes != takesNothing {
		s.cluster = 0
	}
	switch takes {
	case notListed:
		return s.refuse("-"+s.option, s.spec.harmOfShort(letter))
	case takesNothing:
		return true
	case takesValue:
		if rest == "" {
			return s.takeNext()
		}
		if !s.spec.loose && onlyMarks(rest) {
			// An empty value makes the next word the value, and all that
			// follows means something else.
			return s.stop("a glued value that may be empty")
		}
	case mayTakeValue: // only a glued one
	}
	s.value = Word{Text: rest, Span: w.Span}
	return true
}

// takeNext takes the next word as the value of the current option. Without a next
// word the program only complains, unless the value is optional at the end.
func (s *optionScan) takeNext() bool {
	if s.at >= len(s.words) {
		return true
	}
	s.value = s.words[s.at]
	s.at++
	if s.spec.loose {
		return true
	}
	// Without a value an option behind it becomes one, and the value of that an operand.
	shifts := s.value.mayBeMissing() && s.at < len(s.words) && (isOption(s.words[s.at].Text) || !s.words[s.at].Known())
	if s.value.several() || shifts {
		s.word = s.at - 1
		return s.stop(splits)
	}
	return s.notHarmful(s.value.Text)
}

// several reports whether the word may turn into no word or more than one.
func (w Word) several() bool {
	return w.Split || strings.IndexByte(w.Text, Glob) >= 0
}

// mayBeMissing: the word is a number that a variable holds, or nothing at all.
func (w Word) mayBeMissing() bool { return w.state == heldNumber && onlyMarks(w.Text) }

func (s *optionScan) notHarmful(text string) bool {
	if harm := s.spec.harmIn(text); harm != "" {
		s.word = s.at - 1
		return s.refuse(text, harm)
	}
	return true
}

// refuse ends the scan at an option; harm is "" when the option is not known.
func (s *optionScan) refuse(option, harm string) bool {
	if harm == "" {
		return s.stop("the option " + option + " is not known")
	}
	s.doubt = Doubt{Text: s.title() + " " + option + " " + harm, Word: s.word}
	return false
}

// stop ends the scan at the current word.
func (s *optionScan) stop(why string) bool {
	s.doubt = Doubt{Text: s.title() + ": " + why, Word: s.word}
	return false
}

// title is the program with its subcommand: "sort", "git log".
func (s *optionScan) title() string {
	title := s.words[0].Text
	if s.first > 1 {
		title += " " + s.words[s.first-1].Text
	}
	return title
}

// check scans all arguments, for programs that need no more than the grammar.
func (spec *optionSpec) check(words []Word, first int) Doubt {
	s := scanOptions(spec, words, first)
	for count := operandLimit(0); s.next(); {
		if s.option != "" || spec.most == 0 {
			continue
		}
		if count++; s.value.several() {
			count = spec.most + 1
		}
		if count > spec.most {
			s.stop("takes no further operand when it only reads")
		}
	}
	return s.doubt
}
