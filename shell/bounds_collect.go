package shell

import (
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// collector finds the assignments of a script.
type collector struct {
	*bounds
	input    []*syntax.Stmt // what the commands read that are looked at
	function bool           // a function is looked at
	programs []*syntax.Word // that are not constants
	tested   []string       // variables that fall apart into the words of test
	readonly []string       // variables
	keyed    []string       // associative arrays, whose indexes are text
	visits   int            // to expansions; one inside another is visited more than once
	most     int
	lines
	declaredLists
}

func (b *bounds) collect(src string, stmts []*syntax.Stmt) {
	c := collector{bounds: b, most: 1000 + 4*len(src)}
	for len(stmts) > 0 {
		n := c.line(src, stmts)
		c.list(stmts[:n], math.MaxInt32)
		stmts = stmts[n:]
	}
	c.evaluated()
	c.builtins()
	c.testedNames()
	c.expandedLists()
	c.failures()
}

func (c *collector) list(stmts []*syntax.Stmt, until int32) {
	for _, stmt := range stmts {
		c.stmt(stmt, until, 0)
	}
}

// only is a list that may not run, or in a shell of its own.
func (c *collector) only(stmts []*syntax.Stmt) {
	if len(stmts) > 0 {
		c.list(stmts, offset(stmts[len(stmts)-1].End()))
	}
}

// stmt looks at a statement. chain is where the list of commands joined with && ends in
// which it stands.
func (c *collector) stmt(stmt *syntax.Stmt, until, chain int32) {
	input := c.input
	defer func() { c.input = input }()
	if stmt.Background {
		until = offset(stmt.End())
	}
	for _, r := range stmt.Redirs {
		c.inside(r.Word)
		c.inside(r.Hdoc)
		if r.N != nil && len(r.N.Value) > 2 && r.N.Value[0] == '{' {
			name := r.N.Value[1 : len(r.N.Value)-1]
			c.elementEvaluates(name)
			name, _, _ = strings.Cut(name, "[")
			c.loosen(name)
		}
		if r.N == nil || r.N.Value == "0" {
			c.input = processInput(r)
		}
	}
	if _, simple := stmt.Cmd.(*syntax.CallExpr); !simple && len(stmt.Redirs) > 0 {
		until = min(until, offset(stmt.End())) // it does not run if a file cannot be opened
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		c.call(cmd, until)
	case *syntax.BinaryCmd:
		c.binary(cmd, until, chain)
	case *syntax.Block:
		c.list(cmd.Stmts, until)
	case *syntax.Subshell:
		c.only(cmd.Stmts)
	case *syntax.IfClause:
		for first := true; cmd != nil; cmd, first = cmd.Else, false {
			if first {
				c.list(cmd.Cond, until)
			} else {
				c.only(cmd.Cond)
			}
			c.only(cmd.Then)
		}
	case *syntax.WhileClause:
		c.list(cmd.Cond, min(until, offset(cmd.End()))) // a break in it skips the rest
		c.only(cmd.Do)
	case *syntax.ForClause:
		c.loop(cmd, until)
	case *syntax.CaseClause:
		c.inside(cmd.Word)
		for _, item := range cmd.Items {
			c.only(item.Stmts)
		}
	case *syntax.FuncDecl:
		if cmd.Name != nil {
			c.redefine(cmd.Name.Value)
		}
		outer := c.function
		c.function = true
		c.only([]*syntax.Stmt{cmd.Body})
		c.function = outer
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			c.stmt(cmd.Stmt, until, 0)
		}
	case *syntax.CoprocClause:
		c.only([]*syntax.Stmt{cmd.Stmt})
	case *syntax.DeclClause:
		c.declaration(cmd, until)
	case *syntax.TestClause: // what stands behind && may be skipped
		c.arithmetic(cmd, 0)
	case nil:
	default: // arithmetic
		c.arithmetic(cmd, until)
	}
}

// processInput are the commands in < <(…).
func processInput(r *syntax.Redirect) []*syntax.Stmt {
	if r.Op != syntax.RdrIn || r.Word == nil || len(r.Word.Parts) != 1 {
		return nil
	}
	if subst, ok := r.Word.Parts[0].(*syntax.ProcSubst); ok {
		return subst.Stmts
	}
	return nil
}

