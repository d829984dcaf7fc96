package shell

import "strings"

var xargsReads = optionSpec{
	posix: true, short: "0a:d:E:e::I:i::L:l::n:oP:pR:rS:s:tx",
	long: "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= max-chars= interactive no-run-if-empty " +
		"verbose exit open-tty show-limits help version",
	harm: "--process-slot-var: sets a variable for the program",
}

// doubtXargs judges what xargs runs, with anything at all behind its words or in
// the place of the replacement text. Without words it is echo.
func doubtXargs(words []Word) Doubt {
	s := scanOptions(&xargsReads, words, 1)
	replace := ""
	for s.next() {
		if replace != "" && unsetsReplace(s.option, s.value) {
			s.stop("one of these options makes xargs ignore the other")
		}
		switch s.option {
		case "":
			return doubtFilled(words, s.word, replace)
		case "I", "i", "replace":
			if replace = s.value.Text; replace == "" {
				replace = "{}"
			}
			if !s.value.Known() {
				s.stop("the replacement text is only known when it runs")
			}
		}
	}
	return s.doubt
}

// doubtFilled judges the command that starts at a word of xargs.
func doubtFilled(words []Word, start int, replace string) Doubt {
	if len(words)-start > maxSuffixes {
		return doubtOf(words, start, "xargs is given too many words to be judged")
	}
	if isShellOnly(words[start].Text) {
		return doubtOf(words, start, words[start].Text+" is no program but a part of the shell")
	}
	inner := append(make([]Word, 0, len(words)-start+1), words[start:]...)
	if replace == "" {
		inner = append(inner, Word{Text: unknownMark, Span: inner[0].Span, Split: true})
	} else {
		for i := range inner {
			inner[i].Text = strings.ReplaceAll(inner[i].Text, replace, unknownMark)
		}
	}
	doubt := doubtWords(inner)
	if doubt.Text != "" {
		doubt.Word = min(start+doubt.Word, len(words)-1)
	}
	return doubt
}
