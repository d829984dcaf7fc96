package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxFolds bounds how many values of a variable are tried.
const maxFolds = 8

// fold walks the script again with variables that have constant values put in:
// `X=rm; $X -rf /`, `for d in / /home; do rm -rf "$d"; done`. What changed is added
// as guesses, so folding only ever makes the answer stricter.
func (w *walker) fold(stmts []*syntax.Stmt) {
	for _, v := range w.vars {
		w.mayBeEmpty(v)
	}
	found := len(w.s.Commands)
	p := newPasses(found)
	w.foldAll(stmts, found, &p)
	if p.again() {
		p.joined = true
		w.foldAll(stmts, found, &p)
	}
	if p.crowded {
		w.problem(TooDeep, "its variables have too many values to be judged together", 0)
	}
}

// foldAll is one round of passes; found is how many commands the script has.
func (w *walker) foldAll(stmts []*syntax.Stmt, found int, p *passes) {
	for pass := 0; pass < p.needed; pass++ {
		again := walker{
			s: &Script{Source: w.s.Source, language: w.s.language, Commands: make([]Command, 0, found), patterns: w.s.patterns}, parent: -1,
			vars: w.vars, emptiesAny: w.emptiesAny, folding: true, pass: pass, passes: p, work: w.work, been: w.been, changed: make([]bool, 0, found),
		}
		again.whole(stmts)
		w.merge(again.s.Commands, again.changed)
		if w.work = again.work; w.exhausted() {
			w.problem(TooDeep, tooManyWays, 0)
			return
		}
		w.s.history = w.s.history || again.s.history
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

// appendFolded reads a word in a folding pass: an unquoted value is split at
// blanks, "${a[@]}" becomes the elements of the array.
func (w *walker) appendFolded(out []Word, word *syntax.Word) []Word {
	if elements, ok := w.foldArray(word); ok && w.affords(len(elements), offset(word.Pos())) {
		w.folded = true
		return append(out, w.spelled(word, elements)...)
	}
	b := w.builder()
	split := b.foldable(word.Parts)
	b.unquoted(word.Parts)
	one := b.word(w.spanOf(word))
	fields := []string{one.Text}
	if split {
		fields = strings.FieldsFunc(one.Text, w.separates)
	}
	if n := len(fields) + copied(one.Text); n > 1 && !w.affords(n, one.Span.Start) {
		return out
	}
	if !split {
		return append(out, one)
	}
	for _, field := range fields {
		part := one
		part.Text = field
		out = append(out, part)
	}
	return out
}

// copied is the work that a long value makes, which is read again wherever it is put in.
func copied(value string) int {
	if len(value) <= maxTrimmed {
		return 0
	}
	return len(value) / 16
}

// spelled are the elements of an array, which outside quotes are patterns.
func (w *walker) spelled(word *syntax.Word, elements []Word) []Word {
	if _, quoted := word.Parts[0].(*syntax.DblQuoted); quoted {
		return elements
	}
	out := slices.Clone(elements)
	for i := range out {
		out[i].Text = asPattern(out[i].Text)
	}
	return out
}

// separates: a value is split at blanks, and where the script has set IFS there too.
func (w *walker) separates(r rune) bool {
	if r == ' ' || r == '\t' || r == '\n' {
		return true
	}
	v := w.vars["IFS"]
	return v != nil && len(v.values) > 0 && strings.ContainsRune(v.values[0].Text, r)
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
	n, _ := w.choose(name, chosenArray, len(v.array))
	return v.array[n], true
}
