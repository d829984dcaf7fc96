package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// countsUp: the word is $(seq …) with constant numbers, or such a number, so that a
// loop over it takes numbers only.
func (w *walker) countsUp(word *syntax.Word) bool {
	if text := word.Lit(); text != "" {
		return isDecimal(text)
	}
	if len(word.Parts) != 1 {
		return false
	}
	subst, ok := word.Parts[0].(*syntax.CmdSubst)
	if !ok {
		return false
	}
	call := lastCall(subst.Stmts)
	if call == nil || call.Args[0].Lit() != "seq" || len(call.Args) < 2 {
		return false
	}
	for _, arg := range call.Args[1:] {
		if text := arg.Lit(); text != "-w" && !isDecimal(text) {
			return false
		}
	}
	return w.trusts("seq")
}

// printsNumber: the commands end with one that prints a number and nothing else.
func (w *walker) printsNumber(stmts []*syntax.Stmt) bool {
	name := numberPrinter(stmts)
	return name != "" && w.trusts(name)
}

// numberPrinter is the program whose only output is a number, "" if there is none.
func numberPrinter(stmts []*syntax.Stmt) string {
	call := lastCall(stmts)
	if call == nil || len(call.Args) < 2 {
		return ""
	}
	name, option := call.Args[0].Lit(), call.Args[1].Lit()
	if len(call.Args) > 2 {
		return countedBy(name, call.Args[1:])
	}
	switch name + " " + option {
	case "wc -l", "wc -c", "wc -w", "wc -m", "id -u", "id -g", "date +%s", "nproc --all":
		return name
	}
	return ""
}

// countedBy is the program if it prints a number with these words: stat -c %s f,
// git rev-list --count HEAD.
func countedBy(name string, args []*syntax.Word) string {
	first, second := args[0].Lit(), args[1].Lit()
	switch {
	case name == "stat" && first == "-c" && listed("%s %h %i %u %g %b", second) && len(args) == 3:
	case name == "git" && first == "rev-list" && second == "--count" && len(args) > 2:
	default:
		return ""
	}
	for _, arg := range args[2:] {
		if text, ok := plain(arg); !ok || strings.HasPrefix(text, "-") {
			return ""
		}
	}
	return name
}

// countsLines: the commands end with grep -c, a pattern and no more than one file, so that a
// number is printed and no name. It is one for words; arithmetic wants to be surer.
func countsLines(stmts []*syntax.Stmt) bool {
	call := lastCall(stmts)
	if call == nil || call.Args[0].Lit() != "grep" || len(call.Args) != 3 && len(call.Args) != 4 {
		return false
	}
	if option := call.Args[1].Lit(); !isCluster(option) || strings.Trim(option[1:], "ciEFvwxhsP") != "" || strings.IndexByte(option, 'c') < 0 {
		return false
	}
	for _, arg := range call.Args[2:] {
		if text, ok := plain(arg); !ok || strings.HasPrefix(text, "-") {
			return false
		}
	}
	return true
}

// lastCall is the simple command whose output the only statement prints: the last one
// of a pipe. Nil if there is no such command.
func lastCall(stmts []*syntax.Stmt) *syntax.CallExpr {
	if len(stmts) != 1 {
		return nil
	}
	stmt := stmts[0]
	for {
		pipe, ok := stmt.Cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe || len(stmt.Redirs) > 0 {
			break
		}
		stmt = pipe.Y
	}
	for _, r := range stmt.Redirs {
		if r.Op != syntax.RdrIn {
			return nil
		}
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return nil
	}
	return call
}

// trusts notes that the meaning of a program's name matters; rebind looks it up.
func (w *walker) trusts(name string) bool {
	if _, other := w.rebound[name]; other {
		return false
	}
	if w.trusted == nil {
		w.trusted = make(map[string]bool)
	}
	w.trusted[name] = true
	return true
}

// isDecimal: digits, perhaps with a sign.
func isDecimal(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
