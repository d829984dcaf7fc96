package architecture

import (
	"go/ast"
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

// bounded are the functions of the packages that read what an agent sends which may call
// themselves, and what ends that. A full stack ends the process and cannot be caught, so that a
// text must not say how deep a recursion goes. With these functions taken out, no function of
// the packages may lead back to itself.
var bounded = map[string]map[string]string{
	"shell": {
		"walker.list":            "walker.enter ends it at stopDepth, walker.affords when it takes too much",
		"walker.run":             "walker.enter and walker.affords, as for walker.list",
		"walker.stmt":            "the tree of the parser, whose depth depthReader bounds",
		"walker.test":            "the tree of the parser, whose depth depthReader bounds",
		"walker.arithmetic":      "the tree of the parser, whose depth depthReader bounds",
		"walker.hiddenIn":        "the tree of the parser, whose depth depthReader bounds",
		"walker.startsProcesses": "the tree of the parser, whose depth depthReader bounds; each function is looked into once, and walker.affords bounds how many",
		"builder.expansion":      "the tree of the parser, whose depth depthReader bounds",
		"walker.output":          "walker.inner: two substitutions inside each other",
		"collector.stmt":         "the tree of the parser, whose depth depthReader bounds",
		"collector.evaluate":     "the tree of the parser, whose depth depthReader bounds",
		"collector.inside":       "the tree of the parser, whose depth depthReader bounds; collector.visits bounds the work",
		"bounds.variable":        "each variable is looked at once",
		"constantOutput":         "the tree of the parser, whose depth depthReader bounds",
		"constantNumber":         "the tree of the parser, whose depth depthReader bounds",
		"printer":                "the tree of the parser, whose depth depthReader bounds",
		"expandBraces":           "maxOpened",
		"textLength":             "the tree of the parser, whose depth depthReader bounds",
		"placeEmpty":             "maxOpened",
		"about":                  "it calls nothing: the tables name functions that judge a command with fewer words, and ask it about that",
		"inspection.gather":      "it is done once",
		"inspection.nested":      "maxNested, and a text that is shorter each time",
		"possible.search":        "possible.inner: it looks at the commands in a text, and not at texts in those",
		"straysFor":              "it looks into a value only if that is empty or has no meaning of its own",
		"trail.anyOfRoot":        "what it puts in place of a pattern is no pattern",
		"arguments.next":         "behind \"--\" there is no second one",
		"Command.matchFrom":      "the steps of a verb in the table",
		"scanner.commands":       "scanner.deeper ends it at maxScanDepth",
		"scanner.command":        "scanner.deeper ends it at maxScanDepth",
		"scanner.dollar":         "scanner.deeper ends it at maxScanDepth",
		"scanner.backquoted":     "scanner.deeper ends it at maxScanDepth",
		"scanner.group":          "scanner.deeper ends it at maxScanDepth",
		"scanner.array":          "an element of an array is no array",
		"comparison.node":        "the tree of the parser, whose depth depthReader bounds",
		"awkNames.operand":       "64 parentheses in each other",
		"Protected":              "a name with backslashes has none when it is read again",
		"valueSearch.name":       "each name is looked at once, and mostLooked bounds the commands at which they all look",
		"valueSearch.input":      "what feeds a command stands before it, in a pipe or in a redirection",
		"valueSearch.file":       "each file is looked at once, and mostLooked bounds the accesses at which they all look",
		"valueSearch.inside":     "the output of each command is looked at once",
		"Script.PartReadOnly":    "wrappers in wrappers, at most stopDepth of them",
	},
	"permission": {
		"search.from":        "the names of a path and its links, and what may be looked at",
		"linkFinder.find":    "maxComponents",
		"shellCheck.covered": "wrappers in wrappers, at most stopDepth of them",
	},
	"rule": {
		"parameterPattern.visit": "the depth of the JSON, at most strictjson.MaxDepth",
		"parameterPattern.leaf":  "the depth of the JSON, at most strictjson.MaxDepth",
		"didYouMean":             "what it makes of a rule that cannot be read has its brackets in place",
		"automaton.nameStart":    "it calls name for what is behind the start, which does not call it",
		"choices":                "mostBraces",
	},
	"dialect": {
		"plainPatch":    "a shell in a shell has the quotes of the inner one escaped, which doubles the text",
		"guesser.value": "the depth of the JSON, at most strictjson.MaxDepth, and a JSON text in another has its quotes escaped",
	},
	"policy": {
		"examples": "the depth of a regular expression, which its parser bounds",
	},
	"guard": {
		"judge.leaves": "what it decides has no pattern",
	},
	"internal/strictjson": {
		"scanner.value":    "the depth of the JSON, at most strictjson.MaxDepth",
		"Node.value":       "the depth of the JSON, at most strictjson.MaxDepth",
		"respelling.value": "the depth of the JSON, at most strictjson.MaxDepth",
		"appendPlain":      "what was read from JSON, or is made by us",
		"readPlain":        "the tree is read by scanner.value",
		"article":          "a pointer to a type of ours",
	},
}

// Every recursion in a package that judges texts has a stated bound.
func TestRecursionIsBounded(t *testing.T) {
	args := []string{"-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export"}
	for name := range bounded {
		args = append(args, "./"+name)
	}
	packages := goList[listed](t, args...)
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	gc := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		name, ours := local(p.ImportPath)
		if !ours || bounded[name] == nil {
			continue
		}
		var files []*ast.File
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, parsed)
		}
		calls := callGraph(t, fset, gc, p.ImportPath, files)
		for function := range bounded[name] {
			if !calls.leadsBack(function) {
				t.Errorf("%s: %s does not lead back to itself any more: take it off the list", name, function)
			}
		}
		for function := range bounded[name] {
			delete(calls, function)
		}
		for _, cycle := range calls.cycles() {
			t.Errorf("%s: these call each other, and nothing says what ends that: %s", name, strings.Join(cycle, ", "))
		}
	}
}

