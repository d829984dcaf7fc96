package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Looking for a letter ends at the first long name of a list, so a letter behind one
// would never be found.
func TestGrammarsListLettersFirst(t *testing.T) {
	lists := grammarLists(t)
	if len(lists) < 100 {
		t.Fatalf("only %d lists were found", len(lists))
	}
	for _, list := range lists {
		long := ""
		for name := range strings.SplitSeq(list, " ") {
			switch letter := strings.TrimSuffix(name, "?"); {
			case letter == "":
				t.Errorf("%q has a stray blank", list)
			case len(letter) > 1:
				long = name
			case long != "":
				t.Errorf("%q: %q stands behind %q", list, name, long)
			}
		}
	}
}

// grammarLists are the lists of all grammars in the source of this package.
func grammarLists(t *testing.T) []string {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var lists []string
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if kind, ok := literal.Type.(*ast.Ident); !ok || kind.Name != "grammar" {
				return true
			}
			for _, element := range literal.Elts {
				field, ok := element.(*ast.KeyValueExpr)
				if !ok {
					t.Errorf("%s: a grammar without the names of its fields", name)
					continue
				}
				if key := field.Key.(*ast.Ident).Name; key != "single" && key != "posix" {
					lists = append(lists, constantText(t, field.Value))
				}
			}
			return true
		})
	}
	return lists
}

// constantText is a string, or several with plus signs between them.
func constantText(t *testing.T, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	case *ast.BinaryExpr:
		return constantText(t, e.X) + constantText(t, e.Y)
	}
	t.Errorf("a list of names is a %T", e)
	return ""
}
