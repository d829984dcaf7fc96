package shell

import "mvdan.cc/sh/v3/syntax"

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
	starts := false
	for _, stmt := range body {
		_, coprocess := stmt.Cmd.(*syntax.CoprocClause)
		switch {
		case stmt.Background || stmt.Coprocess || coprocess:
			starts = true
		case !returnsAtOnce(stmt.Cmd):
			return
		}
	}
	if starts {
		w.s.endless = from + 1
	}
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
		case "echo", "printf", ":", "true", "disown", "let", "test", "[":
			return true
		}
	}
	return false
}

// forever reports whether the condition of a loop holds without end.
func forever(cmd *syntax.WhileClause) bool {
	if len(cmd.Cond) != 1 || cmd.Cond[0].Background {
		return false
	}
	holds, known := constantTest(cmd.Cond[0].Cmd)
	return known && holds != (cmd.Until != cmd.Cond[0].Negated)
}

// constantTest is the outcome of a test that is always the same.
func constantTest(cmd syntax.Command) (holds, known bool) {
	switch cmd := cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return true, true
		}
		switch cmd.Args[0].Lit() {
		case ":", "true", "echo", "/bin/true":
			return true, true
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
