package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// background runs walk for a statement, and notes that its commands are not waited for.
func (w *walker) background(stmt *syntax.Stmt, walk func()) {
	if !stmt.Background && !stmt.Coprocess {
		walk()
		return
	}
	outer := w.behind
	w.behind = true
	walk()
	w.behind = outer
}

// endless notes a loop without end that starts processes and waits for none of them. from is
// its first command.
func (w *walker) endless(forever bool, body []*syntax.Stmt, from int) {
	if !forever || w.s.endless > 0 || from >= len(w.s.Commands) {
		return
	}
	if starts, waits := w.startsProcesses(body, make(map[string]bool)); starts && !waits {
		w.s.endless = from + 1
	}
}

// startsProcesses reports whether statements start processes in the background, and whether one
// of them may wait for something or end the loop around it. seen are functions that were looked into.
func (w *walker) startsProcesses(body []*syntax.Stmt, seen map[string]bool) (starts, waits bool) {
	inner := func(body []*syntax.Stmt) {
		s, w := w.startsProcesses(body, seen)
		starts, waits = starts || s, waits || w
	}
	for _, stmt := range body {
		if stmt.Background || stmt.Coprocess {
			starts = true
			continue
		}
		starts = starts || substitutesProcess(stmt)
		switch cmd := stmt.Cmd.(type) {
		case *syntax.BinaryCmd:
			inner([]*syntax.Stmt{cmd.X, cmd.Y})
		case *syntax.CaseClause:
			for _, item := range cmd.Items {
				inner(item.Stmts)
			}
		case *syntax.CoprocClause:
			starts = true
		case *syntax.Block:
			inner(cmd.Stmts)
		case *syntax.Subshell:
			inner(cmd.Stmts)
		case *syntax.ForClause:
			if _, words := cmd.Loop.(*syntax.WordIter); !words {
				return starts, true
			}
			inner(cmd.Do)
		case *syntax.IfClause:
			for ; cmd != nil; cmd = cmd.Else {
				inner(cmd.Cond)
				inner(cmd.Then)
			}
		case *syntax.CallExpr:
			name := ""
			if len(cmd.Args) > 0 {
				name = cmd.Args[0].Lit()
			}
			if code := codeOf(cmd); code != "" && w.affords(len(code), w.here()) {
				stmts, _ := read(code)
				inner(stmts)
				continue
			}
			called := w.bodies[name]
			if called == nil || seen[name] || !w.affords(statements(called)/16, w.here()) {
				waits = waits || !returnsAtOnce(cmd)
				continue
			}
			seen[name] = true
			inner([]*syntax.Stmt{called})
		default:
			waits = waits || !returnsAtOnce(stmt.Cmd)
		}
	}
	return starts, waits
}

// statements is how many there are in the body of a function.
func statements(body *syntax.Stmt) int {
	if block, ok := body.Cmd.(*syntax.Block); ok {
		return len(block.Stmts)
	}
	return 1
}

// substitutesProcess reports whether a process substitution stands in a command. Nothing waits for it.
func substitutesProcess(stmt *syntax.Stmt) bool {
	holds := func(word *syntax.Word) bool {
		return word != nil && slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
			_, ok := part.(*syntax.ProcSubst)
			return ok
		})
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && slices.ContainsFunc(call.Args, holds) || slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool { return holds(r.Word) })
}

// codeOf is the constant code that eval or the -c of a shell runs.
func codeOf(call *syntax.CallExpr) string {
	var words []string
	for _, arg := range call.Args {
		text, known := plain(arg)
		if !known {
			return ""
		}
		words = append(words, text)
	}
	switch {
	case len(words) > 1 && words[0] == "eval":
		return strings.Join(words[1:], " ")
	case len(words) > 2 && words[1] == "-c" && listed("sh bash dash zsh ksh", words[0]):
		return words[2]
	}
	return ""
}

// returnsAtOnce reports whether a command neither waits nor ends the loop.
func returnsAtOnce(cmd syntax.Command) bool {
	switch cmd := cmd.(type) {
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause, *syntax.DeclClause:
		return true
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return true
		}
		switch cmd.Args[0].Lit() {
		case "echo", "printf", ":", "true", "disown", "let", "test", "[", "date", "ls", "pwd", "uptime", "jobs", "shift", "set", "cd", "continue":
			return true
		case "sleep":
			return sleepsShort(cmd.Args)
		}
	}
	return false
}

// sleepsShort reports whether sleep takes less than a tenth of a second.
func sleepsShort(args []*syntax.Word) bool {
	if len(args) != 2 {
		return false
	}
	seconds, err := strconv.ParseFloat(strings.TrimRight(args[1].Lit(), "smhd"), 64)
	return err == nil && seconds < 0.1
}

// forever reports whether the condition of a loop holds without end.
func (w *walker) forever(cmd *syntax.WhileClause) bool {
	if len(cmd.Cond) == 0 {
		return false
	}
	last := cmd.Cond[len(cmd.Cond)-1]
	if _, waits := w.startsProcesses(cmd.Cond[:len(cmd.Cond)-1], make(map[string]bool)); waits || last.Background {
		return false
	}
	if holds, known := constantTest(last.Cmd); known {
		return holds != (cmd.Until != last.Negated)
	}
	return constantCondition(last)
}

