package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// variable is what the script assigns to a name.
type variable struct {
	values []Word   // each constant value, in order
	first  [1]Word  // room for it: most have only one
	array  [][]Word // each constant array
	// unknown: some assignment is not constant; notNumber: some is no number.
	unknown, notNumber bool
	// counted: arithmetic has taken its value for a number; held: a word has.
	counted, held bool
	// keyed: an associative array, whose indexes are text; keyUsed: one was taken so.
	keyed, keyUsed bool
	// integer: it may have that attribute; text: it got something before that is no number;
	// tried: how many of its values were tried as expressions.
	integer, text bool
	tried         int
	emptied       bool // somewhere its value is taken away
	refers        bool // it may be a name reference
	// isArray: it may be one; declared are values that it got by declarations before that.
	isArray  bool
	declared []Word
}

// assign reads one assignment and remembers its value for folding.
func (w *walker) assign(a *syntax.Assign) Assign {
	w.again = true
	out := Assign{Index: a.Index != nil, Array: a.Array != nil}
	if a.Name != nil {
		out.Name = a.Name.Value
		if out.Index || out.Array {
			w.declaresArray(out.Name)
		}
	}
	if a.Index != nil && !indexAll(a.Index) && !w.isKey(out.Name, a.Index) {
		w.arithmetic(a.Index)
	}
	if a.Array != nil {
		out.elements = w.assignArray(out.Name, a.Array)
	}
	if out.Name == "HOME" && a.Value == nil && !a.Naked && !w.folding { // then ~ is empty as well
		w.remember(out.Name, Word{}, false)
	}
	if a.Value == nil && a.Array == nil && a.Name != nil { // N= is no number
		v := w.variable(out.Name)
		w.noNumber(v)
		v.emptied = v.emptied || !a.Naked && !a.Append && a.Index == nil
	}
	if a.Value != nil {
		number := w.numericExpansion(a.Value)
		if number {
			w.numeric(out.Name) // i=$((i+1))
		}
		out.Value = w.assignedWord(a.Value)
		w.assignedInteger(out.Name, a.Value, out.Value)
		if number && !a.Append { // any will do
			w.remember(out.Name, Word{Text: "0"}, true)
		} else {
			w.remember(out.Name, out.Value, a.Append || out.Index && !isFirst(a.Index) && out.Name != "DIRSTACK")
			if a.Append && !out.Index {
				w.appends(out.Name, out.Value)
			}
		}
		if number {
			w.numeric(out.Name)
		}
	}
	w.strays(straysFor(out.Name, out.Value))
	return out
}

// isFirst: x[0] is x itself.
func isFirst(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	return ok && word.Lit() == "0"
}

// numericExpansion: x=$((…)) and x=$(wc -l < f) assign a number.
func (w *walker) numericExpansion(word *syntax.Word) bool {
	parts := word.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		return false
	}
	switch part := parts[0].(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.CmdSubst:
		return w.printsNumber(part.Stmts)
	case *syntax.ParamExp: // rc=$?
		return part.Length || numericParam(part) && listed("? # $", part.Param.Value)
	}
	return false
}

func (w *walker) assignArray(name string, array *syntax.ArrayExpr) []Word {
	var words []Word
	for _, elem := range array.Elems {
		if elem.Index != nil && !w.isKey(name, elem.Index) {
			w.arithmetic(elem.Index)
		}
		if elem.Value != nil {
			words = append(words, w.words(elem.Value)...)
		}
	}
	w.expands(words)
	v := w.variable(name)
	w.noNumber(v)
	w.strays(straysFor(name, Word{Text: unknownMark}))
	for _, word := range words {
		w.assignedInteger(name, nil, word)
		v.text = v.text || !v.integer && !isNumber(word.Text)
	}
	for _, word := range words {
		if strings.IndexByte(word.Text, Unknown) >= 0 {
			v.unknown = true
			return words
		}
	}
	w.rememberArray(v, words)
	return words
}

// rememberArray notes a constant array, once: passes come by here again.
func (w *walker) rememberArray(v *variable, words []Word) {
	w.constant = true
	for _, known := range v.array {
		if slices.EqualFunc(known, words, func(a, b Word) bool { return a.Text == b.Text }) {
			return
		}
	}
	if len(v.array) < maxFolds {
		v.array = append(v.array, words)
	}
}

// assignEach is a for loop: the name takes every item in turn.
func (w *walker) assignEach(name string, items []Word) {
	w.assigned(Assign{Name: name, Value: Word{Text: unknownMark}})
	if len(items) == 0 {
		w.assignedInteger(name, nil, Word{Text: unknownMark, Span: Span{Start: w.here(), End: w.here()}})
		w.remember(name, Word{Text: unknownMark}, false)
	}
	for _, item := range items {
		w.assignedInteger(name, nil, item)
		w.remember(name, item, false)
	}
}

