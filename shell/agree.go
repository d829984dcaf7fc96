package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// mark is a place in a text on which two readers have to agree: what it is, where it
// begins and where it ends. Marks sort by where they begin.
type mark uint64

type markKind uint8

const (
	markCommand      markKind = iota + 1 // the first word of a simple command
	markAssign                           // an assignment before a command
	markWord                             // another word
	markRedirect                         // the word behind a redirection
	markBody                             // the text of a here-document
	markFunction                         // the name of a function
	markSubstitution                     // $(…), `…`, <(…), >(…)
	markParameter                        // ${…}
	markArithmetic                       // $((…)), ((…))
	markTest                             // [[ … ]]
)

const offsetBits = 20 // of MaxSize

func newMark(what markKind, from, to int) mark {
	return mark(from)<<(offsetBits+8) | mark(to)<<8 | mark(what)
}

func (m mark) from() int32           { return int32(m >> (offsetBits + 8)) }
func (m mark) as(what markKind) mark { return m&^0xff | mark(what) }

var comparisons = sync.Pool{New: func() any { return new(comparison) }}

// comparison holds the marks of two readers.
type comparison struct {
	scanner
	tree []mark
}

// agree reports where the parser and the scanner disagree about a text, or what the
// scanner does not understand.
func agree(src string, stmts []*syntax.Stmt) *Problem {
	c := comparisons.Get().(*comparison)
	defer comparisons.Put(c)
	c.scanner = scanner{src: src, found: c.found[:0], pending: c.pending[:0]}
	c.script()
	if c.wrong != "" {
		return &Problem{Kind: Unparseable, Text: c.wrong + ", which shells may read in different ways", At: int32(c.wrongAt)}
	}
	if at, same := c.sameAs(stmts); !same {
		return &Problem{Kind: Unparseable, Text: "shells may read this text in different ways", At: at}
	}
	return nil
}

// otherwise is how another shell reads the text, if it does not find the same commands
// and words in it that bash does. It is nothing if it does.
func otherwise(readers *sync.Pool, src string, stmts []*syntax.Stmt) ([]*syntax.Stmt, *Problem) {
	if plainCommand(src, new(plainRoom)) != nil {
		return nil, nil
	}
	others, problem := parse(readers, src)
	if problem == nil && readers == posixReaders && firstNode(stmts, hasBrace) != nil {
		return others, &Problem{Kind: Unparseable}
	}
	if problem == nil && readers == posixReaders && firstNode(stmts, isTest) != nil {
		if strings.Contains(src, "\\\n") { // which the parser reads in another way behind a comment
			problem = &Problem{Kind: Unparseable}
		}
		return others, problem
	}
	if problem != nil {
		return others, problem
	}
	c := comparisons.Get().(*comparison)
	defer comparisons.Put(c)
	c.src = src
	c.found = append(c.found[:0], c.marks(stmts)...)
	if _, same := c.sameAs(others); same {
		return nil, nil
	}
	return others, nil
}

// firstNode is the first node of a tree that is such a one, nil if there is none.
func firstNode(stmts []*syntax.Stmt, such func(node syntax.Node) bool) (found syntax.Node) {
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(node syntax.Node) bool {
			if found == nil && node != nil && such(node) {
				found = node
			}
			return found == nil
		})
	}
	return found
}

// isTest: in [[ ]] words and operators mean something else to a shell that does not know it.
func isTest(node syntax.Node) bool {
	_, test := node.(*syntax.TestClause)
	return test
}

// hasBrace: bash may make several words of one with {a,b} in it, and dash does not.
func hasBrace(node syntax.Node) bool {
	word, ok := node.(*syntax.Word)
	return ok && slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return ok && strings.Contains(strings.ReplaceAll(lit.Value, "{}", ""), "{")
	})
}