func (c *collector) binary(cmd *syntax.BinaryCmd, until, chain int32) {
	switch cmd.Op {
	case syntax.AndStmt:
		if chain == 0 {
			chain = offset(cmd.End())
		}
		c.stmt(cmd.X, until, chain)
		c.stmt(cmd.Y, min(until, chain), 0)
	case syntax.OrStmt:
		c.stmt(cmd.X, until, 0)
		c.only([]*syntax.Stmt{cmd.Y})
	default: // pipes
		c.only([]*syntax.Stmt{cmd.X})
		input := c.input
		c.input = []*syntax.Stmt{cmd.X}
		c.only([]*syntax.Stmt{cmd.Y})
		c.input = input
	}
}

func (c *collector) loop(cmd *syntax.ForClause, until int32) {
	switch loop := cmd.Loop.(type) {
	case *syntax.WordIter:
		for _, item := range loop.Items {
			c.inside(item)
		}
		if loop.InPos.IsValid() && !cmd.Select { // what is no choice is nothing
			c.add(loop.Name.Value, assigned{words: loop.Items, loop: true, at: offset(cmd.Pos()), until: offset(cmd.End())})
			c.evaluatesAssigned(loop.Name.Value, loop.Items...)
		} else { // or the positional parameters
			c.loosen(loop.Name.Value)
			c.evaluatesAssigned(loop.Name.Value)
		}
	case *syntax.CStyleLoop:
		c.evaluate(loop.Init, until)
		c.evaluate(loop.Cond, until)
		c.evaluate(loop.Post, 0)
	}
	c.only(cmd.Do)
}

func (c *collector) add(name string, a assigned) {
	if c.assigned == nil {
		c.assigned = make(map[string][]assigned)
	}
	c.assigned[name] = append(c.assigned[name], a)
}

func (c *collector) loosen(name string) {
	if c.loose == nil {
		c.loose = make(map[string]bool)
	}
	c.loose[name] = true
}

// redefine notes that a name no longer means the program of that name.
func (c *collector) redefine(name string) {
	if c.redefined == nil {
		c.redefined = make(map[string]bool)
	}
	c.redefined[name] = true
}

// trusts: the name means the program of that name, all through the script.
func (b *bounds) trusts(name string) bool { return !b.anyName && !b.redefined[name] }

