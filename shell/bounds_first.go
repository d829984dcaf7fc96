package shell

import (
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The first reading of a script notes what it finds about names that are only known when
// the script runs, so that most scripts need no second one: a parameter may be anything,
// and the output of a command is what a listing prints or may be anything. It sets again
// where a second reading says more, or something else: where the script gives a value to
// a variable, where a number is expanded, where the working directory is a pattern or one
// that it has left before.

// unsettledParam notes what is known of an expansion in the first reading.
func (b *builder) unsettledParam(p *syntax.ParamExp, first bool) {
	switch {
	case b.w.folding || first && plainHome(p):
	case p.Param == nil || numericParam(p) || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Excl || p.Names != 0:
		b.w.again = true
	default:
		b.loose = true
	}
}

// unsettledOutput notes what is known of $(…) in the first reading; from is the first
// command in it.
func (b *builder) unsettledOutput(stmts []*syntax.Stmt, from int) {
	if b.w.folding {
		return
	}
	var listed uint8
	if len(stmts) == 1 {
		if listed = b.w.lists(stmts[0], from); listed > 0 && b.w.printsNul(from, len(b.w.s.Commands)) {
			listed = 0
		}
		b.w.again = b.w.again || numberPrinter(stmts) != "" || countsLines(stmts)
	}
	b.loose = b.loose || listed == 0 || b.listed > 0
	b.listed = listed
}

// lists is the listing that a statement prints, whose commands start at from; 0 if it may
// print anything. In the first reading it is the number of a command, counted from 1,
// that only may be one: Bounded looks at its words.
func (w *walker) lists(stmt *syntax.Stmt, from int) uint8 {
	switch {
	case w.bound != nil:
		return w.bound.output(w, []*syntax.Stmt{stmt}).listing
	case w.folding || w.span != nil:
		return 0
	}
	call := printer(stmt)
	if call == nil {
		return 0
	}
	switch name, known := plain(call.Args[0]); name {
	case "find", "gfind", "ls", "fd", "fdfind", "grep", "egrep", "fgrep", "rg", "git":
	case "seq", "pwd", "date": // they print something else that is known
		w.again = true
		return 0
	default:
		w.again = w.again || !known
		return 0
	}
	at := offset(call.Args[0].Pos())
	for i := from; i < len(w.s.Commands); i++ {
		if words := w.s.Commands[i].Words; len(words) > 0 && words[0].Span.Start == at && i < math.MaxUint8 {
			return uint8(i + 1)
		}
	}
	w.again = true
	return 0
}

// settle notes that the first reading has said all, or keeps the tree for a second one.
// Words that were split can only be read once.
func (w *walker) settle(stmts []*syntax.Stmt) {
	switch {
	case !w.again && !w.foldable && w.vars == nil && w.s.Problem == nil:
		w.s.settled = true
	case !w.split && w.s.Problem == nil:
		w.s.stmts = stmts
	}
}

// listedFirst is Listing after the first reading; nil if it is none.
func (s *Script) listedFirst(n uint8) []string {
	if n == 0 || int(n) > len(s.Commands) {
		return nil
	}
	words := s.Commands[n-1].Words
	for i := range words {
		if word := &words[i]; strings.IndexByte(word.Text, Unknown) >= 0 || word.Home || word.Tilde || strings.Contains(word.Text, processMark) {
			return nil
		}
	}
	if roots, ok := listsNames(words); ok {
		return roots
	}
	return nil
}

// settledFirst is the script as its first reading has settled it: names from a command
// that turns out to be no listing may be anything.
func (s *Script) settledFirst() *Script {
	var lists uint8 // a listing that was looked at: several names come from the same one
	isLoose := func(a *Access) bool {
		if a.Listed == 0 || a.Loose || a.Listed == lists {
			return false
		}
		if s.listedFirst(a.Listed) == nil {
			return true
		}
		lists = a.Listed
		return false
	}
	first := 0
	for first < len(s.accesses) && !isLoose(&s.accesses[first]) {
		first++
	}
	if first == len(s.accesses) {
		return s
	}
	out := *s
	out.accesses = slices.Clone(s.accesses)
	for i := range out.accesses {
		out.accesses[i].Loose = out.accesses[i].Loose || isLoose(&out.accesses[i])
	}
	return &out
}
