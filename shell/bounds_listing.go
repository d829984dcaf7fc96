package shell

import (
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// output is the class of what commands print. A listing prints names that lie below the
// directories it was given, so whoever takes them reads nowhere else; a name with a blank
// in it falls apart, which is for the caller to look at.
func (b *bounds) output(w *walker, stmts []*syntax.Stmt) *class {
	if w.span != nil || len(stmts) != 1 {
		return looseClass
	}
	if name := numberPrinter(stmts); name != "" && b.trusts(name) || countsLines(stmts) && b.trusts("grep") {
		return &class{kind: nameValue, empty: true}
	}
	call := printer(stmts[0])
	if call == nil {
		return looseClass
	}
	words, known := b.spelled(w.s.Source, call)
	_, whole := stmts[0].Cmd.(*syntax.CallExpr) // or a filter behind it may leave nothing
	switch {
	case !known || len(words) == 0:
		return looseClass
	case isCount(words) && b.trusts("seq"):
		return &class{kind: nameValue, empty: true, signed: true}
	case words[0].Text == "date" && whole && b.trusts("date"):
		return timeStamp(words[1:], b.localized())
	case len(words) == 1 && words[0].Text == "pwd" && whole && b.trusts("pwd"):
		return &class{kind: exactValue, values: []string{"."}}
	}
	roots, ok := listsNames(words)
	if !ok || len(b.listings) == math.MaxUint8 {
		return looseClass
	}
	b.listings = append(b.listings, roots)
	return &class{kind: listedValue, listing: uint8(len(b.listings)), nul: endsInNul(words)}
}

// spelled are the words of a command, if all of them are known or patterns.
func (b *bounds) spelled(src string, call *syntax.CallExpr) (words []Word, known bool) {
	quiet := walker{parent: -1, folding: true, pass: 0, bound: b}
	words = make([]Word, 0, len(call.Args))
	for _, arg := range call.Args {
		if text, ok := plain(arg); ok {
			words = append(words, Word{Text: text})
			continue
		}
		// Each level of substitutions would be read twice as often as the one around it.
		if quiet.takesTurns(arg) || substitutes(arg) {
			return nil, false
		}
		if quiet.s == nil {
			quiet.s = &Script{Source: src, patterns: b.patterns}
		}
		words = quiet.appendWords(words, arg)
	}
	for _, word := range words {
		if strings.IndexByte(word.Text, Unknown) >= 0 || word.Home || word.Tilde {
			return nil, false
		}
	}
	return words, true
}

// substitutes: the word holds the output of other commands, or its braces were split.
func substitutes(word *syntax.Word) bool {
	found := false
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		case *syntax.Word:
			found = wasSplit(node)
		}
		return !found
	})
	return found
}

// isCount: seq prints numbers.
func isCount(words []Word) bool {
	return len(words) > 1 && words[0].Text == "seq" && !slices.ContainsFunc(words[1:], func(word Word) bool { return word.Text != "-w" && !isDecimal(word.Text) })
}

// plainXargs: nothing but the number of words at a time and the text to replace.
func plainXargs(options []Word) bool {
	for _, word := range options {
		switch text := word.Text; {
		case text == "-r" || text == "-t" || strings.HasPrefix(text, "-n") || strings.HasPrefix(text, "-I") || strings.HasPrefix(text, "-L") || isNumber(text) || text == "{}":
		default:
			return false
		}
	}
	return true
}

// printsWords: the text that a command reads is one that the script spells out.
func (w *walker) printsWords(i int) bool {
	in := w.s.Commands[i].Stdin
	if in.Kind == StdinText {
		return true
	}
	if in.Kind != StdinPipe || in.To != in.From+1 || in.To > len(w.s.Commands) {
		return false
	}
	switch w.s.Commands[in.From].Program() {
	case "echo", "printf":
		return true
	}
	return false
}

// printer is the command whose lines come out at the end, as they are.
func printer(stmt *syntax.Stmt) *syntax.CallExpr {
	if !quietly(stmt) {
		return nil
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		if len(cmd.Assigns) == 0 && len(cmd.Args) > 0 {
			return cmd
		}
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe && quietly(cmd.Y) && keepsLines(cmd.Y.Cmd) {
			return printer(cmd.X)
		}
	}
	return nil
}

// quietly: nothing but complaints goes elsewhere.
func quietly(stmt *syntax.Stmt) bool {
	for _, r := range stmt.Redirs {
		if r.N == nil || r.N.Value != "2" || r.Op != syntax.RdrOut && r.Op != syntax.AppOut {
			return false
		}
	}
	return !stmt.Background && !stmt.Negated && !stmt.Coprocess
}

// keepsLines: the command prints some of the lines that it reads, in some order.
func keepsLines(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return false
	}
	name, _ := constant(call.Args[0])
	switch name {
	case "sort", "uniq", "head", "tail", "grep", "egrep", "fgrep":
	default:
		return false
	}
	args := make([]string, 0, 4)
	for _, arg := range call.Args[1:] {
		text, known := constant(arg)
		if !known {
			return false
		}
		args = append(args, text)
	}
	switch name {
	case "sort":
		return lettersOnly(args, "unrVfd")
	case "uniq":
		return lettersOnly(args, "ui")
	case "head", "tail":
		if len(args) == 2 && args[0] == "-n" {
			return isNumber(strings.TrimLeft(args[1], "+-"))
		}
		return len(args) == 0 || len(args) == 1 && args[0] != "" && args[0][0] == '-' && isNumber(strings.TrimLeft(strings.TrimPrefix(args[0], "-n"), "+-"))
	case "grep", "egrep", "fgrep":
		for i, text := range args {
			if len(text) > 1 && text[0] == '-' {
				if strings.Trim(text[1:], "vEFiwxP") != "" {
					return false
				}
				continue
			}
			return i == len(args)-1 // the pattern, and no file
		}
	}
	return false
}

// lettersOnly: nothing but clusters of these options.
func lettersOnly(args []string, letters string) bool {
	for _, text := range args {
		if len(text) < 2 || text[0] != '-' || strings.Trim(text[1:], letters) != "" {
			return false
		}
	}
	return true
}
