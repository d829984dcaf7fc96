package architecture

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is what `go list -export` says about one package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Export     string
}

// A switch over one of our enumerations names every constant or says what holds
// for the rest. Without that, a new outcome falls through in silence.
func TestSwitchesAreExhaustive(t *testing.T) {
	packages := goList[listed](t, "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export", "./...")
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	gc := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		if _, ours := local(p.ImportPath); !ours {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		for _, gap := range gaps(t, fset, gc, p.ImportPath, files) {
			t.Error(gap)
		}
	}
}

func TestGapsAreSeen(t *testing.T) {
	const source = `package x
type Colour uint8
const (
	Red Colour = iota + 1
	Green
	Blue
)
func all(c Colour) { switch c { case Red, Green: case Blue: } }
func rest(c Colour) { switch c { case Red: default: } }
func gap(c Colour) { switch c { case Red: case Blue: } }
func number(i int) { switch i { case 1: } }
func none(c Colour) { switch { case c == Red: } }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got := gaps(t, fset, nil, module+"/x", []*ast.File{file})
	want := []string{"x.go:10:22: switch over Colour without a default misses Green"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// gaps type-checks a package and lists its incomplete switches.
func gaps(t *testing.T, fset *token.FileSet, imp types.Importer, path string, files []*ast.File) []string {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: imp}
	if _, err := config.Check(path, fset, files, info); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var found []string
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SwitchStmt); ok && s.Tag != nil {
				found = append(found, missing(fset, info, s)...)
			}
			return true
		})
	}
	return found
}

func missing(fset *token.FileSet, info *types.Info, s *ast.SwitchStmt) []string {
	named, ok := types.Unalias(info.TypeOf(s.Tag)).(*types.Named)
	if !ok || !enumeration(named) {
		return nil
	}
	covered := map[string]bool{}
	for _, clause := range s.Body.List {
		values := clause.(*ast.CaseClause).List
		if values == nil {
			return nil
		}
		for _, value := range values {
			if v := info.Types[value].Value; v != nil {
				covered[v.ExactString()] = true
			}
		}
	}
	var names []string
	for name, value := range constants(named) {
		if !covered[value.ExactString()] {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return []string{fmt.Sprintf("%s: switch over %s without a default misses %s",
		fset.Position(s.Pos()), named.Obj().Name(), strings.Join(names, ", "))}
}

// enumeration reports whether a type is one of ours with a closed set of values.
func enumeration(named *types.Named) bool {
	if named.Obj().Pkg() == nil {
		return false
	}
	_, ours := local(named.Obj().Pkg().Path())
	basic, ok := named.Underlying().(*types.Basic)
	return ours && ok && basic.Kind() == types.Uint8 && len(constants(named)) > 1
}

func constants(named *types.Named) map[string]constant.Value {
	found := map[string]constant.Value{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			found[name] = c.Val()
		}
	}
	return found
}
