package clerk

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

func TestKindOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Kind
	}{
		{errors.New("the disk is full"), Broken},
		{&approval.WrongState{}, Refused},
		{&approval.Changed{}, Refused},
		{&session.InUse{}, Refused},
		{session.ErrExists, Refused},
		{&Kept{}, Refused},
		{&Unanswered{}, Invalid},
		{&Error{Kind: NotFound}, NotFound},
		{fmt.Errorf("it: %w", &Error{Kind: Ambiguous}), Ambiguous},
	} {
		if got := KindOf(test.err); got != test.want {
			t.Errorf("%T: %d, want %d", test.err, got, test.want)
		}
	}
}

// Every way out has words, and so has every standing.
func TestWordsAreComplete(t *testing.T) {
	for w := SeeList; w <= ForceIt; w++ {
		if w.String() == "" {
			t.Errorf("way %d has no words", w)
		}
	}
	for s := Unknown; s <= Over; s++ {
		if s.String() == "" {
			t.Errorf("standing %d has no name", s)
		}
	}
}

// The sentences of this package are for whoever serves people: none names a flag or a
// command of the terminal.
func TestNoSentenceNamesAFlag(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && (strings.Contains(lit.Value, "--") || strings.Contains(lit.Value, "assent ")) {
				t.Errorf("%s says %s", name, lit.Value)
			}
			return true
		})
	}
}
