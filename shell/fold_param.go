package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// foldParam is the constant value of $x in this pass.
func (w *walker) foldParam(p *syntax.ParamExp) (string, bool) {
	if w.bound != nil {
		return w.bound.param(w, p).value(w, p)
	}
	if value, ok := w.foldDefault(p); ok {
		return value, true
	}
	if !w.folding || p.Param == nil || p.Length {
		return "", false
	}
	named := p
	if p = w.pointed(p); p.Excl {
		return "", false
	}
	v := w.vars[p.Param.Value]
	changes := p.Exp != nil || p.Repl != nil || p.Slice != nil
	if (v == nil || len(v.values) == 0) && holdsDirectory(p.Param.Value) {
		value := directoryIn(p, p != named)
		if above, ok := strings.CutPrefix(value, startAgain); ok {
			value = w.earlier() + above
		}
		w.folded = w.folded || value != ""
		return value, value != ""
	}
	if v == nil || len(v.values) == 0 {
		if changes {
			return "", false
		}
		return w.foldElement(p, v)
	}
	w.folded = true
	n, _ := w.choose(p.Param.Value, chosenValue, min(len(v.values), maxFolds))
	value := v.values[n].Text
	if changes {
		value = w.altered(p, value)
	}
	return value, true
}

// cutsDirectory reports whether the expansion takes an end off HOME, PWD and the like, or something
// out of it. What is left is not known, and may be a directory above.
func cutsDirectory(p *syntax.ParamExp) bool {
	if p.Param == nil || !holdsDirectory(p.Param.Value) || p.Excl || p.Length {
		return false
	}
	switch {
	case p.Slice != nil:
		offset, known := 0, true
		if p.Slice.Offset != nil {
			offset, known = constantNumber(p.Slice.Offset)
		}
		return !known || offset == 0
	case p.Repl != nil:
		return true
	case p.Exp == nil || p.Exp.Word == nil:
		return false
	}
	return (p.Exp.Op == syntax.RemSmallSuffix || p.Exp.Op == syntax.RemLargeSuffix) && p.Exp.Word.Lit() != "/"
}

// pointed is the expansion with the name of the variable that it leads to: ${!x}, and $x where x is
// a name reference.
func (w *walker) pointed(p *syntax.ParamExp) *syntax.ParamExp {
	for range maxPointed {
		v := w.vars[p.Param.Value]
		if v == nil || len(v.values) == 0 || !p.Excl && !v.refers || p.Names != 0 || p.Excl && p.Index != nil {
			return p
		}
		n, _ := w.choose(p.Param.Value, chosenValue, min(len(v.values), maxFolds))
		if !isName(v.values[n].Text) {
			return p
		}
		to := *p
		to.Excl, to.Param = false, &syntax.Lit{Value: v.values[n].Text}
		p = &to
	}
	return p
}

// maxPointed is how many references in a row are followed.
const maxPointed = 4

// holdsDirectory reports whether the variable holds a directory although no script says so.
func holdsDirectory(name string) bool {
	switch name {
	case "HOME", "PWD", "OLDPWD", "DIRSTACK":
		return true
	}
	return false
}

// directoryIn is what an expansion of such a variable stands for in a guess: the directory, unless it
// surely takes something off its front, or one above if it cuts something else out. It is "" for
// others, and for $HOME, which the word itself says unless that is pointed at.
func directoryIn(p *syntax.ParamExp, pointed bool) string {
	cuts := cutsDirectory(p)
	switch {
	case p.Names != 0, p.Slice != nil && !cuts, p.Exp != nil && cutsRoot(p.Exp):
		return ""
	}
	switch p.Param.Value {
	case "HOME":
		switch {
		case plainHome(p) && !pointed:
			return ""
		case cuts:
			return "/home"
		}
		return "~"
	case "PWD":
		if cuts {
			return ".."
		}
		return "."
	case "DIRSTACK":
		if p.Index == nil || indexAll(p.Index) || isFirst(p.Index) {
			return "."
		}
	}
	if cuts {
		return startAgain + "/.."
	}
	return startAgain
}

// foldHome is what "~" and cd without a word stand for in this pass, where the script gives HOME other
// values: one of them, or one that nobody knows.
func (w *walker) foldHome() (value string, moved bool) {
	w.tildes = true
	v := w.vars["HOME"]
	if !w.folding || w.bound != nil || v == nil {
		return "", false
	}
	known := min(len(v.values), maxFolds)
	of := known
	if v.unknown {
		of++
	}
	if of == 0 {
		return "", false
	}
	w.folded = true
	if n, _ := w.choose("HOME", chosenValue, of); n < known {
		return v.values[n].Text, true
	}
	return unknownMark, true
}

// cutsRoot reports whether the expansion leaves nothing of a directory, or a name below another one.
func cutsRoot(exp *syntax.Expansion) bool {
	switch exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return true
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return exp.Word != nil && (exp.Word.Lit() == "/" || exp.Word.Lit() == "*/")
	}
	return false
}

