package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// foldSubst is the output of $(echo …), $(dirname …) and the like with constant words.
func (w *walker) foldSubst(subst *syntax.CmdSubst) (string, bool) {
	if w.bound != nil {
		return "", false
	}
	source := constantOutput(subst.Stmts)
	if source.call == nil {
		return "", false
	}
	if !w.folding {
		w.foldable = true
		return "", false
	}
	text, ok := w.output(source)
	w.folded = w.folded || ok
	return text, ok
}

// textSource is a command that prints a text which may be constant: its words, or what
// it reads from a here-document.
type textSource struct {
	call  *syntax.CallExpr
	input *syntax.Redirect
}

// output is what a source prints, if that is known.
func (w *walker) output(source textSource) (string, bool) {
	if w.inner > 1 {
		return "", false // echo $(echo $(…)) is not worth following far down
	}
	quiet := walker{s: &Script{language: w.language(), patterns: w.s.patterns}, parent: -1, vars: w.vars, folding: true, pass: w.pass, passes: w.passes, choices: w.choices, been: w.been, inner: w.inner + 1}
	defer func() { w.choices = quiet.choices }()
	if source.input != nil {
		in := quiet.hereText(source.input)
		return strings.TrimRight(in.Text, "\n"), in.Kind == StdinText
	}
	var words []Word
	for _, arg := range source.call.Args {
		words = append(words, quiet.words(arg)...)
	}
	text, ok := printed(starred(words))
	if ok && text == "." && words[0].Text == "dirname" && source.call.Args[len(source.call.Args)-1].Lit() == "" {
		text = ".." // of $PWD, which stands for itself as "."
	}
	return text, ok
}

// constantOutput finds the command whose output a substitution is; none, if it cannot
// be constant.
func constantOutput(stmts []*syntax.Stmt) textSource {
	if len(stmts) != 1 {
		return textSource{}
	}
	switch cmd := stmts[0].Cmd.(type) {
	case *syntax.CallExpr:
		return simpleOutput(cmd, stmts[0].Redirs)
	case *syntax.BinaryCmd:
		last, ok := cmd.Y.Cmd.(*syntax.CallExpr)
		if !ok || len(last.Args) == 0 || len(cmd.Y.Redirs) > 0 {
			return textSource{}
		}
		name := last.Args[0].Lit()
		switch {
		case cmd.Op == syntax.Pipe && passesOn(name) && onlyOptions(last.Args[1:]):
			return constantOutput([]*syntax.Stmt{cmd.X})
		case cmd.Op == syntax.AndStmt && name == "pwd":
			if first, ok := cmd.X.Cmd.(*syntax.CallExpr); ok && len(first.Args) > 1 && changesDirectory(first.Args[0].Lit()) {
				return textSource{call: first}
			}
		}
	}
	return textSource{}
}