func (w *walker) variable(name string) *variable {
	if w.vars == nil {
		if w.vars, w.varRoom = w.varRoom, nil; w.vars == nil {
			w.vars = make(map[string]*variable)
		}
	}
	v := w.vars[name]
	if v == nil {
		v = &variable{}
		w.vars[name] = v
	}
	return v
}

func (w *walker) remember(name string, value Word, partly bool) {
	v := w.variable(name)
	if !partly {
		value = atHome(value) // d=$HOME
	}
	if w.folding {
		if strings.IndexByte(value.Text, Unknown) < 0 && !partly && w.folded {
			w.learn(v, value) // b=$a, d=$PWD: known now
		}
		return
	}
	if !value.Known() || !isNumber(value.Text) {
		w.noNumber(v)
		v.text = v.text || !v.integer && value.Text != ""
	}
	if strings.IndexByte(value.Text, Unknown) >= 0 || partly {
		v.unknown = true
		return
	}
	if isNumber(value.Text) { // which tells a rule nothing that the unknown word does not
		return
	}
	if v.values == nil {
		v.values = v.first[:0]
	}
	v.values = append(v.values, value)
	if worthFolding(value.Text) {
		w.constant = true
	} else {
		w.patterns = true
	}
}

// appends is name+=value: each value that the variable had may be the beginning of what it holds.
func (w *walker) appends(name string, value Word) {
	v := w.variable(name)
	if w.folding || !value.Known() || value.Text == "" {
		return
	}
	if name == "HOME" {
		w.remember(name, Word{Text: "~" + value.Text}, false)
	}
	for _, known := range v.values[:min(len(v.values), maxFolds)] {
		if len(v.values) < maxFolds && len(known.Text)+len(value.Text) <= maxTrimmed {
			known.Text += value.Text
			v.values, w.constant = append(v.values, known), true
		}
	}
}

// worthFolding: a pattern for some files below here tells a rule nothing that the unknown
// word does not, unless something stands before it; one for everything, or for somewhere
// else, does.
func worthFolding(text string) bool {
	glob := strings.IndexByte(text, Glob)
	return glob < 0 || rooted(text) || strings.Contains(text, "..") || glob == len(text)-1 && strings.Trim(text[:glob], "./~") == ""
}

// noNumber notes a value that is no number. If arithmetic has taken it for one before,
// as in a loop, the next time round it evaluates this value.
func (w *walker) noNumber(v *variable) {
	v.notNumber = true
	w.miscounted = w.miscounted || v.held
	if v.counted {
		v.counted = false
		w.mayRun("arithmetic evaluates the value of a variable", Span{Start: w.here(), End: w.here()})
	}
}

// ofShell: bash gives the variable other values by itself, whatever the script assigns.
func ofShell(name string) bool {
	switch name {
	case "_", "OPTARG", "REPLY", "MAPFILE", "DIRSTACK", "OLDPWD", "PWD", "COPROC", "FUNCNAME", "GROUPS", "COMPREPLY":
		return true
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "READLINE_") || strings.HasPrefix(name, "COMP_")
}

// numeric notes that a name is assigned a number by arithmetic.
func (w *walker) numeric(name string) { w.variable(name).unknown = true }

// onlyNumbers: the script itself gives the variable its value, and only numbers.
func (w *walker) onlyNumbers(name string) bool {
	v := w.vars[name]
	return v != nil && !v.notNumber && !w.references && !ofShell(name)
}

// holdsNumber: $i, where the script gives i only numbers.
func (w *walker) holdsNumber(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Exp == nil && p.Repl == nil && p.Index == nil && !p.Excl && w.onlyNumbers(p.Param.Value)
}

// holdsNumber notes that the word is one because a variable in it holds a number.
func (b *builder) holdsNumber(p *syntax.ParamExp) bool {
	if !b.w.holdsNumber(p) {
		return false
	}
	b.w.vars[p.Param.Value].held, b.state = true, heldNumber
	return true
}

// recount lets the words fall apart again that were one because of a number, if the
// script gives such a variable something else later on: the next time round, or in a
// function, that is what the word holds. The same for the home directory.
func (w *walker) recount() {
	moved, elsewhere := w.vars["HOME"] != nil, w.vars["PWD"] != nil
	if !w.miscounted && !moved && !elsewhere {
		return
	}
	for i := range w.s.Commands {
		if elsewhere {
			w.s.Commands[i].standElsewhere()
		}
		for k := range w.s.Commands[i].Words {
			switch word := &w.s.Commands[i].Words[k]; {
			case moved && word.Home:
				word.state = movedHome
			case w.miscounted && word.state == heldNumber:
				word.Split = true
			}
		}
	}
}

// standElsewhere makes ~+ a directory that nobody knows: it is what PWD holds, to which the
// script gives a value.
func (c *Command) standElsewhere() {
	for k := range c.Words {
		if c.Words[k].standElsewhere() {
			c.text = ""
		}
	}
	for k := range c.Redirects {
		c.Redirects[k].Target.standElsewhere()
	}
}

