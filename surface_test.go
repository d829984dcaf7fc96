package assent_test

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSurface_IsTheRecordedOne: what a program can use is written down in api.txt, so that
// a change of it is seen by whoever reviews. UPDATE=1 writes it anew.
func TestSurface_IsTheRecordedOne(t *testing.T) {
	const file = "api.txt"
	s := newSurface(loaded(t))
	text := strings.Join(s.lines(), "\n") + "\n"
	if strings.Contains(text, "invalid type") {
		t.Error("a public name needs a package that standard does not hold; of another module none should")
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, after := lineSet(string(recorded)), lineSet(text)
	for _, line := range slices.Sorted(maps.Keys(before)) {
		if !after[line] {
			t.Errorf("gone:  %s", line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(after)) {
		if !before[line] {
			t.Errorf("new:   %s", line)
		}
	}
	if t.Failed() {
		t.Log("if that is meant to be: UPDATE=1 go test . -run TestSurface")
	}
}

func lineSet(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		set[strings.TrimSpace(line)] = true
	}
	return set
}

// surface is what a program can name or reach from the root package: the types of the
// module in its signatures, theirs in turn, what fits an interface among them, and the
// constants and constructors of each.
type surface struct {
	source *source
	types  map[*types.TypeName]bool
	queue  []*types.TypeName
}

func newSurface(src *source) *surface {
	s := &surface{source: src, types: map[*types.TypeName]bool{}}
	root := src.packages[module].Scope()
	for _, name := range root.Names() {
		if object := root.Lookup(name); object.Exported() {
			s.reach(object.Type())
		}
	}
	for len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.expand(next)
	}
	return s
}

// reach finds the types of the module in a type.
func (s *surface) reach(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		s.reach(t.Rhs())
	case *types.Named:
		name := t.Obj()
		if name.Pkg() != nil && strings.HasPrefix(name.Pkg().Path(), module) && name.Exported() && !s.types[name] {
			s.types[name] = true
			s.queue = append(s.queue, name)
		}
		for i := range t.TypeArgs().Len() {
			s.reach(t.TypeArgs().At(i))
		}
	case *types.Pointer:
		s.reach(t.Elem())
	case *types.Slice:
		s.reach(t.Elem())
	case *types.Array:
		s.reach(t.Elem())
	case *types.Chan:
		s.reach(t.Elem())
	case *types.Map:
		s.reach(t.Key())
		s.reach(t.Elem())
	case *types.Signature:
		for _, v := range slices.Concat(vars(t.Params()), vars(t.Results())) {
			s.reach(v.Type())
		}
		for i := range t.TypeParams().Len() {
			s.reach(t.TypeParams().At(i).Constraint())
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if t.Field(i).Exported() {
				s.reach(t.Field(i).Type())
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			s.reach(t.Method(i).Type())
		}
	}
}

func vars(tuple *types.Tuple) []*types.Var {
	var all []*types.Var
	for i := range tuple.Len() {
		all = append(all, tuple.At(i))
	}
	return all
}

// expand finds what belongs to a type.
func (s *surface) expand(name *types.TypeName) {
	s.reach(name.Type().Underlying())
	for _, m := range methods(name) {
		s.reach(m.Type())
	}
	face, ok := name.Type().Underlying().(*types.Interface)
	if !ok || face.NumMethods() == 0 {
		return
	}
	scope := name.Pkg().Scope()
	for _, other := range scope.Names() {
		candidate, ok := scope.Lookup(other).(*types.TypeName)
		if ok && candidate.Exported() && (types.Implements(candidate.Type(), face) || types.Implements(types.NewPointer(candidate.Type()), face)) {
			s.reach(candidate.Type())
		}
	}
}

// methods are the exported ones, of the type and of a pointer to it.
func methods(name *types.TypeName) []*types.Func {
	if _, ok := name.Type().Underlying().(*types.Interface); ok {
		return nil
	}
	var all []*types.Func
	set := types.NewMethodSet(types.NewPointer(name.Type()))
	for i := range set.Len() {
		if f := set.At(i).Obj().(*types.Func); f.Exported() {
			all = append(all, f)
		}
	}
	return all
}

// packages are those of the surface, the root first.
func (s *surface) packages() []*types.Package {
	set := map[*types.Package]bool{s.source.packages[module]: true}
	for name := range s.types {
		set[name.Pkg()] = true
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
}

// lines is the surface as text.
func (s *surface) lines() []string {
	var all []string
	for _, p := range s.packages() {
		all = append(all, "", "package "+p.Name()+" // "+p.Path(), "")
		scope := p.Scope()
		for _, name := range scope.Names() {
			if object := scope.Lookup(name); object.Exported() && s.has(object) {
				all = append(all, s.describe(object)...)
			}
		}
	}
	return all[1:]
}

// has: a name is part of the surface. Of packages beside the root these are types that
// can be reached, their constants, and what makes them.
func (s *surface) has(object types.Object) bool {
	_, isType := object.(*types.TypeName)
	switch path := object.Pkg().Path(); {
	case path == module:
		return true
	case internal(path) && !isType: // a program has their types, and no way to name the rest
		return false
	}
	switch object := object.(type) {
	case *types.TypeName:
		return s.types[object]
	case *types.Const, *types.Var:
		named, ok := object.Type().(*types.Named)
		return ok && s.types[named.Obj()]
	case *types.Func:
		results := object.Signature().Results()
		if results.Len() == 0 {
			return false
		}
		named, ok := results.At(0).Type().(*types.Named)
		return ok && s.types[named.Obj()]
	}
	return false
}

func internal(path string) bool { return strings.Contains(path, "/internal/") }

func (s *surface) describe(object types.Object) []string {
	near := func(p *types.Package) string { // as a program writes it
		if p == object.Pkg() {
			return ""
		}
		return p.Name()
	}
	line := types.ObjectString(object, near)
	name, ok := object.(*types.TypeName)
	if !ok {
		return []string{strings.TrimSpace(line)}
	}
	if name.IsAlias() {
		return []string{line}
	}
	head, rest := "type "+name.Name()+" ", []string{}
	switch under := name.Type().Underlying().(type) {
	case *types.Struct:
		head += "struct"
		for i := range under.NumFields() {
			if f := under.Field(i); f.Exported() {
				rest = append(rest, fmt.Sprintf("\t%s.%s %s", name.Name(), f.Name(), types.TypeString(f.Type(), near)))
			}
		}
	case *types.Interface:
		head += "interface"
		for i := range under.NumMethods() {
			m := under.Method(i)
			rest = append(rest, fmt.Sprintf("\t%s.%s%s", name.Name(), m.Name(), strings.TrimPrefix(types.TypeString(m.Type(), near), "func")))
		}
	default:
		head += types.TypeString(under, near)
	}
	for _, m := range methods(name) {
		rest = append(rest, "\t"+types.ObjectString(m, near))
	}
	return append([]string{head}, rest...)
}