// altered is a constant value after ${x%suffix}, ${x#prefix}, ${x/a/b}, ${x:1:2} or
// ${x^^}. What is not understood leaves it as it is, which is a guess like any other.
func (w *walker) altered(p *syntax.ParamExp, value string) string {
	switch {
	case p.Slice != nil:
		return sliced(value, p.Slice)
	case p.Repl != nil:
		orig, with := w.word(p.Repl.Orig), w.word(p.Repl.With)
		if !orig.Known() || !with.Known() || orig.Text == "" {
			return value
		}
		if p.Repl.All {
			return replaced(value, orig.Text, with.Text)
		}
		before, after, found := strings.Cut(value, orig.Text)
		if !found {
			return value
		}
		return grown(grown(before, with.Text), after)
	}
	pattern := ""
	if p.Exp.Word != nil {
		if pattern = p.Exp.Word.Lit(); pattern == "" {
			pattern = w.word(p.Exp.Word).Text
		}
	}
	if len(value) > maxTrimmed || len(pattern) > maxTrimmed {
		return value
	}
	switch p.Exp.Op {
	case syntax.RemSmallSuffix:
		return trimSuffix(value, pattern, false)
	case syntax.RemLargeSuffix:
		return trimSuffix(value, pattern, true)
	case syntax.RemSmallPrefix:
		return trimPrefix(value, pattern, false)
	case syntax.RemLargePrefix:
		return trimPrefix(value, pattern, true)
	case syntax.UpperAll:
		return strings.ToUpper(value)
	case syntax.LowerAll:
		return strings.ToLower(value)
	}
	return value
}

// maxTrimmed bounds the values to which patterns are applied.
const maxTrimmed = 256

// trimSuffix removes the shortest or longest end that matches.
func trimSuffix(value, pattern string, longest bool) string {
	found := len(value)
	for at := len(value); at >= 0; at-- {
		if matchesGlob(value[at:], pattern) {
			found = at
			if !longest {
				break
			}
		}
	}
	return value[:found]
}

// trimPrefix is trimSuffix at the other end.
func trimPrefix(value, pattern string, longest bool) string {
	found := 0
	for at := 0; at <= len(value); at++ {
		if matchesGlob(value[:at], pattern) {
			found = at
			if !longest {
				break
			}
		}
	}
	return value[found:]
}

// matchesGlob matches a whole text: "*" is any run of characters, "?" any one, "[…]"
// one of a set, which is taken to hold every letter.
func matchesGlob(text, pattern string) bool {
	t, p, star, tried := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, tried = p, t
			p++
		case p < len(pattern) && pattern[p] == '[' && bracketEnd(pattern[p:]) > 0 && text[t] != '/':
			p += bracketEnd(pattern[p:]) + 1
			t++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			tried++
			p, t = star+1, tried
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// bracketEnd is the index of the "]" that ends a bracket expression at the start
// of text, or 0.
func bracketEnd(text string) int {
	for i := 2; i < len(text); i++ {
		if text[i] == ']' {
			return i
		}
	}
	return 0
}

// sliced is ${x:offset:length} with constant numbers.
func sliced(value string, s *syntax.Slice) string {
	from, ok := constantNumber(s.Offset)
	if !ok {
		return value
	}
	if from < 0 {
		from += len(value)
	}
	if from < 0 || from > len(value) {
		return ""
	}
	value = value[from:]
	n, ok := constantNumber(s.Length)
	switch {
	case !ok:
		return value
	case n < 0:
		n += len(value)
	}
	return value[:max(0, min(n, len(value)))]
}

func constantNumber(x syntax.ArithmExpr) (int, bool) {
	switch x := x.(type) {
	case *syntax.Word:
		n, err := strconv.Atoi(x.Lit())
		return n, err == nil
	case *syntax.UnaryArithm:
		n, ok := constantNumber(x.X)
		return -n, ok && x.Op == syntax.Minus
	case *syntax.ParenArithm:
		return constantNumber(x.X)
	}
	return 0, false
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
	chosen, _ := w.choose(p.Param.Value, chosenArray, len(v.array))
	array := v.array[chosen]
	if err != nil || n < 0 || n >= len(array) {
		return "", false
	}
	w.folded = true
	return array[n].Text, true
}

// foldDefault is the constant in ${x:-constant}, which holds when x is not set, and in
// ${x:+constant}, which holds when it is.
func (w *walker) foldDefault(p *syntax.ParamExp) (string, bool) {
	if p.Exp == nil || p.Exp.Word == nil || p.Param == nil || p.Excl || p.Length {
		return "", false
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		v := w.vars[p.Param.Value]
		if w.folding && (v != nil && len(v.values) > 0 || holdsDirectory(p.Param.Value)) {
			if n, _ := w.choose(p.Param.Value, chosenDefault, 2); n == 0 {
				return "", false // it has a value; another pass takes the default
			}
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
	default:
		return "", false
	}
	if !w.folding {
		w.foldable = true
		return "", false
	}
	value := atHome(w.word(p.Exp.Word))
	if strings.IndexByte(value.Text, Unknown) >= 0 {
		return "", false
	}
	w.folded = true
	return strings.ReplaceAll(value.Text, globMark, "*"), true // it is a pattern where it is put in
}

func join(words []Word) string { return (&Command{Words: words}).Text() }
