package shell

import "mvdan.cc/sh/v3/syntax"

// plainBytes stand for themselves wherever they are in a command: no quotes, no
// expansion, nothing that ends a word or a command.
var plainBytes = [256]bool{
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true,
	'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true,
	'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'_': true, '-': true, '.': true, '/': true, ':': true, '@': true, '%': true, ',': true, '=': true,
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
	quote    byte // 0 for a word without
}

// plainPart is one of several commands: its words are those from first on.
type plainPart struct {
	first  int
	op     syntax.BinCmdOperator // what joins it to the one before
	opFrom int
}

// plainCommand is the tree of a text that is nothing but plain words with blanks between
// them, and && || | between commands, as most commands are: the parser would need longer
// to get ready than to read it. A word may stand in quotes as a whole, if nothing in them
// is expanded. It is nil for anything that could be something else.
func plainCommand(src string) []*syntax.Stmt {
	var t plainText
	if !t.read(src) {
		return nil
	}
	return t.tree(src)
}

// read finds the words. It reports whether the text is plain.
func (t *plainText) read(src string) bool {
	t.parts = 1
	apart := true // from what stands before
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == ' ':
			apart = true
			i++
		case c == '&' || c == '|':
			end := t.join(src, i)
			if end == 0 {
				return false
			}
			apart, i = true, end
		default:
			end := t.word(src, i)
			if end == 0 || !apart {
				return false
			}
			apart, i = false, end
		}
	}
	return t.n > t.commands[t.parts-1].first
}

// join reads an operator and returns where it ends, 0 if it is none of those.
func (t *plainText) join(src string, at int) int {
	if t.n == t.commands[t.parts-1].first || t.parts == mostJoined {
		return 0
	}
	next := plainPart{first: t.n, op: syntax.Pipe, opFrom: at}
	end := at + 1
	if end < len(src) && src[end] == src[at] {
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
	word := plainPlace{from: from, to: from}
	if quote := src[from]; quote == '\'' || quote == '"' {
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
	t.words[t.n] = word
	t.n++
	return word.to
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
func (t *plainText) tree(src string) []*syntax.Stmt {
	words := make([]struct {
		word  syntax.Word
		lit   syntax.Lit
		parts [1]syntax.WordPart
	}, t.n)
	args := make([]*syntax.Word, t.n)
	for i := range words {
		w := &words[i]
		if from, to := t.words[i].from, t.words[i].to; t.words[i].quote == 0 {
			w.lit = plainLit(src, from, to)
			w.parts[0] = &w.lit
		} else {
			w.parts[0] = quotedPart(src, from, to)
		}
		w.word.Parts = w.parts[:]
		args[i] = &w.word
	}
	commands := make([]struct {
		stmts [1]*syntax.Stmt
		stmt  syntax.Stmt
		call  syntax.CallExpr
	}, t.parts)
	var list, line *syntax.Stmt // the commands before the current pipe, and those in it
	var op plainPart            // what joins them
	for i := range commands {
		c, from, to := &commands[i], t.commands[i].first, t.n
		if i+1 < t.parts {
			to = t.commands[i+1].first
		}
		c.call.Args = args[from:to:to]
		c.stmt.Position, c.stmt.Cmd = words[from].lit.ValuePos, &c.call
		if i > 0 && t.commands[i].op == syntax.Pipe {
			line = joined(line, t.commands[i], &c.stmt)
			continue
		}
		list, line, op = joined(list, op, line), &c.stmt, t.commands[i]
	}
	commands[0].stmts[0] = joined(list, op, line)
	return commands[0].stmts[:]
}

// joined is the statement of two that an operator joins; the first may be missing.
func joined(x *syntax.Stmt, op plainPart, y *syntax.Stmt) *syntax.Stmt {
	if x == nil {
		return y
	}
	both := &struct {
		stmt   syntax.Stmt
		binary syntax.BinaryCmd
	}{
		syntax.Stmt{Position: x.Position},
		syntax.BinaryCmd{OpPos: plainPos(op.opFrom), Op: op.op, X: x, Y: y},
	}
	both.stmt.Cmd = &both.binary
	return &both.stmt
}

func plainLit(src string, from, to int) syntax.Lit {
	return syntax.Lit{ValuePos: plainPos(from), ValueEnd: plainPos(to), Value: src[from:to]}
}

// quotedPart is a word in quotes.
func quotedPart(src string, from, to int) syntax.WordPart {
	if src[from] == '\'' {
		return &syntax.SglQuoted{Left: plainPos(from), Right: plainPos(to - 1), Value: src[from+1 : to-1]}
	}
	quoted := &struct {
		double syntax.DblQuoted
		lit    syntax.Lit
		parts  [1]syntax.WordPart
	}{lit: plainLit(src, from+1, to-1)}
	quoted.parts[0] = &quoted.lit
	quoted.double = syntax.DblQuoted{Left: plainPos(from), Right: plainPos(to - 1), Parts: quoted.parts[:]}
	return &quoted.double
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
