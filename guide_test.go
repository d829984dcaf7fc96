package assent_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strings"
	"testing"
)

// prelude is what the snippets of the guide take for granted.
const prelude = `package guide

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
)

var (
	_ bytes.Buffer
	_ = errors.New
	_ = fmt.Sprint
	_ hook.Event
	_ permission.Mode

	ctx    context.Context
	id     string
	decide assent.Option
	answer func() string
	save   func(string)
)
`

// snippets are the code blocks of the guide. Types may stand before statements.
func snippets(guide string) []string {
	var all []string
	open := false
	for line := range strings.Lines(guide) {
		code, indented := strings.CutPrefix(line, "\t")
		switch {
		case indented && !open:
			all = append(all, code)
			open = true
		case indented || open && strings.TrimSpace(line) == "":
			all[len(all)-1] += code
		default:
			open = false
		}
	}
	return all
}

// TestSurface_TheGuideCompiles: whoever copies a snippet gets what the guide promises.
func TestSurface_TheGuideCompiles(t *testing.T) {
	var guide string
	for _, file := range loaded(t).syntax[module] {
		if file.Doc != nil {
			guide += file.Doc.Text()
		}
	}
	all := snippets(guide)
	if len(all) < 9 {
		t.Fatalf("the guide has only %d snippets", len(all))
	}
	var code strings.Builder
	code.WriteString(prelude)
	for i, s := range all {
		fmt.Fprintf(&code, "\nfunc snippet%d() error {\n%s\treturn use(%s)\n}\n", i, s, strings.Join(declared(s), ", "))
	}
	code.WriteString("\nfunc use(...any) error { return nil }\n")

	src := loaded(t)
	parsed, err := parser.ParseFile(src.files, "guide.go", code.String(), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: src, Error: func(err error) { t.Error(err) }}
	if _, err := config.Check("guide", src.files, []*ast.File{parsed}, nil); err != nil {
		t.Log(code.String())
	}
}

// declared are the variables that a snippet declares at its outermost level, so that the
// compiler does not mind if it leaves one alone.
func declared(snippet string) []string {
	var names []string
	for line := range strings.Lines(snippet) {
		left, _, ok := strings.Cut(line, " := ")
		if !ok || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "for ") {
			continue
		}
		for name := range strings.SplitSeq(left, ", ") {
			if name != "_" {
				names = append(names, name)
			}
		}
	}
	return names
}