// sameAs compares the marks that were found with those of a tree. If they are not the
// same it returns the first place where they differ.
func (c *comparison) sameAs(stmts []*syntax.Stmt) (at int32, same bool) {
	tree := c.marks(stmts)
	slices.Sort(c.found)
	slices.Sort(tree)
	for i := range max(len(c.found), len(tree)) {
		switch {
		case i == len(c.found):
			return tree[i].from(), false
		case i == len(tree):
			return c.found[i].from(), false
		case c.found[i] != tree[i]:
			return min(c.found[i], tree[i]).from(), false
		}
	}
	return 0, true
}

// marks are those of a tree.
func (c *comparison) marks(stmts []*syntax.Stmt) []mark {
	c.tree = c.tree[:0]
	for _, stmt := range stmts {
		syntax.Walk(stmt, c.node)
	}
	return c.tree
}

// node marks a node of the tree.
func (c *comparison) node(node syntax.Node) bool {
	switch node := node.(type) {
	// Chains grow to the left, as long as the text is: they are followed without recursion.
	case *syntax.BinaryArithm:
		for next, ok := node, true; ok; next, ok = node.X.(*syntax.BinaryArithm) {
			node = next
			syntax.Walk(node.Y, c.node)
		}
		syntax.Walk(node.X, c.node)
		return false
	case *syntax.BinaryCmd:
		for next, ok := node, true; ok; next, ok = node.X.Cmd.(*syntax.BinaryCmd) {
			node = next
			syntax.Walk(node.Y, c.node)
		}
		syntax.Walk(node.X, c.node)
		return false
	case *syntax.CallExpr:
		c.call(node)
	case *syntax.DeclClause:
		c.add(markCommand, node.Variant)
		for _, arg := range node.Args {
			c.add(markWord, arg)
		}
	case *syntax.LetClause: // its words were read as arithmetic
		from := int(node.Let.Offset())
		c.tree = append(c.tree, newMark(markCommand, from, from+len("let")))
	case *syntax.Redirect:
		if c.add(markRedirect, node.Word); node.Hdoc != nil {
			end := int(node.Hdoc.End().Offset())
			c.tree = append(c.tree, newMark(markBody, end, end))
		}
	case *syntax.FuncDecl:
		if node.Name != nil {
			c.add(markFunction, node.Name)
		}
	case *syntax.WordIter:
		c.words(node.Items)
	case *syntax.CStyleLoop:
		c.add(markArithmetic, node)
	case *syntax.CaseClause:
		c.add(markWord, node.Word)
	case *syntax.CaseItem:
		c.words(node.Patterns)
	case *syntax.ArrayElem:
		c.element(node)
	case *syntax.CmdSubst, *syntax.ProcSubst:
		c.add(markSubstitution, node)
	case *syntax.ParamExp:
		if !node.Short {
			c.add(markParameter, node)
		}
	case *syntax.ArithmExp, *syntax.ArithmCmd:
		c.add(markArithmetic, node)
	case *syntax.TestClause:
		c.add(markTest, node)
	}
	return true
}

func (c *comparison) call(call *syntax.CallExpr) {
	for _, assign := range call.Assigns {
		c.add(markAssign, assign)
	}
	for i, word := range call.Args {
		what := markWord
		if i == 0 {
			what = markCommand
		}
		c.add(what, word)
	}
}

// element marks an element of an array. The place of one with an index is inside of its
// bracket.
func (c *comparison) element(elem *syntax.ArrayElem) {
	from := int(elem.Pos().Offset())
	for elem.Index != nil && from > 0 && c.src[from] != '[' {
		from--
	}
	c.tree = append(c.tree, newMark(markWord, from, wordEnd(c.src, from, int(elem.End().Offset()))))
}

func (c *comparison) words(words []*syntax.Word) {
	for _, word := range words {
		c.add(markWord, word)
	}
}

func (c *comparison) add(what markKind, node syntax.Node) {
	from := int(node.Pos().Offset())
	c.tree = append(c.tree, newMark(what, from, wordEnd(c.src, from, min(int(node.End().Offset()), len(c.src)))))
}
