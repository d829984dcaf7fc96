package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declaration walks export, declare, local, readonly and typeset.
func (w *walker) declaration(cmd *syntax.DeclClause) {
	w.again = true
	span := w.spanOf(cmd)
	c := Command{Words: []Word{{Text: cmd.Variant.Value, Span: w.spanOf(cmd.Variant)}}, Span: span}
	nameref, with := cmd.Variant.Value == "nameref", attributes{exports: cmd.Variant.Value == "export"}
	for _, arg := range cmd.Args {
		if arg.Name != nil {
			w.declares(arg.Name.Value, with, w.spanOf(arg))
		}
		a := w.assign(arg)
		switch {
		case arg.Naked && arg.Name == nil: // an option or an expansion
			if strings.HasPrefix(a.Value.Text, "-") && a.Value.Known() {
				nameref = nameref || strings.Contains(a.Value.Text, "n")
				with.take(a.Value.Text)
			} else {
				w.declared(a.Value, with)
			}
			c.Words = append(c.Words, a.Value)
			continue
		case nameref:
			w.references, w.miscounted = true, true // any variable may get its values
			w.variable(a.Name).refers = true
			w.refersTo(a.Value.Text)
			w.mayRun("a name reference evaluates its value", span)
		}
		if arg.Naked && local(cmd.Variant.Value) {
			w.empties(Word{Text: a.Name})
		}
		w.assigned(a)
		if arg.Value != nil {
			w.declaredValue(a.Name, arg.Value, a.Value)
		}
		if with.exports {
			w.exports(a, arg.Naked)
		}
		c.Assigns = append(c.Assigns, a)
		c.Words = append(c.Words, Word{Text: declaredText(a), Span: w.spanOf(arg)})
	}
	i := w.add(&c)
	for _, a := range c.Assigns {
		w.assignedCode(i, a.Name, a.Value)
	}
}

// refersTo is the variable that a name reference stands for; without one it gets it later.
func (w *walker) refersTo(target string) {
	w.s.anyName = w.s.anyName || target == "" || firstMark(target) >= 0
}

// local: in a function the command makes a new variable, which has no value yet.
func local(variant string) bool {
	return variant == "local" || variant == "declare" || variant == "typeset"
}

// declared is an argument of declare that the grammar does not read as an
// assignment: 'a[$(cmd)]=1' in quotes, or "$X".
func (w *walker) declared(arg Word, with attributes) {
	name, value, assigns := strings.Cut(arg.Text, "=")
	given := Word{Text: unknownMark}
	if assigns {
		given.Text = value
	}
	w.s.anyName = w.s.anyName || !(Word{Text: name}).Known()
	base := w.changedTo(Word{Text: name, Span: arg.Span}, given)
	if base != "" {
		w.declares(base, with, arg.Span)
	}
	if assigns {
		w.assignedInteger(base, nil, Word{Text: value, Span: arg.Span})
		w.declaredValue(base, nil, Word{Text: value, Span: arg.Span})
	}
	w.strays(straysFor(name, Word{Text: value}))
	if with.exports {
		w.exports(Assign{Name: base, Value: Word{Text: value}}, !assigns)
	}
}

func declaredText(a Assign) string {
	if a.Value.Text == "" && !a.Array {
		return a.Name
	}
	return a.Name + "=" + a.Value.Text
}
