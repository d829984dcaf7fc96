package inbox

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What assent itself says is shown as it is: a hint with a hole in it helps nobody. These are
// the texts of all errors of the module, as they stand in its source.
func TestT19_OwnMessagesStayAsTheyAre(t *testing.T) {
	all := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != ".." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		for _, text := range messagesIn(t, path) {
			all++
			if got := mask(text); got != text {
				t.Errorf("%s: %q becomes %q", path, text, got)
			}
		}
		return nil
	})
	if text := "session 01234567-89ab-4cde-8f01-23456789abcd cannot be read"; mask(text) != text {
		t.Error(mask(text))
	}
	if err != nil || all < 1000 {
		t.Errorf("%d messages: %v", all, err)
	}
}

// messagesIn are the texts of the errors that a file makes.
func messagesIn(t *testing.T, path string) (all []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		switch name {
		case "New", "Errorf", "Sprintf", "invalid", "complain", "usage", "Warn", "Error", "no", "refuse", "refused":
			for _, arg := range call.Args {
				if text := literal(arg); strings.Contains(text, " ") { // it is a sentence
					all = append(all, text)
				}
			}
		}
		return true
	})
	return all
}

// literal is a text that stands in the source, also in several pieces.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}
