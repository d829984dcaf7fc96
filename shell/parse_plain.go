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

// mostPlain bounds the words of a plain command.
const mostPlain = 32

// plainCommand is the tree of a text that is nothing but plain words with blanks between
// them, as most commands are that stand in other commands: the parser would need longer
// to get ready than to read it. It is nil for anything that could be something else.
func plainCommand(src string) []*syntax.Stmt {
	var from, to [mostPlain]int
	n := 0
	for i := 0; i < len(src); {
		if src[i] == ' ' {
			i++
			continue
		}
		start := i
		for i < len(src) && plainBytes[src[i]] {
			if src[i] == '=' && n == 0 {
				return nil // an assignment
			}
			i++
		}
		if i == start || n == mostPlain {
			return nil
		}
		from[n], to[n] = start, i
		n++
	}
	if n == 0 || startsConstruct(src[from[0]:to[0]]) {
		return nil
	}
	tree := struct {
		stmts [1]*syntax.Stmt
		stmt  syntax.Stmt
		call  syntax.CallExpr
	}{}
	words := make([]struct {
		word  syntax.Word
		lit   syntax.Lit
		parts [1]syntax.WordPart
	}, n)
	tree.call.Args = make([]*syntax.Word, n)
	for i := range words {
		w := &words[i]
		w.lit = syntax.Lit{ValuePos: plainPos(from[i]), ValueEnd: plainPos(to[i]), Value: src[from[i]:to[i]]}
		w.parts[0] = &w.lit
		w.word.Parts = w.parts[:]
		tree.call.Args[i] = &w.word
	}
	tree.stmt.Position, tree.stmt.Cmd = words[0].lit.ValuePos, &tree.call
	tree.stmts[0] = &tree.stmt
	return tree.stmts[:]
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