func simpleOutput(call *syntax.CallExpr, redirects []*syntax.Redirect) textSource {
	if len(call.Args) == 0 {
		return textSource{}
	}
	name := strings.TrimPrefix(call.Args[0].Lit(), "\\")
	source := textSource{call: call}
	for _, r := range redirects {
		switch {
		case r.N != nil && r.N.Value == "2":
		case (r.Op == syntax.WordHdoc || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && passesOn(name) && onlyOptions(call.Args[1:]):
			source.input = r
		default:
			return textSource{}
		}
	}
	if source.input != nil || name == "pwd" {
		return source
	}
	if len(call.Args) > 1 {
		switch name {
		case "echo", "printf", "which", "type", "command", "builtin", "env", "eval", "dirname", "basename", "realpath", "readlink", "printenv", "git":
			return source
		}
	}
	return textSource{}
}

// passesOn: the program prints what it reads, or some of its lines.
func passesOn(name string) bool {
	switch name {
	case "cat", "head", "tail", "tac", "tee", "sort", "uniq", "xargs":
		return true
	}
	return false
}

func onlyOptions(args []*syntax.Word) bool {
	for _, arg := range args {
		if !strings.HasPrefix(arg.Lit(), "-") {
			return false
		}
	}
	return true
}

// starred are the words with each pattern written as one again: what it finds is printed
// instead, and that is found by whoever takes the text for a pattern or for code.
func starred(words []Word) []Word {
	if !slices.ContainsFunc(words, func(word Word) bool { return strings.IndexByte(word.Text, Glob) >= 0 }) {
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		words[i].Text = strings.ReplaceAll(words[i].Text, globMark, "*")
	}
	return words
}

// printed is what echo or printf with these words writes, if that is known.
func printed(words []Word) (string, bool) {
	if len(words) == 0 {
		return "", false
	}
	cloned := false
	for i := range words {
		if words[i].Home {
			if !cloned {
				words, cloned = slices.Clone(words), true
			}
			words[i] = atHome(words[i])
		}
		if !words[i].Known() {
			return "", false
		}
	}
	for len(words) > 1 && runsItsWords(words[0].Text) && !lookup(words[1]) {
		words = words[1:]
	}
	args := words[1:]
	switch words[0].Text {
	case "pwd":
		return ".", true
	case "cd", "chdir", "realpath", "readlink": // the path itself will do for a guess
		return lastOperand(args)
	case "dirname", "basename":
		text, ok := lastOperand(args)
		if words[0].Text == "dirname" {
			return directoryOf(text), ok
		}
		return baseName(text), ok
	case "printenv":
		return environment(join(args))
	case "git":
		return repositoryPath(words)
	case "which", "type", "command": // $(which rm) is rm, wherever it lies
		if len(args) == 0 {
			return "", false
		}
		return args[len(args)-1].Text, true
	case "echo":
		escapes := false
		for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
			escapes = escapes || strings.Contains(args[0].Text, "e")
			args = args[1:]
		}
		text := join(args)
		if escapes {
			text = echoed(text)
		}
		return text, firstMark(text) < 0
	case "printf":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if len(args) == 0 || args[0].Text == "-v" {
			return "", false
		}
		text := ansi(args[0].Text)
		if firstMark(text) >= 0 {
			return "", false
		}
		return format(text, args[1:])
	}
	return "", false
}

// echoed is what echo -e makes of a text: three digits may follow the 0 of an octal escape, without
// which there is none.
func echoed(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			return b.String() + text
		}
		b.WriteString(text[:at])
		size := 2
		switch c := text[at+1]; {
		case c == '0':
			n, digits := number(text[at+2:], 8, 3)
			b.WriteByte(byte(n))
			size += digits
		case c == 'x':
			n, digits := number(text[at+2:], 16, 2)
			if digits == 0 {
				return unknownMark
			}
			b.WriteByte(byte(n))
			size += digits
		case c > '0' && c <= '7' || c == 'u' || c == 'U' || c == '\'' || c == '"' || c == '?':
			return unknownMark // shells differ
		default:
			b.WriteString(ansi(text[at : at+2]))
		}
		text = text[at+size:]
	}
}

// runsItsWords: what follows is a command.
func runsItsWords(program string) bool {
	return program == "command" || program == "builtin" || program == "env" || program == "eval"
}

// format follows printf as far as %s, %b, %q, %c and %%, with their widths.
func format(text string, args []Word) (string, bool) {
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(text); i++ {
			if text[i] != '%' {
				b.WriteByte(text[i])
				continue
			}
			spec, size := conversionAt(text[i+1:])
			if i += size; spec.verb == 0 {
				return "", false
			}
			value := ""
			switch {
			case spec.verb == '%':
				b.WriteByte('%')
				continue
			case used < len(args):
				value = args[used].Text
				used++
			}
			shown, ended := spec.of(value)
			b.WriteString(shown)
			if b.Len() > maxPrinted {
				return "", false
			}
			if ended {
				return b.String(), firstMark(b.String()) < 0
			}
		}
		if b.Len() > MaxSize {
			return "", false
		}
		args = args[used:]
		if used == 0 || len(args) == 0 {
			return b.String(), firstMark(b.String()) < 0
		}
	}
}

// maxPrinted bounds what printf makes of its words.
const maxPrinted = 1 << 16

