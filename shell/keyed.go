package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declaresKeyed notes the associative arrays that a declaration makes, which runs for
// certain: their indexes are text, while those of other arrays are evaluated.
func (w *walker) declaresKeyed(decl *syntax.DeclClause) {
	switch decl.Variant.Value {
	case "declare", "typeset":
	default:
		return
	}
	keyed := false
	for _, arg := range decl.Args {
		switch {
		case arg.Naked && arg.Name == nil && arg.Value != nil:
			keyed = keyed || strings.HasPrefix(arg.Value.Lit(), "-") && strings.Contains(arg.Value.Lit(), "A")
		case keyed && arg.Name != nil:
			w.variable(arg.Name.Value).keyed = true
		}
	}
}

// isKey: a constant index of an associative array.
func (w *walker) isKey(name string, index syntax.ArithmExpr) bool {
	v := w.vars[name]
	word, ok := index.(*syntax.Word)
	if v == nil || !v.keyed || !ok {
		return false
	}
	text, ok := plain(word)
	if !ok || strings.ContainsAny(text, "$`[]()\\") {
		return false
	}
	if other := w.vars[text]; other != nil && other.notNumber {
		return false // an old bash knows no such arrays, and would evaluate that variable
	}
	v.keyUsed = true
	return true
}

// unsets: without its declaration the array is an ordinary one, and what was taken for
// a key may be evaluated the next time round.
func (w *walker) unsets(name Word) {
	if name.Known() {
		w.unsetsKeyed(w.vars[name.Text], name.Span)
		return
	}
	for _, v := range w.vars {
		w.unsetsKeyed(v, name.Span)
	}
}

func (w *walker) unsetsKeyed(v *variable, at Span) {
	if v == nil || !v.keyed {
		return
	}
	v.keyed = false
	if v.keyUsed {
		w.mayRun("the index of an array is evaluated", at)
	}
}
