package shell

import (
	"cmp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainBytes stand for themselves wherever they are in a command: no quotes, no
// expansion, nothing that ends a word or a command.
var plainBytes = [256]bool{
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true,
	'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true,
	'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'_': true, '-': true, '.': true, '/': true, ':': true, '@': true, '%': true, ',': true, '=': true,
	'+': true, '*': true, '?': true, '~': true,
}

// What a plain command is at most.
const (
	mostPlain  = 32 // words
	mostJoined = 8  // commands
)

// plainText is where the words of a plain command stand, and what joins its commands.
type plainText struct {
	words    [mostPlain]plainPlace
	commands [mostJoined]plainPart
	n, parts int // how many there are
}

// plainPlace is a word from one place up to another, which its quotes are part of.
type plainPlace struct {
	from, to int
	quote    byte                 // 0 for a word without
	variable bool                 // it is one: $x, "$x"
	redirect syntax.RedirOperator // 0 if it is no target of one
	opFrom   int
}

// plainPart is one of several commands: its words are those from first on.
type plainPart struct {
	first  int
	op     syntax.BinCmdOperator // what joins it to the one before, 0 for ";"
	opFrom int
}

// plainCommand is the tree of a text that is nothing but plain words with blanks between
// them, and && || | ; between commands, as most commands are: the parser would need longer
// to get ready than to read it. A word may be a variable, or stand in quotes as a whole, if
// nothing else in them is expanded; it may be the target of a redirection behind the program.
// All of it may be the body of a for loop. It is nil for anything that could be something else.
func plainCommand(src string, room *plainRoom) []*syntax.Stmt {
	if strings.HasPrefix(src, "for ") {
		return plainLoop(src, room)
	}
	var t plainText
	if !t.read(src, 0) {
		return nil
	}
	return t.tree(src, room)
}

// plainRoom is where the nodes of trees are, so that they need not be made one by one.
type plainRoom struct {
	words     []wordNode
	args      []*syntax.Word
	commands  []stmtNode
	variables []variableNode
	loops     []loopNode
}

type wordNode struct {
	word   syntax.Word
	parts  [1]syntax.WordPart
	lit    syntax.Lit
	inner  [1]syntax.WordPart
	single syntax.SglQuoted
	double syntax.DblQuoted
}

type stmtNode struct {
	stmts  [1]*syntax.Stmt
	stmt   syntax.Stmt
	call   syntax.CallExpr
	both   syntax.Stmt // that and what stands before it
	binary syntax.BinaryCmd
}

type variableNode struct {
	param syntax.ParamExp
	name  syntax.Lit
}

type loopNode struct {
	stmts [1]*syntax.Stmt
	stmt  syntax.Stmt
	loop  syntax.ForClause
	iter  syntax.WordIter
	name  syntax.Lit
}

// empty makes the room usable again. The trees in it must not be used any more.
func (r *plainRoom) empty() {
	if cap(r.words) > keptWords {
		*r = plainRoom{}
	}
	clear(r.words)
	clear(r.args)
	clear(r.commands)
	clear(r.variables)
	clear(r.loops)
	r.words, r.args, r.commands, r.variables, r.loops = r.words[:0], r.args[:0], r.commands[:0], r.variables[:0], r.loops[:0]
}

// taken takes n elements of a room.
func taken[T any](room *[]T, n int) []T {
	from := len(*room)
	if cap(*room)-from < n {
		*room, from = make([]T, 0, max(n, 2*cap(*room))), 0
	}
	*room = (*room)[:from+n]
	return (*room)[from : from+n : from+n]
}

// plainLoop is the tree of "for x in a b; do …; done".
func plainLoop(src string, room *plainRoom) []*syntax.Stmt {
	head := strings.IndexByte(src, ';')
	body, found := strings.CutSuffix(src, "done")
	if head < 0 || !found {
		return nil
	}
	do := head + 1
	for do < len(body) && body[do] == ' ' {
		do++
	}
	var t plainText
	if !strings.HasPrefix(body[do:], "do ") || !t.read(src[:head], len("for ")) || t.parts > 1 || t.n < 2 {
		return nil
	}
	name, in := t.words[0], t.words[1]
	if !isName(src[name.from:name.to]) || src[in.from:in.to] != "in" {
		return nil
	}
	body = strings.TrimRight(body, " ")
	var inner plainText
	if !strings.HasSuffix(body, ";") || !inner.read(body, do+len("do")) {
		return nil
	}
	var stmt syntax.Stmt
	loop := &taken(&room.loops, 1)[0]
	loop.name = plainLit(src, name.from, name.to)
	loop.iter = syntax.WordIter{Name: &loop.name, InPos: plainPos(in.from), Items: t.arguments(src, t.all(src, room), 2, t.n, &stmt)}
	loop.loop = syntax.ForClause{ForPos: plainPos(0), DoPos: plainPos(do), DonePos: plainPos(len(src) - len("done")), Loop: &loop.iter, Do: inner.tree(src, room)}
	loop.stmt = syntax.Stmt{Position: plainPos(0), Cmd: &loop.loop}
	if len(stmt.Redirs) > 0 {
		return nil
	}
	loop.stmts[0] = &loop.stmt
	return loop.stmts[:]
}

// read finds the words from a place on. It reports whether the text is plain.
func (t *plainText) read(src string, from int) bool {
	t.parts = 1
	apart := true // from what stands before
	for i := from; i < len(src); {
		switch c := src[i]; {
		case c == ' ':
			apart = true
			i++
		case c == '&' || c == '|' || c == ';':
			end := t.join(src, i)
			if end == 0 {
				return false
			}
			apart, i = true, end
		default:
			op, from := redirection(src, i)
			if from == len(src) {
				return false
			}
			end := t.word(src, from)
			if end == 0 || !apart {
				return false
			}
			if op != 0 && !t.redirects(src, op, i) {
				return false
			}
			apart, i = false, end
		}
	}
	last := &t.commands[t.parts-1]
	return t.n > last.first || t.parts > 1 && last.op == 0
}

// redirection reads the operator of a redirection and the blanks behind it. It returns where the
// target begins, which is from where there is none.
func redirection(src string, from int) (op syntax.RedirOperator, target int) {
	at := from
	if src[at] >= '0' && src[at] <= '9' && at+1 < len(src) {
		at++
	}
	switch {
	case src[at] == '<':
		op, at = syntax.RdrIn, at+1
	case src[at] != '>':
		return 0, from
	case at+1 < len(src) && src[at+1] == '>':
		op, at = syntax.AppOut, at+2
	case at+1 < len(src) && src[at+1] == '&':
		return syntax.DplOut, at + 2
	default:
		op, at = syntax.RdrOut, at+1
	}
	for at < len(src) && src[at] == ' ' {
		at++
	}
	return op, at
}

// redirects makes the word just read the target of a redirection, which begins at a place. It reports
// whether it may be one.
func (t *plainText) redirects(src string, op syntax.RedirOperator, from int) bool {
	word := &t.words[t.n-1]
	word.redirect, word.opFrom = op, from
	digit := word.to == word.from+1 && src[word.from] >= '0' && src[word.from] <= '9'
	return t.n-1 > t.commands[t.parts-1].first && !word.variable && (op != syntax.DplOut || digit)
}

// join reads an operator and returns where it ends, 0 if it is none of those.
func (t *plainText) join(src string, at int) int {
	if t.n == t.commands[t.parts-1].first || t.parts == mostJoined {
		return 0
	}
	next := plainPart{first: t.n, op: syntax.Pipe, opFrom: at}
	end := at + 1
	if src[at] == ';' {
		next.op = 0
	} else if end < len(src) && src[end] == src[at] {
		end++
		if next.op = syntax.AndStmt; src[at] == '|' {
			next.op = syntax.OrStmt
		}
	} else if src[at] == '&' {
		return 0
	}
	t.commands[t.parts] = next
	t.parts++
	return end
}

// word reads a word and returns where it ends, 0 if it is not plain.
func (t *plainText) word(src string, from int) int {
	if t.n == mostPlain {
		return 0
	}
	first := t.n == t.commands[t.parts-1].first
	word := &t.words[t.n]
	*word = plainPlace{from: from, to: from}
	if quote := src[from]; quote == '$' || quote == '"' && from+1 < len(src) && src[from+1] == '$' {
		if word.variable, word.to = true, endOfVariable(src, from); first || word.to == 0 {
			return 0
		}
	} else if quote == '\'' || quote == '"' {
		word.quote, word.to = quote, endOfQuotes(src, from)
		if first || word.to <= from+2 {
			return 0
		}
	} else {
		for word.to < len(src) && plainBytes[src[word.to]] {
			if src[word.to] == '=' && first {
				return 0 // an assignment
			}
			word.to++
		}
		if word.to == from || first && startsConstruct(src[from:word.to]) {
			return 0
		}
	}
	t.n++
	return word.to
}

// endOfVariable is the place behind $x or "$x", 0 if it is something else.
func endOfVariable(src string, from int) int {
	quoted := src[from] == '"'
	at := from + 1
	if quoted {
		at++
	}
	name := at
	for at < len(src) && (isLetter(src[at]) || src[at] == '_' || at > name && src[at] >= '0' && src[at] <= '9') {
		at++
	}
	switch {
	case at == name:
		return 0
	case !quoted:
		return at
	case at < len(src) && src[at] == '"':
		return at + 1
	}
	return 0
}

// endOfQuotes is the place behind quotes in which every character stands for itself, 0 if
// there is one that may not.
func endOfQuotes(src string, from int) int {
	quote := src[from]
	for i := from + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == quote:
			return i + 1
		case c < ' ' || c > '~', quote == '"' && (c == '$' || c == '`' || c == '\\'):
			return 0
		}
	}
	return 0
}

