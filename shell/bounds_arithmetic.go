package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithmetic gives numbers to variables; ${x:=y} gives them anything.
func (c *collector) arithmetic(node syntax.Node, until int32) {
	syntax.Walk(node, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			c.only(node.Stmts)
			return false
		case *syntax.ProcSubst:
			c.only(node.Stmts)
			return false
		case *syntax.ArithmExp:
			c.evaluate(node.X, until)
			return false
		case *syntax.ArithmCmd:
			c.evaluate(node.X, until)
			return false
		case *syntax.LetClause:
			for _, x := range node.Exprs {
				c.evaluate(x, until)
			}
			return false
		case *syntax.BinaryTest:
			return !c.comparesNumbers(node)
		case *syntax.UnaryTest:
			c.testName(node)
		case *syntax.ParamExp:
			c.expansion(node)
		}
		return true
	})
}

// expansion looks at what ${…} evaluates and assigns.
func (c *collector) expansion(p *syntax.ParamExp) {
	if c.visits++; c.visits > c.most {
		c.lost = true
		return
	}
	if p.Param != nil {
		c.index(p.Param.Value, p.Index)
	}
	if p.Slice != nil {
		length, ok := p.Slice.Length.(*syntax.Word)
		c.mayFail(p.Slice.Length != nil && (!ok || !isPlainNumber(length.Lit())))
		c.evaluate(p.Slice.Offset, 0)
		c.evaluate(p.Slice.Length, 0)
	}
	c.mayFail(p.Excl)
	if p.Exp == nil || p.Param == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		c.loosen(p.Param.Value)
		c.evaluatesAssigned(p.Param.Value, p.Exp.Word)
	case syntax.OtherParamOps:
		c.mayFail(true)
	}
}

// index looks at what stands in brackets behind the name of a variable.
func (c *collector) index(name string, index syntax.ArithmExpr) {
	switch word, ok := index.(*syntax.Word); {
	case index == nil || indexAll(index):
	case ok && slices.Contains(c.keyed, name):
		c.inside(word)
	default:
		c.evaluate(index, 0)
	}
}

// comparesNumbers: -eq and its kin evaluate both sides.
func (c *collector) comparesNumbers(x *syntax.BinaryTest) bool {
	switch x.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return false
	}
	for _, side := range [...]syntax.TestExpr{x.X, x.Y} {
		if word, ok := side.(*syntax.Word); ok {
			c.operand(word)
		}
	}
	return true
}

// evaluate looks at an arithmetic expression. What is given a value in a part that may be
// skipped only may have it.
func (c *collector) evaluate(x syntax.ArithmExpr, until int32) {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		c.mayFail(divides(x))
		if assignsArithmetic(x.Op) {
			c.number(x.X, x, until)
			c.evaluate(x.Y, until)
			return
		}
		c.evaluate(x.X, until)
		switch x.Op {
		case syntax.AndArit, syntax.OrArit, syntax.TernQuest, syntax.TernColon:
			until = 0
		}
		c.evaluate(x.Y, until)
	case *syntax.UnaryArithm:
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			c.number(x.X, x, until)
			return
		}
		c.evaluate(x.X, until)
	case *syntax.ParenArithm:
		c.evaluate(x.X, until)
	case *syntax.FlagsArithm:
		c.evaluate(x.X, until)
	case *syntax.Word:
		c.operand(x)
	}
}

// divides: unless the divisor is a constant it may be zero, as a power may be negative.
func divides(x *syntax.BinaryArithm) bool {
	switch x.Op {
	case syntax.Quo, syntax.Rem, syntax.QuoAssgn, syntax.RemAssgn, syntax.Pow:
		word, ok := x.Y.(*syntax.Word)
		return !ok || !isPlainNumber(word.Lit()) || word.Lit() == "0"
	}
	return false
}

// isPlainNumber: digits that no base changes.
func isPlainNumber(text string) bool {
	return isDecimal(text) && text[0] != '-' && (text == "0" || text[0] != '0')
}

// number is the left side of an assignment. An element of an array may be the variable
// itself, and what is no name at all may be any.
func (c *collector) number(target syntax.ArithmExpr, node syntax.Node, until int32) {
	word, ok := target.(*syntax.Word)
	switch {
	case ok && isName(word.Lit()):
		c.add(word.Lit(), assigned{number: true, at: offset(node.Pos()), until: until})
		return
	case ok && onlyParam(word) != nil && onlyParam(word).Short && onlyParam(word).Index != nil && onlyParam(word).Param != nil:
		c.loosen(onlyParam(word).Param.Value)
		c.inside(word)
	default:
		c.all = true
	}
	c.mayFail(true)
}