// constantCondition reports whether a condition always has the same outcome, whichever that is: no
// variable, substitution or file decides it, and no program.
func constantCondition(stmt *syntax.Stmt) bool {
	constant := true
	syntax.Walk(stmt, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.Redirect:
			constant = false
		case *syntax.UnaryTest: // of a file
			constant = constant && (node.Op == syntax.TsNempStr || node.Op == syntax.TsEmpStr || node.Op == syntax.TsNot)
		case *syntax.ArithmCmd:
			constant = constant && constantNumbers(node.X)
		case *syntax.LetClause:
			for _, x := range node.Exprs {
				constant = constant && constantNumbers(x)
			}
		case *syntax.CallExpr:
			constant = constant && constantCall(node)
		}
		return constant
	})
	return constant
}

// constantCall reports whether a command in a condition always has the same outcome.
func constantCall(call *syntax.CallExpr) bool {
	if len(call.Args) == 0 {
		return true
	}
	switch call.Args[0].Lit() {
	case ":", "true", "false", "echo", "printf", "let":
		return true
	case "[", "test":
		return !slices.ContainsFunc(call.Args[1:], func(word *syntax.Word) bool {
			text := word.Lit()
			return len(text) == 2 && text[0] == '-' && text != "-n" && text != "-z" // of a file
		})
	}
	return false
}

// constantNumbers reports whether no variable stands in an arithmetic expression.
func constantNumbers(x syntax.ArithmExpr) bool {
	constant := true
	syntax.Walk(x, func(node syntax.Node) bool {
		if lit, ok := node.(*syntax.Lit); ok && (lit.Value == "" || lit.Value[0] > '9') {
			constant = false
		}
		if _, ok := node.(*syntax.ParamExp); ok {
			constant = false
		}
		return constant
	})
	return constant
}

// mostTurns is how many turns of a loop that starts a process in each are nothing unusual.
const mostTurns = 2000

// countsForEver reports whether a loop over numbers has no end, or one that is far away.
func countsForEver(loop syntax.Loop) bool {
	switch loop := loop.(type) {
	case *syntax.WordIter:
		return slices.ContainsFunc(loop.Items, func(item *syntax.Word) bool { return manyWords(item) })
	case *syntax.CStyleLoop:
		switch {
		case loop.Cond == nil, constantNumbers(loop.Cond):
			return true
		case loop.Post == nil:
			return false
		}
		cond, compares := loop.Cond.(*syntax.BinaryArithm)
		step, steps := loop.Post.(*syntax.UnaryArithm)
		if !compares || !steps {
			return false
		}
		up := cond.Op == syntax.Lss || cond.Op == syntax.Leq
		down := cond.Op == syntax.Gtr || cond.Op == syntax.Geq
		if limit, known := constantNumber(cond.Y); known && up && limit > mostTurns {
			return true
		}
		return step.Op == syntax.Inc && down || step.Op == syntax.Dec && up
	}
	return false
}

// manyWords reports whether a word of for stands for more numbers than are usual: {1..99999}, $(seq 99999).
func manyWords(word *syntax.Word) bool {
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			from, to, ok := strings.Cut(part.Value, "..")
			if !ok || from[:min(1, len(from))] != "{" {
				continue
			}
			to, _, _ = strings.Cut(to, "..")
			first, err := strconv.Atoi(from[1:])
			last, wrong := strconv.Atoi(strings.TrimSuffix(to, "}"))
			if err == nil && wrong == nil && max(last-first, first-last) > mostTurns {
				return true
			}
		case *syntax.CmdSubst:
			if len(part.Stmts) != 1 {
				continue
			}
			if call, ok := part.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && printsMany(call.Args[0].Lit(), call.Args[len(call.Args)-1].Lit()) {
				return true
			}
		}
	}
	return false
}

// printsMany reports whether a program prints lines without end, or as good as that, by its last word.
func printsMany(program, last string) bool {
	if program == "seq" || program == "gseq" {
		n, err := strconv.ParseFloat(last, 64)
		return err == nil && n > mostTurns || last == "inf"
	}
	return program == "yes"
}

// readsDevice reports whether a loop reads a device that never ends.
func readsDevice(redirects []Redirect) bool {
	return slices.ContainsFunc(redirects, func(r Redirect) bool {
		return r.Kind == RedirectRead && listed("/dev/zero /dev/urandom /dev/random /dev/full", r.Target.Text)
	})
}

// returnsAtOnce reports
// constantTest is the outcome of a test that is always the same.
func constantTest(cmd syntax.Command) (holds, known bool) {
	switch cmd := cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return true, true
		}
		switch cmd.Args[0].Lit() {
		case ":", "true", "echo", "/bin/true", "date", "pwd", "uptime":
			return true, true
		case "ls":
			return true, len(cmd.Args) == 1
		case "sleep":
			return true, sleepsShort(cmd.Args)
		case "false", "/bin/false":
			return false, true
		case "[", "test":
			return true, len(cmd.Args) > 1 && constantWords(cmd.Args)
		}
	case *syntax.ArithmCmd:
		word, ok := cmd.X.(*syntax.Word)
		return ok && word.Lit() != "0", ok && word.Lit() != "" && word.Lit()[0] <= '9'
	case *syntax.TestClause:
		word, ok := cmd.X.(*syntax.Word)
		return true, ok && word.Lit() != ""
	}
	return false, false
}

// constantWords reports whether nothing is expanded in the words and no file is looked at.
func constantWords(words []*syntax.Word) bool {
	for _, word := range words {
		if text := word.Lit(); text == "" || text[0] == '-' || text[0] == '!' {
			return false
		}
	}
	return true
}