func TestRecursionIsSeen(t *testing.T) {
	const source = `package x
type T struct{}
type I interface{ m() }
func a() { b() }
func b() { for _, f := range []func(){ a } { f() } }
func (T) m() { var i I; i.m() }
func own() { func() { own() }() }
func plain() { a(); T{}.m() }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	calls := callGraph(t, fset, nil, module+"/x", []*ast.File{file})
	var got []string
	for _, cycle := range calls.cycles() {
		got = append(got, strings.Join(cycle, " "))
	}
	slices.Sort(got)
	if want := []string{"T.m", "a b", "own"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if calls.leadsBack("plain") || !calls.leadsBack("a") {
		t.Error("what leads back to itself is not told from what does not")
	}
}

// graph says which functions and tables of a package name which others. What is named may be called.
type graph map[string][]string

func callGraph(t *testing.T, fset *token.FileSet, imp types.Importer, path string, files []*ast.File) graph {
	t.Helper()
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imp}).Check(path, fset, files, info); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	methods := map[string][]string{} // by their names alone: an interface may stand for any
	declared := map[string]ast.Node{}
	for _, file := range files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				name := nameOf(info.Defs[d.Name])
				declared[name] = d
				if d.Recv != nil {
					methods[d.Name.Name] = append(methods[d.Name.Name], name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, name := range v.Names {
							declared[name.Name] = v
						}
					}
				}
			}
		}
	}
	calls := graph{}
	for from, node := range declared {
		calls[from] = nil
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				calls[from] = append(calls[from], named(info.Uses[id], path, methods)...)
			}
			return true
		})
	}
	return calls
}

// named are the functions and tables of the package that a name may stand for.
func named(object types.Object, path string, methods map[string][]string) []string {
	if object == nil || object.Pkg() == nil || object.Pkg().Path() != path {
		return nil
	}
	switch o := object.(type) {
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return methods[o.Name()]
		}
		return []string{nameOf(o.Origin())}
	case *types.Var:
		if o.Parent() == o.Pkg().Scope() {
			return []string{o.Name()}
		}
	}
	return nil
}

// nameOf is "f", or "T.m" for a method.
func nameOf(object types.Object) string {
	f, ok := object.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return object.Name()
	}
	recv := f.Signature().Recv().Type()
	if pointer, ok := recv.(*types.Pointer); ok {
		recv = pointer.Elem()
	}
	if named, ok := types.Unalias(recv).(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// leadsBack reports whether a function may call itself, however many others are between.
func (g graph) leadsBack(function string) bool { return g.leads(function, function) }

// cycles are the sets of functions that lead to each other.
func (g graph) cycles() [][]string {
	var all [][]string
	done := map[string]bool{}
	for function := range g {
		if done[function] || !g.leadsBack(function) {
			continue
		}
		cycle := []string{}
		for other := range g {
			if other == function || g.leads(function, other) && g.leads(other, function) {
				cycle = append(cycle, other)
				done[other] = true
			}
		}
		slices.Sort(cycle)
		all = append(all, cycle)
	}
	return all
}

// leads reports whether a function may call another, however many are between.
func (g graph) leads(from, to string) bool {
	seen := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, called := range g[next] {
			if called == to {
				return true
			}
			if !seen[called] {
				seen[called] = true
				todo = append(todo, called)
			}
		}
	}
	return false
}
