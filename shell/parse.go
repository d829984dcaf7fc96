package shell

import (
	"errors"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Parse reads a command text. It never fails: what it cannot read is a Problem of
// the script it returns.
func Parse(src string) *Script {
	s := &Script{Source: src}
	if s.Problem = refuse(src); s.Problem != nil {
		return s
	}
	stmts, problem := read(src)
	s.Problem = problem
	w := walkers.Get().(*walker)
	w.s, w.parent = s, -1
	w.list(stmts)
	if w.foldable {
		w.fold(stmts)
	}
	w.finish()
	*w = walker{scratch: w.scratch[:0]}
	walkers.Put(w)
	s.accesses = s.findAccesses(false)
	return s
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

// reader is a parser with the reader that feeds it; both are costly to make.
type reader struct {
	parser *syntax.Parser
	text   strings.Reader
}

var readers = sync.Pool{New: func() any {
	return &reader{parser: syntax.NewParser(syntax.Variant(syntax.LangBash))}
}}

// read parses src. When bash would stop at an error, the statements before it are
// returned together with the problem: bash runs those before it sees the error.
func read(src string) ([]*syntax.Stmt, *Problem) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.text.Reset(src)
	file, err := r.parser.Parse(&r.text, "")
	if err == nil {
		return file.Stmts, nil
	}
	problem := &Problem{Kind: Unparseable, Text: err.Error()}
	var parseErr syntax.ParseError
	if errors.As(err, &parseErr) {
		problem.At = int(parseErr.Pos.Offset())
		problem.Text = parseErr.Text
	}
	var langErr syntax.LangError
	if errors.As(err, &langErr) {
		problem.At = int(langErr.Pos.Offset())
	}
	var stmts []*syntax.Stmt
	r.text.Reset(src)
	for stmt, err := range r.parser.StmtsSeq(&r.text) {
		if err == nil { // after an error it ends by itself, and does not bear a break
			stmts = append(stmts, stmt)
		}
	}
	return stmts, problem
}
