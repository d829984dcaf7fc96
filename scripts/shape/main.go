// Shape prints the size and shape of the project's code, so that a change of its structure
// can be judged by figures: `make shape`, before and after.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: shape [DIR]\n\nPrints figures about the code that git tracks in DIR, by default the current directory.")
	}
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	dir := cmp.Or(flag.Arg(0), ".")
	if err := run(dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "shape:", err)
		os.Exit(1)
	}
}

func run(dir string, out io.Writer) error {
	files, err := tracked(dir)
	if err != nil {
		return err
	}
	words, err := retiredWords(filepath.Join(dir, wordList))
	if err != nil {
		return err
	}
	s := &shape{dir: dir, retired: words, folders: map[string]bool{}, public: map[string]bool{}, exported: map[string]bool{}}
	for _, name := range files {
		if err := s.add(name); err != nil {
			return err
		}
	}
	return s.print(out)
}

// tracked lists the files that git knows in a directory and that are there.
func tracked(dir string) ([]string, error) {
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = dir
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of %s, which has to be a checkout: %w", dir, err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == 0 }), nil
}

// wordList names the words that the project does not use any more, one on each line.
const wordList = "internal/architecture/retired.txt"

// retiredWords is nil where the list does not exist yet.
func retiredWords(file string) (*regexp.Regexp, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var words []string
	for line := range strings.Lines(string(text)) {
		if word := strings.TrimSpace(line); word != "" && word[0] != '#' {
			words = append(words, regexp.QuoteMeta(word))
		}
	}
	return regexp.Compile(`(?i)\b(?:` + strings.Join(words, "|") + `)\b`)
}

type length struct {
	name  string
	lines int
}

// shape collects the figures.
type shape struct {
	dir     string
	retired *regexp.Regexp

	production, tests int
	folders           map[string]bool // in the root
	public, exported  map[string]bool
	files, functions  []length // of production code
	structs           []length // by fields
	calls             []string // structs that hold a call: the name of a tool and its input
	retiredFound      int
}

func (s *shape) add(name string) error {
	if folder, _, deeper := strings.Cut(name, "/"); deeper && folder[0] != '.' {
		s.folders[folder] = true
	}
	if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
		return nil
	}
	source, err := os.ReadFile(filepath.Join(s.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was removed and that is not committed yet
	}
	if err != nil {
		return err
	}
	lines := bytes.Count(source, []byte("\n"))
	if s.retired != nil {
		s.retiredFound += len(s.retired.FindAll(source, -1))
	}
	if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "test/") {
		s.tests += lines
		return nil
	}
	s.production += lines
	s.files = append(s.files, length{name, lines})
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s.declarations(set, file, path.Dir(name))
	return nil
}

func (s *shape) declarations(set *token.FileSet, file *ast.File, dir string) {
	public := file.Name.Name != "main" && isPublic(dir)
	if public {
		s.public[dir] = true
	}
	export := func(names ...string) {
		if full := strings.Join(names, "."); public && !slices.ContainsFunc(names, func(n string) bool { return !ast.IsExported(n) }) {
			s.exported[dir+" "+full] = true
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			s.functions = append(s.functions, length{dir + "." + d.Name.Name, set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1})
			if d.Recv == nil {
				export(d.Name.Name)
			} else {
				export(receiver(d.Recv.List[0].Type), d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					export(spec.Name.Name)
					if fields, is := spec.Type.(*ast.StructType); is {
						s.addStruct(dir+"."+spec.Name.Name, fields)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						export(name.Name)
					}
				}
			}
		}
	}
}

// isPublic reports whether programs outside of the project can import a directory.
func isPublic(dir string) bool {
	parts := strings.Split(dir, "/")
	return !slices.Contains(parts, "internal") && !slices.Contains([]string{"examples", "scripts", "bench", "cmd"}, parts[0])
}

func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

func (s *shape) addStruct(name string, fields *ast.StructType) {
	count, tool, input := 0, false, false
	for _, field := range fields.Fields.List {
		count += max(1, len(field.Names))
		for _, n := range field.Names {
			tool = tool || slices.Contains([]string{"Tool", "ToolName", "tool"}, n.Name)
			input = input || slices.Contains([]string{"Input", "ToolInput", "input"}, n.Name)
		}
	}
	s.structs = append(s.structs, length{name, count})
	if tool && input {
		s.calls = append(s.calls, name)
	}
}

func (s *shape) print(to io.Writer) error {
	out := bufio.NewWriter(to)
	row := func(what string, figure any) { fmt.Fprintf(out, "%-34s %v\n", what, figure) }
	row("production lines", s.production)
	row("test lines", s.tests)
	row("top-level folders", len(s.folders))
	row("public packages", len(s.public))
	row("exported names", len(s.exported))
	row("lines of a file, median and p95", quantiles(s.files))
	row("lines of a function, median and p95", quantiles(s.functions))
	row("structs that hold a call", len(s.calls))
	if s.retired == nil {
		row("retired words", "no list: "+wordList)
	} else {
		row("retired words", s.retiredFound)
	}
	fmt.Fprintln(out, "largest structs, by fields")
	longestFirst(s.structs)
	for _, one := range s.structs[:min(8, len(s.structs))] {
		fmt.Fprintf(out, "  %-40s %d\n", one.name, one.lines)
	}
	return out.Flush()
}

func quantiles(of []length) string {
	if len(of) == 0 {
		return "none"
	}
	longestFirst(of)
	slices.Reverse(of)
	at := func(share float64) int { return of[min(len(of)-1, int(share*float64(len(of))))].lines }
	return fmt.Sprintf("%d, %d", at(0.5), at(0.95))
}

func longestFirst(of []length) {
	slices.SortFunc(of, func(a, b length) int {
		return cmp.Or(cmp.Compare(b.lines, a.lines), strings.Compare(a.name, b.name))
	})
}
