package shell

import (
	"errors"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Parse reads a command text for bash. It never fails: what it cannot read is a Problem
// of the script it returns.
func Parse(src string) *Script { return ParseFor(Bash, src) }

// ParseFor is [Parse] for a text that another shell may run.
func ParseFor(language Language, src string) *Script {
	s := &Script{Source: src, language: language}
	w := walkers.Get().(*workplace)
	w.parse(s)
	s.Commands, s.accesses = exactly(s.Commands), exactly(s.accesses)
	w.leave()
	return s
}

// Loan is a script for as long as it is not returned.
type Loan struct {
	Script *Script
	place  *workplace
}

// Borrow is [ParseFor] for a script that is not needed any more in a moment: its lists are
// those of scripts before it. They must not be looked at after the loan was returned;
// texts taken from them may be kept.
func Borrow(language Language, src string) Loan {
	w := walkers.Get().(*workplace)
	w.script.Source, w.script.language, w.slab = src, language, w.words
	w.parse(&w.script)
	return Loan{Script: &w.script, place: w}
}

// Return ends the loan.
func (l Loan) Return() {
	w := l.place
	clear(w.slab)
	if w.words = w.slab[:0]; cap(w.words) > keptWords {
		w.words = nil
	}
	w.script = Script{}
	w.leave()
}

// workplace is where a text is read: a walker, and room for lists that grow while
// nobody knows how long they will be.
type workplace struct {
	walker
	script   Script // one that is borrowed
	commands []Command
	words    []Word
	found    accessList
	plain    plainRoom
}

var walkers = sync.Pool{New: func() any { return new(workplace) }}

// How much room is kept for the next text.
const (
	keptCommands = 64
	keptWords    = 256
)

func (w *workplace) parse(s *Script) {
	if s.Problem = refuse(s.Source); s.Problem != nil {
		return
	}
	room := new(plainRoom)
	if s == &w.script {
		room = &w.plain
	}
	stmts := s.read(room)
	s.Commands = w.commands
	w.walk(s, stmts)
	if s.globs {
		if s.patterns = s.patternOptions(); s.patterns&otherNames != 0 { // the patterns are others
			stmts = s.read(room)
			s.Commands, s.Functions, s.loops, s.moves = s.Commands[:0], nil, nil, nil
			w.walker = walker{scratch: w.scratch, slab: w.slab, varRoom: w.varRoom}
			w.walk(s, stmts)
		}
	}
	if s.history {
		w.problem(Unparseable, historyProblem, 0)
	}
	found := len(s.Commands)
	w.finish()
	w.found.of(s)
	w.commands, s.accesses = s.Commands, w.found.all
	s.followMoves()
	w.again = w.again || len(s.Commands) > found || w.found.tilde
	w.settle(stmts)
	if !s.settled && anyAccess(s.accesses, isHidden) {
		s.second = new(secondReading)
		if s.unsettled = !anyAccess(s.accesses, isHiddenChange); !s.unsettled {
			s.accesses = s.seen(s.accesses)
		}
	}
}

// read parses the source for the shell that is to run it.
func (s *Script) read(room *plainRoom) []*syntax.Stmt {
	var stmts []*syntax.Stmt
	if stmts, s.Problem = readInto(room, s.Source); s.Problem == nil {
		s.Problem = s.language.differs(s.Source, stmts)
	}
	return stmts
}

// walk finds the commands, and those that constants make of them.
func (w *workplace) walk(s *Script, stmts []*syntax.Stmt) {
	w.s, w.parent = s, -1
	w.whole(stmts)
	w.foldable = w.foldable || w.tildes && w.vars["HOME"] != nil || w.reads && (w.constant || w.patterns && w.glued)
	if w.foldable {
		w.fold(stmts)
	}
}

// leave forgets the script.
func (w *workplace) leave() {
	w.commands = emptied(w.commands)
	w.found = accessList{all: emptied(w.found.all)}
	w.plain.empty()
	varRoom := w.varRoom
	if w.vars != nil && len(w.vars) <= keptCommands {
		varRoom = w.vars
		clear(varRoom)
	}
	w.walker = walker{scratch: w.scratch[:0], varRoom: varRoom}
	walkers.Put(w)
}

// emptied is the room of a list, unless that is a large one.
func emptied[T any](list []T) []T {
	if cap(list) > keptCommands {
		return nil
	}
	clear(list)
	return list[:0]
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
	text   depthReader
}

// readersOf are the parsers of a shell's language.
func readersOf(lang syntax.LangVariant) *sync.Pool {
	return &sync.Pool{New: func() any { return &reader{parser: syntax.NewParser(syntax.Variant(lang))} }}
}

var (
	bashReaders  = readersOf(syntax.LangBash)
	posixReaders = readersOf(syntax.LangPOSIX)
	zshReaders   = readersOf(syntax.LangZsh)
)

func read(src string) ([]*syntax.Stmt, *Problem) { return readInto(new(plainRoom), src) }

// readInto parses src as bash does; the tree may be in the room. When bash would stop at an error, the
// statements before it are returned together with the problem: bash runs those before it sees the error.
func readInto(room *plainRoom, src string) ([]*syntax.Stmt, *Problem) {
	if stmts := plainCommand(src, room); stmts != nil {
		return stmts, nil
	}
	stmts, problem := parse(bashReaders, src)
	if problem == nil {
		problem = agree(src, stmts)
	}
	return stmts, problem
}

// parse is one parser's reading of src.
func parse(readers *sync.Pool, src string) ([]*syntax.Stmt, *Problem) {
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
