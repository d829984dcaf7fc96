package shell

import "mvdan.cc/sh/v3/syntax"

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
var someNumbers = [...]Word{{Text: "0"}, {Text: "1"}}

// values are the values that the assignment can give.
func (a *assigned) values(w *walker, b *bounds) []Word {
	switch {
	case a.number:
		return someNumbers[:]
	case a.input != nil:
		c := b.output(w, a.input)
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
			quiet.s = &Script{Source: w.s.Source}
		}
		if quiet.takesTurns(word) {
			return []Word{{Text: unknownMark, Loose: true}}
		}
		for _, value := range quiet.words(word) {
			if value.Home || value.Tilde {
				value.Text = pathOf(value, false)
			}
			if value.Empty && a.loop && value.Split && value.Text == globMark { // no number is no turn of the loop
				all = append(all, someNumbers[:]...)
				continue
			}
			all = append(all, value)
		}
	}
	return all
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