// conversion is one of a format: verb is 0 for those that are not followed.
type conversion struct {
	verb             byte
	width, precision int // -1 where there is none
	left             bool
}

// conversionAt reads the conversion with which a text begins, behind its "%", and says how long it is.
func conversionAt(text string) (c conversion, size int) {
	rest := strings.TrimLeft(text, "-+ 0#")
	c = conversion{width: -1, precision: -1, left: strings.Contains(text[:len(text)-len(rest)], "-")}
	digits := func() int {
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		value, err := strconv.Atoi("0" + rest[:n])
		if rest = rest[n:]; err != nil || value > maxPrinted {
			value = maxPrinted + 1
		}
		return value
	}
	c.width = digits()
	if after, ok := strings.CutPrefix(rest, "."); ok {
		rest = after
		c.precision = digits()
	}
	if rest == "" || strings.IndexByte("sbqc%", rest[0]) < 0 || c.width > maxPrinted {
		return conversion{}, 0
	}
	c.verb = rest[0]
	return c, len(text) - len(rest) + 1
}

// of is what the conversion makes of a value, and whether that ends all that is printed.
func (c conversion) of(value string) (shown string, ended bool) {
	switch c.verb {
	case 'b':
		value, ended = backslashed(value)
	case 'c':
		value = value[:min(len(value), 1)]
	}
	if c.precision >= 0 {
		value = value[:min(len(value), c.precision)]
	}
	fill := strings.Repeat(" ", max(c.width-len(value), 0))
	if c.left {
		return value + fill, ended
	}
	return fill + value, ended
}

// backslashed is what %b makes of a value: $'…' reads the same escapes, but a 0 may stand before the
// three digits of an octal one. With \c the output ends.
func backslashed(text string) (value string, ended bool) {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			return b.String() + text, false
		}
		b.WriteString(text[:at])
		size := 2
		switch c := text[at+1]; {
		case c == 'c':
			return b.String(), true
		case c == '0':
			n, digits := number(text[at+2:], 8, 3)
			b.WriteByte(byte(n))
			text = text[at+2+digits:]
			continue
		case c > '0' && c <= '7':
			_, digits := number(text[at+1:], 8, 3)
			size = 1 + digits
		case c == 'x':
			_, digits := number(text[at+2:], 16, 2)
			size += digits
		case c == 'u' || c == 'U':
			_, digits := number(text[at+2:], 16, map[byte]int{'u': 4, 'U': 8}[c])
			size += digits
		}
		b.WriteString(ansi(text[at : at+size]))
		text = text[at+size:]
	}
}

// lastOperand is the last word that is no option.
func lastOperand(args []Word) (string, bool) {
	if len(args) == 0 || isOption(args[len(args)-1].Text) {
		return "", false
	}
	return args[len(args)-1].Text, true
}

// directoryOf is what dirname prints.
func directoryOf(path string) string {
	path = strings.TrimRight(path, "/")
	slash := strings.LastIndexByte(path, '/')
	switch {
	case path == "" || slash == 0:
		return "/"
	case slash < 0:
		return "."
	}
	return path[:slash]
}

// repositoryPath is what git rev-parse prints of the places in a repository that lies where
// the command runs.
func repositoryPath(words []Word) (string, bool) {
	sub, dir := gitVerbAt(words)
	if sub == 0 || words[sub].Text != "rev-parse" {
		return "", false
	}
	for at, word := range words[sub+1:] {
		switch word.Text {
		case "--git-dir", "--git-common-dir", "--absolute-git-dir", "--shared-index-path":
			return behind(dir, ".git"), true
		case "--git-path", "--resolve-git-dir":
			if next := sub + at + 2; next < len(words) {
				return behind(dir, ".git/"+words[next].Text), true
			}
		case "--show-toplevel":
			return behind(dir, "."), true
		}
	}
	return "", false
}

// environment is what printenv prints, as a guess has it.
func environment(name string) (string, bool) {
	switch name {
	case "HOME":
		return "~", true
	case "PWD":
		return ".", true
	}
	return "", false
}