func (word *Word) standElsewhere() bool {
	if !strings.HasPrefix(word.Text, "~+") {
		return false
	}
	word.Text = unknownMark + word.Text[len("~+"):]
	return true
}

// assigned looks at a variable that is set for the commands that follow.
func (w *walker) assigned(a Assign) {
	w.s.posix = w.s.posix || a.Name == posixVariable
	w.strays(straysFor(a.Name, a.Value))
	if a.Name == "IFS" && !a.Array && !a.Index && harmlessSeparators(a.Value) {
		return
	}
	if w.taintAll == "" && (loadsCode(a.Name) && !harmlessVariable(a.Name, a.Value) || w.language().loadsCode(a.Name)) {
		w.taintAll = loadingTaint(a.Name)
	}
}

// exports notes a variable that other programs get, with every value that the script gives it,
// before or after.
func (w *walker) exports(a Assign, naked bool) {
	if !slices.Contains(w.exportedNames, a.Name) {
		w.exportedNames = append(w.exportedNames, a.Name)
	}
	if !naked {
		w.exportsValue(a.Name, a.Value)
	}
}

func (w *walker) exportsValue(name string, value Word) {
	if !harmlessVariable(name, value) || !isMakeText(value.Text) {
		w.exportsHarm(Assign{Name: name, Value: value})
	}
}

// exportsValues looks at the values that exported variables have had.
func (w *walker) exportsValues() {
	names := w.exportedNames
	if w.exportsAll {
		names = slices.Sorted(maps.Keys(w.vars))
	}
	if w.s.exports = names; w.exportsAll || w.references { // by another name
		w.s.exports = []string{""}
	}
	for _, name := range names {
		v := w.vars[name]
		if v == nil {
			continue
		}
		for _, value := range v.values {
			w.exportsValue(name, value)
		}
		if v.unknown && v.notNumber {
			w.exportsValue(name, Word{Text: unknownMark})
		}
	}
}

// setsOptions follows set -a, set -o allexport and shopt -so allexport, after which what is assigned is
// exported, and set -k and -o keyword, after which a=b behind a command is an assignment, too.
func (w *walker) setsOptions(args []Word) {
	for _, arg := range args {
		letters := strings.HasPrefix(arg.Text, "-")
		has := func(letter byte, name string) bool {
			return letters && (!arg.Known() || strings.IndexByte(arg.Text, letter) > 0) || strings.EqualFold(strings.ReplaceAll(arg.Text, "_", ""), name)
		}
		if arg.Text == "--" {
			return
		}
		w.exportsAll = w.exportsAll || has('a', "allexport")
		if has('k', "keyword") {
			w.problem(Unparseable, "an option that makes variables of words behind a command", arg.Span.Start)
		}
	}
}

// exportsHarm notes a variable that may do harm.
func (w *walker) exportsHarm(a Assign) {
	const most = 16
	switch {
	case slices.ContainsFunc(w.exported, func(other Assign) bool { return other.Name == a.Name && other.Value.Text == a.Value.Text }):
	case len(w.exported) < most:
		w.exported = append(w.exported, a)
	case w.taintAll == "":
		w.taintAll = "too many variables are exported"
	}
}

func (w *walker) assignedName(name string, span Span) {
	if !isName(name) {
		w.evaluatedName(Word{Text: name, Span: span})
		return
	}
	w.assigned(Assign{Name: name, Value: Word{Text: unknownMark}})
}

// harmlessSeparators: with these in IFS a word falls apart in other places, but a word
// that may fall apart is not known anyway. Digits would split numbers.
func harmlessSeparators(value Word) bool {
	for i := range len(value.Text) {
		if c := value.Text[i]; c >= 0x80 || c >= '0' && c <= '9' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z' {
			return false
		}
	}
	return true
}

// assignedTo is a name given as a word, to read, printf -v or mapfile. It returns the
// variable, "" if that is not known.
func (w *walker) assignedTo(name Word) string {
	w.s.anyName = w.s.anyName || !name.Known()
	return w.changedBy(name)
}

// changedBy is a name given as a word to those, or to unset.
func (w *walker) changedBy(name Word) string { return w.changedTo(name, Word{Text: unknownMark}) }

// changedTo is one that gets a value.
func (w *walker) changedTo(name, value Word) string {
	w.evaluatedName(name)
	if !name.Known() {
		w.references, w.miscounted = true, true
		if w.taintAll == "" {
			w.taintAll = "a variable whose name is not known is assigned"
		}
		return ""
	}
	base, index, element := strings.Cut(strings.TrimSuffix(name.Text, "+"), "[")
	if element {
		w.declaresArray(base)
	}
	w.assigned(Assign{Name: base, Value: value})
	w.remember(base, value, base != name.Text && index != "0]")
	return base
}
