package shell

import (
	"slices"
	"strings"
)

// empties: the command leaves nothing in the file it writes.
func (c *Command) empties() bool {
	switch c.Program() {
	case "", ":", "true":
		return len(c.Words) <= 1
	case "echo", "printf":
		for _, word := range c.Args() {
			if word.Text != "" && word.Text != "-n" {
				return false
			}
		}
		return true
	case "tee", "sponge":
		return c.Stdin.Kind == StdinFile && slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return r.Kind == RedirectNull })
	case "sed", "gsed":
		return c.sedEmpties()
	case "perl", "ruby":
		return c.loopEmpties()
	case "awk", "gawk":
		return c.awkEmpties()
	case "cat", "cp", "dd", "install", "ln", "gln":
		return c.hasWord("/dev/null") || c.hasWord("if=/dev/null") || c.hasWord("if=/dev/zero") || c.hasWord("if=/dev/urandom")
	case "truncate":
		return c.cutsToNothing()
	}
	return false
}

// overwrites: each file that the command writes holds the same text afterwards.
func (c *Command) overwrites() bool {
	switch c.Program() {
	case "tee":
		return !c.hasWord("-a") && !c.hasWord("--append")
	case "echo", "printf":
		return !slices.ContainsFunc(c.Args(), func(word Word) bool { return !word.Known() })
	}
	return false
}

// constant reports whether what the command prints does not depend on the file that it writes.
func (c *Command) constant() bool {
	if len(c.Words) == 0 || c.Stdin.Kind == StdinPipe || c.Stdin.Kind == StdinUnknown {
		return false
	}
	unknown := func(word Word) bool { return !word.Known() }
	return !slices.ContainsFunc(c.Words, unknown) && !slices.ContainsFunc(c.Assigns, func(a Assign) bool { return unknown(a.Value) }) &&
		!slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return r.Kind == RedirectRead && unknown(r.Target) })
}

// sedEmpties reports whether sed prints nothing of what is in the files that it edits.
func (c *Command) sedEmpties() bool {
	quiet, inPlace, given := false, len(c.Redirects) > 0, false
	var operand, script string
	a := c.arguments(&about("sed").spec.grammar)
	for a.next() {
		switch {
		case a.operand && operand == "":
			operand = a.value + "\n"
		case a.is('n', "quiet"), a.is(0, "silent"):
			quiet = true
		case a.is('e', "expression"):
			script, given = script+a.value+"\n", true
		case a.is('f', "file"):
			return false
		case editsInPlace(&a):
			inPlace = true
		}
	}
	if !given {
		script = operand
	}
	p := readSed(script)
	return inPlace && !p.lost && (p.drops || quiet && !p.prints)
}

// loopEmpties reports whether the loop of perl -n or -p, or that of ruby, prints nothing.
func (c *Command) loopEmpties() bool {
	code := inlineCode(c)
	inPlace, prints, loops := false, false, false
	for _, word := range c.Words[1:min(len(c.Words), code.at+1)] {
		if !isOption(word.Text) {
			continue
		}
		letters, _, edits := strings.Cut(word.Text[1:], "i")
		inPlace = inPlace || edits
		prints = prints || strings.Contains(letters, "p")
		loops = loops || strings.Contains(letters, "n")
	}
	if !inPlace || code.at == 0 || firstMark(code.text) >= 0 {
		return false
	}
	if prints {
		return emptyLines.has(strings.Trim(strings.ReplaceAll(code.text, " ", ""), ";"))
	}
	p := program{text: code.text}
	return loops && !p.calls([]string{"print", "say", "puts", "write", "putc", "STDOUT", "stdout", "p "})
}

// emptyLines are programs that leave nothing of each line.
var emptyLines = wordSet{list: `$_="" $_='' undef$_ $_=undef s/.*//s s/.*// s/.*//sg s/.*//gs s/.*//g s/^.*$// $_.clear $_.replace("")`}

// awkEmpties reports whether awk edits files and prints nothing: all it has are actions that do
// not print, without a pattern that does.
func (c *Command) awkEmpties() bool {
	code := awkCode(c)
	if code.at == 0 || firstMark(code.text) >= 0 || strings.Contains(code.text, "print") ||
		!slices.ContainsFunc(c.Words, func(word Word) bool { return strings.Contains(word.Text, "inplace") }) {
		return false
	}
	depth, pattern := 0, strings.Builder{}
	for _, letter := range code.text {
		switch {
		case letter == '{':
			depth++
		case letter == '}':
			depth--
			pattern.Reset() // of an action
		case depth == 0:
			pattern.WriteRune(letter)
		}
	}
	rest := strings.Trim(pattern.String(), " \t\n;")
	return rest == "" || rest == "0" || rest == `""`
}

// cutsToNothing: truncate -s 0; a relative size (+1K) keeps what is there.
func (c *Command) cutsToNothing() bool {
	a := c.arguments(&truncateOptions)
	for a.next() {
		if a.is('r', "reference") && a.value == "/dev/null" {
			return true
		}
		if a.is('s', "size") {
			return !strings.HasPrefix(a.value, "+") && !strings.HasPrefix(a.value, "<") && !strings.HasPrefix(a.value, ">")
		}
	}
	return false
}

var truncateOptions = grammar{values: "s r size reference"}

// dataFile: a database, or a log of the system.
func (t *trail) dataFile() bool {
	if t.n == 0 {
		return false
	}
	if t.from == '/' && (t.under("var/log") > 0 || t.under("var/lib") > 0) {
		return true
	}
	return holdsData(t.names[t.n-1])
}
