package assent_test

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/assent-dev/assent"

// source is the module as its source says: packages with their types, and the comments.
type source struct {
	files    *token.FileSet
	packages map[string]*types.Package
	syntax   map[string][]*ast.File
}

// standard is what public names and the guide need of the standard library. It is not read
// itself: that takes seconds.
var standard = map[string]string{
	"bytes":   "package bytes; type Buffer struct{}; func Contains(b, part []byte) bool",
	"context": "package context; type Context interface{}; var Canceled error",
	"errors":  "package errors; func New(string) error; func Is(err, target error) bool; func As(err error, target any) bool",
	"fmt":     "package fmt; func Print(...any); func Println(...any); func Printf(string, ...any); func Sprint(...any) string",
	"iter":    "package iter; type Seq2[K, V any] func(yield func(K, V) bool)",
	"time":    "package time; type Time struct{}; type Duration int64",
}

// load reads the root and what it imports of the module, once for all tests. Nothing is
// compiled, nothing is fetched: every other package is left empty, and a public name that
// needs one shows as an invalid type.
var load = sync.OnceValues(func() (*source, error) {
	s := &source{files: token.NewFileSet(), packages: map[string]*types.Package{}, syntax: map[string][]*ast.File{}}
	_, err := s.Import(module)
	return s, err
})

func loaded(t *testing.T) *source {
	t.Helper()
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Import finds a package.
func (s *source) Import(name string) (*types.Package, error) {
	if p := s.packages[name]; p != nil {
		return p, nil
	}
	if within, ok := strings.CutPrefix(name+"/", module+"/"); ok {
		return s.check(name, filepath.FromSlash(cmp.Or(strings.TrimSuffix(within, "/"), ".")))
	}
	text := cmp.Or(standard[name], "package "+path.Base(name))
	parsed, err := parser.ParseFile(s.files, name, text, parser.SkipObjectResolution)
	if err != nil { // its name is not that of its directory; nobody needs it
		parsed = &ast.File{Name: ast.NewIdent("_")}
	}
	return s.keep(name, []*ast.File{parsed}), nil
}

// check reads a package of the module.
func (s *source) check(name, dir string) (*types.Package, error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	found, err := context.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	for _, file := range found.GoFiles {
		parsed, err := parser.ParseFile(s.files, filepath.Join(dir, file), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.syntax[name] = append(s.syntax[name], parsed)
	}
	return s.keep(name, s.syntax[name]), nil
}

func (s *source) keep(name string, files []*ast.File) *types.Package {
	config := types.Config{Importer: s, IgnoreFuncBodies: true, Error: func(error) {}} // it misses what was left empty
	s.packages[name], _ = config.Check(name, s.files, files, nil)
	return s.packages[name]
}
