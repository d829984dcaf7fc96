package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Some operands are evaluated by bash although they look like text: an array
// index inside single quotes, the value of a variable in arithmetic. Where one is
// not a plain constant, unknown code may run.

// param walks ${…}: substitutions in defaults, indexes and offsets.
func (w *walker) param(p *syntax.ParamExp) {
	span := w.spanOf(p)
	if p.Exp != nil {
		w.hiddenIn(p.Exp.Word, span)
	}
	if p.Repl != nil {
		w.hiddenIn(p.Repl.Orig, span)
		w.hiddenIn(p.Repl.With, span)
	}
	if p.Excl && p.Names == 0 && !indexAll(p.Index) {
		w.mayRun("an indirect expansion evaluates the value of a variable", span)
	}
	if p.Index != nil && !indexAll(p.Index) && (p.Param == nil || !w.isKey(p.Param.Value, p.Index)) {
		w.arithmetic(p.Index)
	}
	if p.Slice != nil {
		w.arithmetic(p.Slice.Offset)
		w.arithmetic(p.Slice.Length)
	}
	if p.Repl != nil {
		w.word(p.Repl.Orig)
		w.word(p.Repl.With)
	}
	if p.Exp != nil {
		w.expand(p, span)
	}
}

// hiddenIn: inside ${…} shells expand what the grammar gives as plain text, such as
// a process substitution, for zsh also =(…) at the start, or a substitution between
// single quotes that stand inside double quotes.
func (w *walker) hiddenIn(word *syntax.Word, span Span) {
	if word == nil {
		return
	}
	for i, part := range word.Parts {
		text, runs := "", false
		switch part := part.(type) {
		case *syntax.Lit:
			text, runs = part.Value, i == 0 && strings.HasPrefix(part.Value, "=(")
		case *syntax.SglQuoted:
			text = part.Value
		case *syntax.DblQuoted:
			w.hiddenIn(&syntax.Word{Parts: part.Parts}, span)
		}
		if runs || strings.Contains(text, "$(") || strings.Contains(text, "${") || strings.Contains(text, "<(") || strings.Contains(text, ">(") || strings.Contains(text, "`") {
			w.problem(Unparseable, "an expansion inside ${…} that is not understood", span.Start)
			w.hidden(": "+text, span)
		}
	}
}

func (w *walker) expand(p *syntax.ParamExp, span Span) {
	value := w.word(p.Exp.Word)
	switch p.Exp.Op {
	case syntax.OtherParamOps:
		if value.Text == "P" || !value.Known() {
			w.add(&Command{
				Words: []Word{{Text: unknownMark, Span: span}}, Span: span,
				Opaque: OpaqueShell, Taint: "${…@P} runs the substitutions held in the value",
			})
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.s.anyName = w.s.anyName || p.Excl
		if p.Param != nil {
			if p.Index != nil {
				w.declaresArray(p.Param.Value)
			}
			w.assigned(Assign{Name: p.Param.Value, Value: value})
			w.assignedInteger(p.Param.Value, p.Exp.Word, value)
			w.remember(p.Param.Value, value, holdsDirectory(p.Param.Value))
			w.variable(p.Param.Value).unknown = true // it may have one already
		}
	}
}

func indexAll(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	if !ok {
		return false
	}
	lit := word.Lit()
	return lit == "@" || lit == "*"
}

// arithmetic walks an arithmetic expression. Numbers and operators are harmless; a
// variable is evaluated again as an expression, and may hold an index that runs a
// command.
func (w *walker) arithmetic(x syntax.ArithmExpr) {
	w.again = w.again || x != nil
	switch x := x.(type) {
	case nil:
	case *syntax.BinaryArithm:
		if assignsArithmetic(x.Op) {
			w.arithmeticTarget(x.X, x.Op != syntax.Assgn)
		} else {
			w.arithmetic(x.X)
		}
		w.arithmetic(x.Y)
	case *syntax.UnaryArithm:
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			w.arithmeticTarget(x.X, true) // i++ gives i a number
			return
		}
		w.arithmetic(x.X)
	case *syntax.ParenArithm:
		w.arithmetic(x.X)
	case *syntax.FlagsArithm:
		w.arithmetic(x.X)
	case *syntax.Word:
		w.arithmeticWord(x)
	}
}

