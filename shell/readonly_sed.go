package shell

import (
	"slices"
	"strings"
)

var sedOptions = optionSpec{
	short: "abEe:nrsuz",
	long: "binary debug expression= follow-symlinks line-length= null-data zero-terminated posix quiet regexp-extended sandbox separate silent " +
		"unbuffered help version",
	harm: "-i -I --in-place: edits the file; -f --file: runs a script from a file",
}

// sedScripts are the scripts on a command line: the values of -e, and an operand before them. That
// is a file for some seds, and for others the script, before files.
func sedScripts(words []Word) (operand Word, options []Word, doubt Doubt) {
	s := scanOptions(&sedOptions, words, 1)
	for found := false; s.next(); {
		switch {
		case s.option == "e" || s.option == "expression":
			options = append(options, s.value)
		case s.option == "" && len(options) == 0 && !found:
			operand, found = s.value, true
		}
	}
	return operand, options, s.doubt
}

// doubtSed reads the script: sed can write files and run programs from it.
func doubtSed(words []Word) Doubt {
	operand, options, doubt := sedScripts(words)
	if doubt.Text != "" {
		return doubt
	}
	if why := sedDoubt(operand.Text, operand.Split); why != "" {
		return doubtOf(words, indexOf(words, operand), why)
	}
	if len(options) > 0 {
		last := options[len(options)-1]
		if why := sedDoubt(joinScripts(options), last.Split); why != "" {
			return doubtOf(words, indexOf(words, last), why)
		}
	}
	return Doubt{}
}

// indexOf is the index of the word in which a value stands.
func indexOf(words []Word, value Word) int {
	return max(0, slices.IndexFunc(words, func(word Word) bool { return word.Span == value.Span }))
}

func sedDoubt(script string, split bool) string {
	if !(Word{Text: script}).Known() || split {
		return "the script is only known when it runs"
	}
	return sedScript(script)
}

// joinScripts puts the scripts of several -e together as sed does: one a line.
func joinScripts(scripts []Word) string {
	var b strings.Builder
	for i, script := range scripts {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(script.Text)
	}
	return b.String()
}
