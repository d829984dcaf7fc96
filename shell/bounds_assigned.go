package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assigned is one place where a variable gets its value.
type assigned struct {
	words  []*syntax.Word // one, or the items of a loop; none for a number
	loop   bool
	number bool
	input  []*syntax.Stmt // whose output is read into it
	at     int32
	// until: up to here in the source whoever gets there has passed the assignment.
	until int32
}

// someNumbers stand for any.
var someNumbers = [...]Word{{Text: "0", state: signedNumber}, {Text: "1", state: signedNumber}}

// values are the values that the assignment can give.
func (a *assigned) values(w *walker, b *bounds) []Word {
	switch {
	case a.number:
		return someNumbers[:]
	case a.input != nil:
		if words := b.printedLines(a.input); words != nil {
			return words
		}
		c := b.output(w, a.input)
		if c.nul {
			c = looseClass
		}
		return []Word{{Text: unknownMark, Listed: c.listing, Loose: c.kind != listedValue}}
	}
	quiet := walker{parent: -1, folding: true, pass: 0, bound: b}
	all := make([]Word, 0, len(a.words))
	for _, word := range a.words {
		if word == nil { // x=
			all = append(all, Word{})
			continue
		}
		if text, ok := plain(word); ok {
			all = append(all, Word{Text: text})
			continue
		}
		if quiet.s == nil {
			quiet.s = &Script{Source: w.s.Source, language: w.language(), patterns: w.s.patterns}
		}
		if quiet.takesTurns(word) {
			return []Word{{Text: unknownMark, Loose: true}}
		}
		words := quiet.words(word)
		if b.moves && (quiet.working || len(words) > 0 && words[0].Tilde && strings.HasPrefix(words[0].Text, "~+")) {
			return []Word{{Text: unknownMark, Loose: true}} // it is where the script was by then
		}
		for _, value := range words {
			if value.Home || value.Tilde {
				value.Text = pathOf(value, false)
			}
			if value.Empty && a.loop && value.Split && value.Text == globMark { // no number is no turn of the loop
				for _, number := range someNumbers {
					number.state = value.state
					all = append(all, number)
				}
				continue
			}
			all = append(all, value)
		}
	}
	return all
}

// printedLines are the lines of printf '%s\n' with constant words, and the nothing that is
// read behind the last of them.
func (b *bounds) printedLines(stmts []*syntax.Stmt) []Word {
	if len(stmts) != 1 || len(stmts[0].Redirs) > 0 || stmts[0].Negated || stmts[0].Background {
		return nil
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) < 3 || call.Args[0].Lit() != "printf" || !b.trusts("printf") {
		return nil
	}
	if format, ok := plain(call.Args[1]); !ok || format != `%s\n` {
		return nil
	}
	lines := make([]Word, 0, len(call.Args)-1)
	for _, arg := range call.Args[2:] {
		text, ok := plain(arg)
		if !ok || strings.ContainsAny(text, " \t\n\\") {
			return nil
		}
		lines = append(lines, Word{Text: text})
	}
	return append(lines, Word{})
}

// takesTurns: the word holds a variable whose values take turns, or braces that were
// split, so it has several.
func (w *walker) takesTurns(word *syntax.Word) bool {
	if len(w.bound.assigned) == 0 {
		return false
	}
	turns := false
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.ParamExp:
			turns = w.bound.param(w, node).kind == wildValue
		case *syntax.Word:
			turns = wasSplit(node)
		}
		return !turns
	})
	return turns
}