func assignsArithmetic(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}

// arithmeticTarget is the left side of an assignment: x in x=5. With x+=5 and x++ the value that
// it has is evaluated before.
func (w *walker) arithmeticTarget(x syntax.ArithmExpr, evaluates bool) {
	word, ok := x.(*syntax.Word)
	if ok && isName(word.Lit()) {
		if v := w.vars[word.Lit()]; evaluates && v != nil {
			if v.notNumber {
				w.arithmetic(x)
			} else {
				v.counted = true
			}
		}
		w.assignedName(word.Lit(), w.spanOf(word))
		w.numeric(word.Lit())
		return
	}
	w.arithmetic(x)
}

func (w *walker) arithmeticWord(word *syntax.Word) {
	if p := onlyParam(word); p != nil && numericParam(p) {
		w.param(p)
		return
	}
	value := w.word(word)
	switch {
	case value.Known() && (isNumber(value.Text) || w.countsOn(value.Text)):
	case value.Known() && isName(value.Text) && w.onlyNumbers(value.Text):
		w.vars[value.Text].counted = true
	case value.Known() && numericName(value.Text) && !w.references && !w.variable(value.Text).notNumber:
		w.variable(value.Text).counted = true
	case w.onlyNumber(word), w.printedNumber(word):
	default:
		w.mayRun(whatEvaluates(word, value), w.spanOf(word))
		w.evaluatedText(value)
		w.heldValues(value.Text)
	}
}

// printedNumber: $(date +%s) prints a number, or nothing.
func (w *walker) printedNumber(word *syntax.Word) bool {
	if len(word.Parts) != 1 {
		return false
	}
	subst, ok := word.Parts[0].(*syntax.CmdSubst)
	return ok && w.printsNumber(subst.Stmts)
}

// whatEvaluates says what arithmetic evaluates, and what does not.
func whatEvaluates(word *syntax.Word, value Word) string {
	name := ""
	if p := onlyParam(word); p != nil && p.Param != nil {
		name = p.Param.Value
	} else if value.Known() && isName(value.Text) {
		name = value.Text
	}
	if name != "" {
		return "the value of " + name + " is not known, and arithmetic runs a command that stands in it, as in a[$(cmd)] (give " + name +
			" a number in the same call, or compare with [ ])"
	}
	if len(word.Parts) == 1 {
		if _, ok := word.Parts[0].(*syntax.CmdSubst); ok {
			return "what a command prints is not known, and arithmetic runs a command that stands in it, as in a[$(cmd)]"
		}
	}
	return "arithmetic evaluates the value of a variable"
}

// onlyNumber: $i, where the script gives i only numbers.
func (w *walker) onlyNumber(word *syntax.Word) bool {
	p := onlyParam(word)
	if p == nil || p.Length || p.Slice != nil || !w.holdsNumber(p) {
		return false
	}
	w.vars[p.Param.Value].counted = true
	return true
}

func onlyParam(word *syntax.Word) *syntax.ParamExp {
	if len(word.Parts) != 1 {
		return nil
	}
	p, _ := word.Parts[0].(*syntax.ParamExp)
	return p
}

// numericParam: $#, $?, $$, $!, ${#x} always are numbers.
func numericParam(p *syntax.ParamExp) bool {
	if p.Length {
		return true
	}
	if p.Param == nil || p.Exp != nil || p.Excl || p.Repl != nil || p.Slice != nil {
		return false
	}
	switch p.Param.Value {
	case "#", "?", "$", "!":
		return true
	}
	return numericName(p.Param.Value)
}

// numericName: bash itself gives the variable numbers.
func numericName(name string) bool {
	switch name {
	case "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "UID", "EUID", "PPID":
		return true
	}
	return false
}

