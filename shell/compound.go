package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What declare and its like assign to an array is a list where the value begins with "(": bash
// expands the words in it, also where the value stood in quotes or came from a variable:
// x='($(cmd))'; declare -a y=$x. A plain y=$x assigns the text.

// attributes are those that a declaration gives.
type attributes struct{ integer, array, exports bool }

// take adds those that the letters of an option give.
func (a *attributes) take(option string) {
	a.integer = a.integer || strings.IndexByte(option, 'i') > 0
	a.array = a.array || strings.ContainsAny(option, "aA")
	a.exports = a.exports || strings.IndexByte(option, 'x') > 0
}

// arrayFromStart: bash makes the variable an array itself.
func arrayFromStart(name string) bool {
	return listed("BASH_ALIASES BASH_ARGC BASH_ARGV BASH_CMDS BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_VERSINFO COMP_WORDS COMPREPLY COPROC DIRSTACK "+
		"FUNCNAME GROUPS MAPFILE PIPESTATUS", name)
}

// maybeList: bash may read the value as a list with words that it expands.
func maybeList(text string) bool {
	switch {
	case text == "" || text[0] != '(' && firstMark(text) != 0:
		return false
	case firstMark(text) >= 0:
		return true
	}
	return strings.IndexByte(text, ')') > 0 && strings.ContainsAny(text, "$`[<>")
}

// declaresArray notes that the variable may be an array. A value that it was given by a
// declaration may be a list the next time round, or when a function is called.
func (w *walker) declaresArray(name string) {
	v := w.variable(name)
	if v.isArray {
		return
	}
	v.isArray = true
	for _, value := range v.declared {
		w.expandsList(value)
	}
	v.declared = nil
}

// makesArray is the same for a word that names the variable.
func (w *walker) makesArray(name Word) {
	if isName(name.Text) {
		w.declaresArray(name.Text)
	}
}

// declares gives a variable the attributes of a declaration.
func (w *walker) declares(name string, with attributes, span Span) {
	if with.integer {
		w.declareInteger(name, span)
	}
	if with.array {
		w.declaresArray(name)
	}
}

// declaredValue looks at a value that a declaration assigns; word is where it stands, nil if it
// does not stand in the script as one word.
func (w *walker) declaredValue(name string, word *syntax.Word, value Word) {
	if list := value.Text; w.variable(name).isArray && value.Known() && strings.HasPrefix(list, "(") && isName(name) {
		w.hidden(name+"="+list, value.Span) // its elements
	}
	if !maybeList(value.Text) || word != nil && !value.Known() && w.yieldsNumber(word) {
		return
	}
	v := w.variable(name)
	switch {
	case v.isArray || arrayFromStart(name):
		w.expandsList(value)
	case len(v.declared) < maxFolds:
		v.declared = append(v.declared, value)
	}
	if word == nil || !v.isArray {
		return
	}
	if p := onlyParam(unquoted(word)); p != nil && p.Param != nil {
		w.heldValues(p.Param.Value)
	}
}

// expandsList notes that the words of a list are expanded.
func (w *walker) expandsList(value Word) {
	w.mayRun("a declaration expands what is in the value of an array, which may run a command", value.Span)
	w.evaluatedText(value)
	if value.Known() {
		w.hidden("_="+value.Text, value.Span)
	}
}

// declaredLists are the values that declarations give, and the variables that may be arrays.
type declaredLists struct {
	lists  []string
	arrays map[string]bool
}

func (d *declaredLists) isArray(name string) {
	if d.arrays == nil {
		d.arrays = make(map[string]bool)
	}
	d.arrays[name] = true
}

// declaredTo notes the value that a declaration gives a variable.
func (d *declaredLists) declaredTo(name string, value *syntax.Word) {
	if text, known := constant(value); !known || maybeList(text) {
		if number, _ := isNumberWord(value); !number {
			d.lists = append(d.lists, name)
		}
	}
}

// expandedLists: the words of a list may be expanded, which may give any variable a value.
func (c *collector) expandedLists() {
	for _, name := range c.lists {
		if c.arrays[name] || arrayFromStart(name) {
			c.anyValue()
			return
		}
	}
}

// declares looks at one argument of a declaration.
func (c *collector) declares(a *syntax.Assign, array bool) {
	if array || a.Index != nil || a.Array != nil {
		c.isArray(a.Name.Value)
	}
	if a.Value != nil {
		c.declaredTo(a.Name.Value, a.Value)
	}
}
