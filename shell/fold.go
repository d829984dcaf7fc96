package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxFolds bounds how many values of a variable are tried.
const maxFolds = 8

// fold walks the script again with variables that have constant values put in:
// `X=rm; $X -rf /`, `for d in / /home; do rm -rf "$d"; done`. What changed is added
// as guesses, so folding only ever makes the answer stricter.
func (w *walker) fold(stmts []*syntax.Stmt) {
	passes := 1
	for _, v := range w.vars {
		passes = max(passes, min(maxFolds, max(len(v.values), len(v.array))))
	}
	for pass := range passes {
		again := walker{
			s: &Script{Source: w.s.Source}, parent: -1,
			vars: w.vars, folding: true, pass: pass,
		}
		again.list(stmts)
		w.merge(again.s.Commands, again.changed)
	}
}

// merge adds the commands of a folding pass in which something was folded.
func (w *walker) merge(commands []Command, changed []bool) {
	offset := len(w.s.Commands)
	moved := make([]int, len(commands)) // where each command ended up
	for i, c := range commands {
		if !changed[i] {
			moved[i] = -1
			continue
		}
		if c.Parent >= 0 {
			c.Parent = moved[c.Parent]
		}
		c.Link, c.Stdin.From, c.Stdin.To = Guess, landed(moved, c.Stdin.From, offset), landed(moved, c.Stdin.To, offset)
		moved[i] = len(w.s.Commands)
		w.s.Commands = append(w.s.Commands, c)
	}
}

// landed is the new index of the first command at or after the old one.
func landed(moved []int, old, offset int) int {
	for ; old < len(moved); old++ {
		if moved[old] > 0 {
			return moved[old]
		}
	}
	return offset
}

// touched says whether folding changed a command: in its words, in what it reads,
// in where it runs or in what runs it.
func (w *walker) touched(c *Command) bool {
	if w.folded || w.movedByFold && c.Dirs != nil || c.Parent >= 0 && w.changed[c.Parent] {
		return true
	}
	switch c.Stdin.Kind {
	case StdinPipe:
		for i := c.Stdin.From; i < c.Stdin.To; i++ {
			if w.changed[i] {
				return true
			}
		}
	case StdinText, StdinUnknown:
		return w.inputFolded
	case StdinInherited, StdinFile:
	}
	return false
}

// foldParam is the constant value of $x in this pass.
func (w *walker) foldParam(p *syntax.ParamExp) (string, bool) {
	if value, ok := w.foldDefault(p); ok {
		return value, true
	}
	if !w.folding || p.Param == nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Excl || p.Length {
		return "", false
	}
	v := w.vars[p.Param.Value]
	if v == nil && p.Param.Value == "PWD" {
		w.folded = true
		return ".", true
	}
	if v == nil || len(v.values) == 0 {
		return w.foldElement(p, v)
	}
	w.folded = true
	return v.values[w.pass%len(v.values)].Text, true
}

// atHome writes $HOME as "~", which is what it stands for in a guess.
func atHome(word Word) Word {
	if word.Home {
		word.Text, word.Home = "~"+word.Text[1:], false
	}
	return word
}

// foldElement is ${a[0]} of a constant array.
func (w *walker) foldElement(p *syntax.ParamExp, v *variable) (string, bool) {
	if v == nil || len(v.array) == 0 || p.Index == nil {
		return "", false
	}
	word, ok := p.Index.(*syntax.Word)
	if !ok {
		return "", false
	}
	n, err := strconv.Atoi(word.Lit())
	array := v.array[w.pass%len(v.array)]
	if err != nil || n < 0 || n >= len(array) {
		return "", false
	}
	w.folded = true
	return array[n].Text, true
}

// foldDefault is the constant in ${x:-constant}, which holds when x is not set.
func (w *walker) foldDefault(p *syntax.ParamExp) (string, bool) {
	if p.Exp == nil || p.Exp.Word == nil || p.Param == nil || p.Excl || p.Length {
		return "", false
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
	default:
		return "", false
	}
	if !w.folding {
		w.foldable = true
		return "", false
	}
	value := atHome(w.word(p.Exp.Word))
	w.folded = w.folded || value.Known()
	return value.Text, value.Known()
}