// tree is what the parser would make of the text. What belongs together is made in one
// piece.
func (t *plainText) tree(src string, room *plainRoom) []*syntax.Stmt {
	args := t.all(src, room)
	commands := taken(&room.commands, t.parts)
	stmts := commands[0].stmts[:0]
	var list, line *syntax.Stmt // the commands before the current pipe, and those in it
	var op plainPart            // what joins them
	for i := range commands {
		c, part, to := &commands[i], t.commands[i], t.n
		if i+1 < t.parts {
			to = t.commands[i+1].first
		}
		if i > 0 && part.op == 0 {
			done := c.joined(list, op, line)
			done.Semicolon = plainPos(part.opFrom)
			stmts = append(stmts, done)
			list, line = nil, nil
			if part.first == to { // nothing behind the last ";"
				return stmts
			}
		}
		c.call.Args = t.arguments(src, args, part.first, to, &c.stmt)
		c.stmt.Position, c.stmt.Cmd = plainPos(t.words[part.first].from), &c.call
		if i > 0 && part.op == syntax.Pipe {
			line = c.joined(line, part, &c.stmt)
			continue
		}
		list, line, op = c.joined(list, op, line), &c.stmt, part
	}
	return append(stmts, commands[0].joined(list, op, line))
}

// all are the words.
func (t *plainText) all(src string, room *plainRoom) []*syntax.Word {
	words, args := taken(&room.words, t.n), taken(&room.args, t.n)
	for i := range words {
		w := &words[i]
		switch place := &t.words[i]; {
		case place.variable:
			w.parts[0] = w.variable(src, place.from, place.to, room)
		case place.quote != 0:
			w.parts[0] = w.quoted(src, place.from, place.to)
		default:
			w.lit = plainLit(src, place.from, place.to)
			w.parts[0] = &w.lit
		}
		w.word.Parts = w.parts[:]
		args[i] = &w.word
	}
	return args
}