// test walks the inside of [[ ]].
func (w *walker) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.testNumber(x.X)
			w.testNumber(x.Y)
		case syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno:
			w.testFile(x.X)
			w.testFile(x.Y)
		default:
			w.test(x.X)
			w.test(x.Y)
		}
	case *syntax.UnaryTest:
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			w.testName(x.X)
			return
		}
		if word, ok := x.X.(*syntax.Word); ok && x.Op == syntax.TsFdTerm && w.language() == Zsh {
			w.arithmeticWord(unquoted(word)) // -t takes a number, which zsh evaluates
			return
		}
		if fileTest(x.Op.String()) {
			w.testFile(x.X)
			return
		}
		w.test(x.X)
	case *syntax.ParenTest:
		w.test(x.X)
	case *syntax.Word:
		w.testPattern(x)
	}
}

// testFile adds the file of a test to the words of [[, as test has it.
func (w *walker) testFile(x syntax.TestExpr) {
	word, ok := x.(*syntax.Word)
	if !ok {
		w.test(x)
		return
	}
	file := w.word(word)
	file.Split = false
	c := &w.s.Commands[w.testing]
	c.Words = append(c.Words, Word{Text: "-f", Span: file.Span}, file)
}

// fileTest: the operator asks about a file.
func fileTest(operator string) bool {
	return len(operator) == 2 && operator[0] == '-' && strings.IndexByte("abcdefghkpruwxsLNOGS", operator[1]) >= 0
}

// hiddenProcess: [[ a == @(<(b)) ]] runs b.
const hiddenProcess = "commands in a pattern or an expression"

// testPattern reads an operand of [[ ]], where bash does know extended patterns.
func (w *walker) testPattern(word *syntax.Word) {
	for _, part := range word.Parts {
		pattern, ok := part.(*syntax.ExtGlob)
		switch {
		case !ok:
			w.word(&syntax.Word{Parts: []syntax.WordPart{part}})
		case strings.Contains(pattern.Pattern.Value, "<(") || strings.Contains(pattern.Pattern.Value, ">("):
			w.problem(Unparseable, hiddenProcess, offset(pattern.Pos()))
		}
	}
}

// testNumber: -eq and its kin evaluate both sides as arithmetic.
func (w *walker) testNumber(x syntax.TestExpr) {
	if word, ok := x.(*syntax.Word); ok {
		w.arithmeticWord(word)
		return
	}
	w.test(x)
}

// testName: -v takes a name, whose index is evaluated.
func (w *walker) testName(x syntax.TestExpr) {
	word, ok := x.(*syntax.Word)
	if !ok {
		w.test(x)
		return
	}
	w.evaluatedName(w.word(word))
}

// evaluatedName checks the name of a variable as test -v, read, printf -v, unset
// and declare take it: the index in a[…] is evaluated even inside single quotes.
func (w *walker) evaluatedName(name Word) {
	text := name.Text
	if open := strings.IndexByte(text, '['); open > 0 && strings.HasSuffix(text, "]") {
		index := text[open+1 : len(text)-1]
		if isName(text[:open]) && (isNumber(index) || index == "@" || index == "*") {
			return
		}
	} else if name.Known() && (isName(text) || isNumber(text)) {
		return
	}
	w.mayRun("the name of a variable is evaluated", name.Span)
	w.evaluatedText(name)
}

func (w *walker) let(cmd *syntax.LetClause) {
	span := w.spanOf(cmd)
	w.add(&Command{Words: []Word{{Text: "let", Span: span}}, Span: span})
	for _, x := range cmd.Exprs {
		w.arithmetic(x)
	}
}

func isName(text string) bool {
	if text == "" || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '_' && (c < '0' || c > '9') && (lowerByte(c) < 'a' || lowerByte(c) > 'z') {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	if text == "" {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c < '0' || c > '9') && !(i > 0 && (c == '#' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z')) {
			return false
		}
	}
	return text[0] >= '0' && text[0] <= '9'
}