func (c *collector) call(call *syntax.CallExpr, until int32) {
	for _, arg := range call.Args {
		c.inside(arg)
	}
	for _, a := range call.Assigns {
		c.insideAssign(a)
		if len(call.Args) > 0 && (a.Name == nil || a.Name.Value != "IFS") {
			c.assign(a, 0) // for that command, or for good
		} else if len(call.Args) == 0 {
			c.assign(a, until)
		}
	}
	args := call.Args
	for len(args) > 1 {
		if name, _ := constant(args[0]); name != "command" && name != "builtin" && name != "-p" && name != "--" {
			break
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	name, known := constant(args[0])
	if !known {
		c.programs = append(c.programs, args[0])
		c.moves, c.options = true, true
	}
	switch name {
	case "cd", "chdir", "pushd", "popd":
		c.moves = true
	case "shopt":
		c.options = true
		for _, arg := range args[1:] {
			if text, known := constant(arg); !known || text == "failglob" {
				c.fails = true // a pattern that finds nothing ends the line
			}
		}
	case "eval", "source", ".", "trap":
		c.all, c.anyName, c.moves, c.options = true, true, true, true
	case "alias", "hash", "enable":
		c.anyName, c.moves, c.options = true, true, true
	case "test", "[":
		c.testCommand(args[1:])
	case "read":
		c.read(call, args[1:], until)
	case "mapfile", "readarray", "printf", "getopts", "unset", "wait", "export", "declare", "typeset", "local", "readonly", "let", "set":
		for i, arg := range args[1:] {
			c.named(arg)
			if name != "printf" || i < 2 && beginsWith(args[1], "-v") {
				c.namedValue(name, arg)
			}
			if name == "readonly" {
				c.fails = true
			}
			c.moves = c.moves || name == "mapfile" || name == "readarray" // -C runs code
		}
	}
}

// named: a builtin may give a new value to the variable that the word names, X, X=1 or
// -aX. If the word is not known it may be any.
func (c *collector) named(word *syntax.Word) {
	text, known := constant(word)
	if !known {
		c.all = true
		return
	}
	if end := strings.IndexAny(text, "=+["); end > 0 {
		text = text[:end]
	}
	if !strings.HasPrefix(text, "-") {
		c.loosen(text)
		return
	}
	c.all = c.all || strings.ContainsAny(text, "ni") // of declare: a name for another variable, or values are evaluated
	c.fails = c.fails || strings.IndexByte(text, 'r') > 0
	for k := 2; k < len(text); k++ {
		c.loosen(text[k:])
	}
}

// constant is the value of a word without expansions.
func constant(word *syntax.Word) (text string, known bool) {
	if word == nil {
		return "", true
	}
	if text, ok := plain(word); ok {
		return text, true
	}
	w := walker{s: &Script{}, parent: -1, span: new(Span)}
	value := w.word(word)
	return value.Text, value.Known()
}

// read gives its variables what it reads; only lines as they are keep what a listing
// promises.
func (c *collector) read(call *syntax.CallExpr, args []*syntax.Word, until int32) {
	input := c.input
	for _, a := range call.Assigns {
		if a.Name != nil && a.Name.Value == "IFS" && !isBlank(a.Value) {
			input = nil // it cuts names into pieces
		}
	}
	if len(args) > 0 && args[0].Lit() == "-r" {
		args = args[1:]
	}
	if len(args) == 1 && isName(args[0].Lit()) && input != nil {
		c.add(args[0].Lit(), assigned{input: input, at: offset(call.Pos()), until: until})
		c.evaluatesAssigned(args[0].Lit())
		return
	}
	builtin := "read"
	if slices.ContainsFunc(args, func(arg *syntax.Word) bool { return beginsWith(arg, "-") && strings.Contains(arg.Lit(), "a") }) {
		builtin = "readarray" // read -a
	}
	for _, arg := range args {
		c.named(arg)
		c.namedValue(builtin, arg)
	}
	c.loosen("REPLY")
}

// isBlank: nothing, or a line feed, as in IFS= and IFS=$'\n'.
func isBlank(word *syntax.Word) bool {
	if word == nil || len(word.Parts) == 0 {
		return true
	}
	if len(word.Parts) > 1 {
		return false
	}
	switch part := word.Parts[0].(type) {
	case *syntax.SglQuoted:
		return part.Value == "" || part.Dollar && part.Value == `\n`
	case *syntax.DblQuoted:
		return len(part.Parts) == 0 && !part.Dollar
	}
	return false
}

func (c *collector) assign(a *syntax.Assign, until int32) {
	if a.Name == nil {
		return
	}
	c.assignedInteger(a)
	if a.Index != nil || a.Array != nil {
		c.isArray(a.Name.Value)
	}
	if a.Append || a.Index != nil || a.Array != nil || a.Naked {
		c.mayFail(a.Index != nil)
		c.loosen(a.Name.Value)
		return
	}
	c.braces = c.braces || a.Value != nil && braces(a.Value) > 0
	c.add(a.Name.Value, assigned{words: []*syntax.Word{a.Value}, at: offset(a.End()) - 1, until: until})
}

// declaration: options such as -i and -n change what a value is.
func (c *collector) declaration(cmd *syntax.DeclClause, until int32) {
	options, keyed, array := false, false, false
	c.all = c.all || cmd.Variant.Value == "nameref"
	if cmd.Variant.Value == "local" && !c.function { // it only complains
		until = 0
	}
	for _, a := range cmd.Args {
		if a.Naked && a.Name == nil {
			options = true
			c.named(a.Value)
			c.namedValue(cmd.Variant.Value, a.Value)
			keyed = keyed || until == math.MaxInt32 && strings.Contains(a.Value.Lit(), "A")
			text, known := constant(a.Value)
			array = array || !known || strings.HasPrefix(text, "-") && strings.ContainsAny(text, "aA")
		}
	}
	for _, a := range cmd.Args {
		if keyed && a.Name != nil {
			c.keyed = append(c.keyed, a.Name.Value)
		}
		c.insideAssign(a)
		if a.Name != nil {
			c.declares(a, array)
		}
		if cmd.Variant.Value == "readonly" && a.Name != nil {
			c.readonly = append(c.readonly, a.Name.Value)
		}
		if options && a.Name != nil {
			c.assignedInteger(a)
			c.loosen(a.Name.Value)
		} else {
			c.assign(a, until)
		}
	}
}

// inside looks for assignments in the words of a command.
func (c *collector) inside(node syntax.Node) {
	if word, ok := node.(*syntax.Word); ok {
		if word == nil {
			return
		}
		if _, ok := plain(word); ok {
			return
		}
	}
	c.arithmetic(node, 0)
}

func (c *collector) insideAssign(a *syntax.Assign) {
	if a.Index == nil && a.Array == nil {
		c.inside(a.Value)
		return
	}
	if a.Name != nil {
		c.index(a.Name.Value, a.Index)
	}
	c.inside(a.Value)
	if a.Array == nil {
		return
	}
	for _, elem := range a.Array.Elems {
		if a.Name != nil {
			c.index(a.Name.Value, elem.Index)
		}
		c.inside(elem.Value)
	}
}
