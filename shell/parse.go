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
	w := walkers.Get().(*workplace)
	w.walker = walker{s: s, parent: -1, scratch: w.scratch[:0]}
	s.Commands = w.commands[:0]
	w.list(stmts)
	if w.foldable {
		w.fold(stmts)
	}
	w.finish()
	w.found.of(s)
	w.clear(s)
	walkers.Put(w)
	return s
}

// workplace is where a text is read: a walker, and room for lists that grow while
// nobody knows how long they will be. What stays is copied out of it.
type workplace struct {
	walker
	commands []Command
	found    accessList
}

var walkers = sync.Pool{New: func() any { return new(workplace) }}

// keptCommands is how much room for commands is kept for the next text.
const keptCommands = 64

// clear gives the script lists of its own, and forgets it.
func (w *workplace) clear(s *Script) {
	w.commands, s.Commands = s.Commands, exactly(s.Commands)
	s.accesses = exactly(w.found.all)
	clear(w.commands)
	clear(w.found.all)
	if cap(w.commands) > keptCommands {
		w.commands = nil
	}
	if cap(w.found.all) > keptCommands {
		w.found.all = nil
	}
	w.walker = walker{scratch: w.scratch}
	w.found = accessList{all: w.found.all[:0]}
}

// exactly is a copy without room to spare, nil for nothing.
func exactly[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := make([]T, len(list))
	copy(out, list)
	return out
}

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
		problem.At = offset(parseErr.Pos)
		problem.Text = parseErr.Text
	}
	var langErr syntax.LangError
	if errors.As(err, &langErr) {
		problem.At = offset(langErr.Pos)
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
