package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What bash evaluates without looking like it may give any variable another value: what is
// assigned to a variable that holds numbers, RANDOM=X=5, and the index behind a name that
// is given as a word, read 'a[X=5]'.

// anyValue: text is evaluated that may be any expression.
func (c *collector) anyValue() {
	c.all = true
	c.mayFail(true)
}

// evaluatesAssigned looks at the values that are assigned to a variable; none stands for
// values that nobody knows.
func (c *collector) evaluatesAssigned(name string, words ...*syntax.Word) {
	if !c.language.integerFromStart(name) {
		return
	}
	if len(words) == 0 || slices.ContainsFunc(words, func(word *syntax.Word) bool { number, _ := isNumberWord(word); return !number }) {
		c.anyValue()
	}
}

// assignedInteger is the assignment itself.
func (c *collector) assignedInteger(a *syntax.Assign) {
	switch {
	case a.Naked:
	case a.Array != nil:
		c.evaluatesAssigned(a.Name.Value)
	default:
		c.evaluatesAssigned(a.Name.Value, a.Value)
	}
}

// nameEvaluates looks at a word that names a variable, whose index is evaluated even in
// quotes.
func (c *collector) nameEvaluates(word *syntax.Word) {
	text, known := constant(word)
	if lit := literal(word); lit != "" { // a[0] is no pattern here
		text, known = lit, true
	}
	if !known {
		c.anyValue()
		return
	}
	c.elementEvaluates(text)
}

// elementEvaluates is the same for the text of a name.
func (c *collector) elementEvaluates(text string) {
	open := strings.IndexByte(text, '[')
	if open < 0 {
		return
	}
	c.isArray(text[:open])
	index := text[open+1:]
	if end := strings.LastIndexByte(index, ']'); end >= 0 {
		index = index[:end]
	}
	key := slices.Contains(c.keyed, text[:open]) && !strings.ContainsAny(index, "$`")
	if !key && index != "@" && index != "*" && !isPlainNumber(index) {
		c.anyValue()
	}
}

// namedValue: a builtin gives a value that nobody knows to the variable that the word names.
func (c *collector) namedValue(builtin string, word *syntax.Word) {
	text, known := constant(word)
	switch {
	case !known: // see named
		return
	case builtin == "let":
		c.anyValue()
		return
	}
	text = strings.TrimPrefix(text, "-v") // of printf
	name, value, assigns := strings.Cut(text, "=")
	if end := strings.IndexAny(name, "+["); end > 0 {
		if isName(name[:end]) {
			c.nameEvaluates(word)
		}
		name = name[:end]
	}
	switch builtin {
	case "unset", "wait": // no value, or a number
	case "export", "declare", "typeset", "local", "readonly":
		if assigns {
			c.evaluatesAssigned(name)
			if maybeList(value) {
				c.anyValue()
			}
		}
	case "mapfile", "readarray":
		c.isArray(name)
		c.evaluatesAssigned(name)
	default:
		c.evaluatesAssigned(name)
	}
}

// beginsWith: the word is a constant that begins so.
func beginsWith(word *syntax.Word, start string) bool {
	text, known := constant(word)
	return known && strings.HasPrefix(text, start)
}

// testCommand: test -v and [ -v take a name. An operator that is not known may be -v.
func (c *collector) testCommand(args []*syntax.Word) {
	for i := range args {
		if p := onlyParam(args[i]); p != nil && p.Param != nil {
			c.tested = append(c.tested, p.Param.Value)
		}
		if i == 0 {
			continue
		}
		operator, known := constant(args[i-1])
		operand, constantName := constant(args[i])
		switch {
		case operator == "-v" || operator == "-R":
			c.nameEvaluates(args[i])
		case !known && (!constantName || strings.IndexByte(operand, '[') > 0):
			c.nameEvaluates(args[i])
		}
	}
}

// testedNames: a value that falls apart into words, as in [ $x ], may be -v and a name.
func (c *collector) testedNames() {
	for _, name := range c.tested {
		for _, a := range c.assigned[name] {
			for _, word := range a.words {
				if text, known := constant(word); known && strings.IndexByte(text, '[') > 0 {
					c.anyValue()
				}
			}
		}
	}
}

// testName is [[ -v name ]].
func (c *collector) testName(x *syntax.UnaryTest) {
	if word, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) {
		c.nameEvaluates(word)
	}
}