// foldSubst is the output of $(echo …) and $(printf …) with constant words.
func (w *walker) foldSubst(subst *syntax.CmdSubst) (string, bool) {
	echo := constantOutput(subst.Stmts)
	if echo == nil {
		return "", false
	}
	if !w.folding {
		w.foldable = true
		return "", false
	}
	text, ok := w.output(echo)
	w.folded = w.folded || ok
	return text, ok
}

// output is what echo or printf with these words prints, if that is known.
func (w *walker) output(echo *syntax.CallExpr) (string, bool) {
	if w.inner > 1 {
		return "", false // echo $(echo $(…)) is not worth following far down
	}
	quiet := walker{s: &Script{}, parent: -1, vars: w.vars, folding: true, pass: w.pass, inner: w.inner + 1}
	var words []Word
	for _, arg := range echo.Args {
		words = append(words, quiet.words(arg)...)
	}
	return printed(words)
}

func constantOutput(stmts []*syntax.Stmt) *syntax.CallExpr {
	if len(stmts) != 1 || len(stmts[0].Redirs) > 0 {
		return nil
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Args) == 1 && call.Args[0].Lit() != "pwd" {
		return nil
	}
	switch call.Args[0].Lit() {
	case "echo", "printf", "which", "type", "command", "pwd":
		return call
	}
	return nil
}

// printed is what echo or printf with these words writes, if that is known.
func printed(words []Word) (string, bool) {
	words = slices.Clone(words)
	for i := range words {
		if words[i] = atHome(words[i]); !words[i].Known() {
			return "", false
		}
	}
	args := words[1:]
	switch words[0].Text {
	case "pwd":
		return ".", true
	case "which", "type", "command": // $(which rm) is rm, wherever it lies
		if words[0].Text == "command" && !lookup(words[1]) {
			return "", false
		}
		return words[len(words)-1].Text, true
	case "echo":
		escapes := false
		for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
			escapes = escapes || strings.Contains(args[0].Text, "e")
			args = args[1:]
		}
		text := join(args)
		if escapes {
			text = ansi(text)
		}
		return text, true
	case "printf":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if len(args) == 0 || args[0].Text == "-v" {
			return "", false
		}
		return format(ansi(args[0].Text), args[1:])
	}
	return "", false
}

// format follows printf as far as %s, %b and %%.
func format(text string, args []Word) (string, bool) {
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(text); i++ {
			if text[i] != '%' {
				b.WriteByte(text[i])
				continue
			}
			i++
			if i == len(text) || strings.IndexByte("sbq%", text[i]) < 0 {
				return "", false
			}
			if text[i] == '%' {
				b.WriteByte('%')
			} else if used < len(args) {
				b.WriteString(args[used].Text)
				used++
			}
		}
		args = args[used:]
		if used == 0 || len(args) == 0 {
			return b.String(), true
		}
	}
}

func join(words []Word) string { return (&Command{Words: words}).Text() }

// appendFolded reads a word in a folding pass: an unquoted value is split at
// blanks, "${a[@]}" becomes the elements of the array.
func (w *walker) appendFolded(out []Word, word *syntax.Word) []Word {
	if elements, ok := w.foldArray(word); ok {
		w.folded = true
		return append(out, elements...)
	}
	b := w.builder()
	split := b.foldable(word.Parts)
	b.unquoted(word.Parts)
	one := b.word(w.spanOf(word))
	if !split {
		return append(out, one)
	}
	fields := strings.Fields(one.Text)
	for _, field := range fields {
		part := one
		part.Text = field
		out = append(out, part)
	}
	return out
}

// foldable reports whether an unquoted part of the word is folded, so that its
// value is split into words.
func (b *builder) foldable(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.ParamExp:
			if _, ok := b.w.foldParam(part); ok {
				return true
			}
		case *syntax.CmdSubst:
			if _, ok := b.w.foldSubst(part); ok {
				return true
			}
		}
	}
	return false
}

func (w *walker) foldArray(word *syntax.Word) ([]Word, bool) {
	parts := word.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		return nil, false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil {
		return nil, false
	}
	name := p.Param.Value
	if name != "@" && name != "*" && !indexAll(p.Index) {
		return nil, false
	}
	v := w.vars[name]
	if v == nil || v.unknown || len(v.array) == 0 {
		return nil, false
	}
	return v.array[w.pass%len(v.array)], true
}
