package shell

import (
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
		switch cmd := stmt.Cmd.(type) {
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
			called := w.bodies[name]
			if called == nil || seen[name] || !w.affords(1, w.here()) {
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
	holds, known := constantTest(last.Cmd)
	return known && holds != (cmd.Until != last.Negated)
}

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
