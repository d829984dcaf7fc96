package shell

import "strings"

var sedOptions = optionSpec{
	short: "abEe:nrsuz",
	long: "binary debug expression= follow-symlinks line-length= null-data zero-terminated posix quiet regexp-extended sandbox separate silent " +
		"unbuffered help version",
	harm: "-i -I --in-place: edits the file; -f --file: runs a script from a file",
}

// doubtSed reads the script: sed can write files and run programs from it.
func doubtSed(words []Word) Doubt {
	var scripts []Word
	script, at, given := Word{}, 0, false
	s := scanOptions(&sedOptions, words, 1)
	for s.next() {
		switch {
		case s.option == "e" || s.option == "expression":
			if given = true; at > 0 {
				scripts = append(scripts, script)
			}
			script, at = s.value, s.word
		case s.option == "" && !given && at == 0:
			script, at = s.value, s.word
		}
	}
	// An operand before the first -e is a file after all; judging it as a script
	// too is merely strict.
	if s.doubt.Text != "" {
		return s.doubt
	}
	text := script.Text
	if len(scripts) > 0 {
		text = joinScripts(append(scripts, script))
	}
	if !(Word{Text: text}).Known() || script.Split {
		return doubtOf(words, at, "the script is only known when it runs")
	}
	if why := sedScript(text); why != "" {
		return doubtOf(words, at, why)
	}
	return Doubt{}
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