// operand is a number, or a variable whose value bash evaluates in turn.
func (c *collector) operand(word *syntax.Word) {
	parts := word.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		c.inside(word)
		c.all = true
		return
	}
	switch part := parts[0].(type) {
	case *syntax.Lit:
		switch {
		case isName(part.Value):
			c.evaluates(part.Value, -1)
		case !isPlainNumber(part.Value):
			c.mayFail(true)
			c.all = c.all || !isNumber(part.Value)
		}
	case *syntax.ParamExp:
		c.expansion(part)
		switch {
		case numericParam(part):
		case part.Param == nil || part.Exp != nil || part.Repl != nil || part.Slice != nil || part.Index != nil || part.Excl:
			c.inside(word)
			c.all = true
		default:
			c.evaluates(part.Param.Value, offset(part.Pos()))
		}
	case *syntax.CmdSubst:
		c.only(part.Stmts)
		c.mayFail(true) // nothing is no operand
		c.all = c.all || numberPrinter(part.Stmts) == "" && !countsLines(part.Stmts)
	case *syntax.ArithmExp:
		c.evaluate(part.X, 0)
	default: // text in quotes is evaluated as well
		c.inside(word)
		c.all = true
	}
}

// evaluates notes a variable whose value is evaluated.
func (c *collector) evaluates(name string, expanded int32) {
	if line := c.current(); line != nil {
		line.names = append(line.names, evaluatedName{name, expanded})
	}
}

// evaluatedName is a variable in arithmetic.
type evaluatedName struct {
	name string
	// expanded is where it is expanded before that, so that nothing is an error; or -1.
	expanded int32
}

// evaluated: a value that is no number may be an expression, which gives any variable
// another value and may end in an error.
func (c *collector) evaluated() {
	for i := range c.found {
		for _, used := range c.found[i].names {
			number, empty := c.holdsNumbers(used.name)
			c.all = c.all || !number
			c.found[i].fails = c.found[i].fails || !number || used.expanded >= 0 && (empty || !c.surely(used.name, used.expanded))
		}
	}
}

// holdsNumbers: the script gives the variable only numbers; empty: or nothing.
func (c *collector) holdsNumbers(name string) (number, empty bool) {
	if numericParam(&syntax.ParamExp{Param: &syntax.Lit{Value: name}}) {
		return !c.loose[name] && c.assigned[name] == nil, false
	}
	for _, a := range c.assigned[name] {
		if a.input != nil {
			return false, false
		}
		for _, word := range a.words {
			number, missing := isNumberWord(word)
			if !number {
				return false, false
			}
			empty = empty || missing
		}
	}
	return len(c.assigned[name]) > 0 && !c.loose[name] && !ofShell(name), empty
}

// isNumberWord: the word is a number, or missing.
func isNumberWord(word *syntax.Word) (number, missing bool) {
	if word == nil { // x=
		return true, true
	}
	if text, ok := plain(word); ok {
		return isPlainNumber(strings.TrimPrefix(text, "-")), false
	}
	if numbersInBraces(word.Lit()) {
		return true, false
	}
	parts := word.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = quoted.Parts
		}
	}
	if len(parts) != 1 {
		return false, false
	}
	switch part := parts[0].(type) {
	case *syntax.ArithmExp:
		return true, false
	case *syntax.CmdSubst:
		return numberPrinter(part.Stmts) != "" || countsLines(part.Stmts) || countsOut(part.Stmts), true
	}
	return false, false
}

// numbersInBraces: {1..5} and {1,2}.
func numbersInBraces(text string) bool {
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	numbers := strings.Split(strings.ReplaceAll(text[1:len(text)-1], "..", ","), ",")
	return len(numbers) > 1 && !slices.ContainsFunc(numbers, func(number string) bool { return !isPlainNumber(strings.TrimPrefix(number, "-")) })
}

// countsOut: seq prints numbers.
func countsOut(stmts []*syntax.Stmt) bool {
	call := lastCall(stmts)
	if call == nil || call.Args[0].Lit() != "seq" {
		return false
	}
	return !slices.ContainsFunc(call.Args[1:], func(arg *syntax.Word) bool { return !isDecimal(arg.Lit()) })
}

// builtins: a program that a variable names may be one of the builtins that give values to
// variables.
func (c *collector) builtins() {
	for _, word := range c.programs {
		if !c.namesPrograms(word) {
			c.all, c.anyName = true, true
		}
	}
}

// namesPrograms: the word is a variable, and all its values are names of other programs.
func (c *collector) namesPrograms(word *syntax.Word) bool {
	parts := word.Parts
	if quoted, ok := parts[0].(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = quoted.Parts
	}
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Excl || p.Length {
		return false
	}
	for _, a := range c.assigned[p.Param.Value] {
		for _, word := range a.words {
			if word == nil {
				return false // the word behind it is the program
			}
			text, ok := plain(word)
			if name, _, _ := strings.Cut(text, " "); !ok || name == "" || assigningBuiltins.has(name) || !isPlainName(name) {
				return false
			}
		}
		if a.number || a.input != nil {
			return false
		}
	}
	return len(c.assigned[p.Param.Value]) > 0 && !c.loose[p.Param.Value]
}

var assigningBuiltins = wordSet{list: "eval source . trap alias hash enable read mapfile readarray printf getopts unset wait export declare typeset local readonly let set shopt command builtin exec coproc"}