// arguments are the words of a command, without the targets of redirections, which it adds to the
// statement.
func (t *plainText) arguments(src string, args []*syntax.Word, from, to int, stmt *syntax.Stmt) []*syntax.Word {
	n := from
	for i := from; i < to; i++ {
		place := &t.words[i]
		if place.redirect == 0 {
			args[n] = args[i]
			n++
			continue
		}
		r := &syntax.Redirect{Op: place.redirect, OpPos: plainPos(place.opFrom), Word: args[i]}
		if digit := src[place.opFrom]; digit >= '0' && digit <= '9' {
			lit := plainLit(src, place.opFrom, place.opFrom+1)
			r.N, r.OpPos = &lit, plainPos(place.opFrom+1)
		}
		stmt.Redirs = append(stmt.Redirs, r)
	}
	return args[from:n:n]
}

// joined is the statement of two that an operator joins, in the room of a command that joins no
// others; one may be missing.
func (c *stmtNode) joined(x *syntax.Stmt, op plainPart, y *syntax.Stmt) *syntax.Stmt {
	if x == nil || y == nil {
		return cmp.Or(x, y)
	}
	c.binary = syntax.BinaryCmd{OpPos: plainPos(op.opFrom), Op: op.op, X: x, Y: y}
	c.both = syntax.Stmt{Position: x.Position, Cmd: &c.binary}
	return &c.both
}

func plainLit(src string, from, to int) syntax.Lit {
	return syntax.Lit{ValuePos: plainPos(from), ValueEnd: plainPos(to), Value: src[from:to]}
}

// quoted is a word in quotes.
func (w *wordNode) quoted(src string, from, to int) syntax.WordPart {
	if src[from] == '\'' {
		w.single = syntax.SglQuoted{Left: plainPos(from), Right: plainPos(to - 1), Value: src[from+1 : to-1]}
		return &w.single
	}
	w.lit = plainLit(src, from+1, to-1)
	return w.inQuotes(&w.lit, from, to)
}

// inQuotes is what stands in double quotes.
func (w *wordNode) inQuotes(part syntax.WordPart, from, to int) syntax.WordPart {
	w.inner[0] = part
	w.double = syntax.DblQuoted{Left: plainPos(from), Right: plainPos(to - 1), Parts: w.inner[:]}
	return &w.double
}

// variable is a word that is one.
func (w *wordNode) variable(src string, from, to int, room *plainRoom) syntax.WordPart {
	if src[from] == '$' {
		return plainVariable(src, from, to, room)
	}
	return w.inQuotes(plainVariable(src, from+1, to-1, room), from, to)
}

func plainVariable(src string, from, to int, room *plainRoom) *syntax.ParamExp {
	v := &taken(&room.variables, 1)[0]
	v.name = plainLit(src, from+1, to)
	v.param = syntax.ParamExp{Dollar: plainPos(from), Short: true, Param: &v.name}
	return &v.param
}

func plainPos(offset int) syntax.Pos { return syntax.NewPos(uint(offset), 1, uint(offset)+1) }

// startsConstruct: the word starts something else than a simple command, or the parser
// reads the words behind it in a way of their own.
func startsConstruct(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select", "function", "time", "coproc",
		"declare", "local", "export", "readonly", "typeset", "nameref", "let":
		return true
	}
	return false
}
