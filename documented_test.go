package assent_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestSurface_IsDocumented: whoever can use a name can read what it is for, in the root and
// in every package whose types it hands out.
func TestSurface_IsDocumented(t *testing.T) {
	s := newSurface(loaded(t))
	for _, p := range s.packages() {
		files := s.source.syntax[p.Path()]
		asked := askedFor(files)
		for _, file := range files {
			for _, decl := range file.Decls {
				for _, name := range undocumented(decl, asked) {
					t.Errorf("%s: %s.%s has no comment", s.source.files.Position(decl.Pos()), p.Name(), name)
				}
			}
		}
	}
}

// askedFor are the methods that the interfaces of a package describe: whoever has one need
// not describe it again. Those of the standard library are known to everybody.
func askedFor(files []*ast.File) []string {
	names := []string{"Error", "String", "Unwrap", "MarshalJSON", "UnmarshalJSON"}
	for _, file := range files {
		for node := range ast.Preorder(file) {
			face, ok := node.(*ast.InterfaceType)
			if !ok {
				continue
			}
			for _, m := range face.Methods.List {
				for _, name := range m.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// undocumented are the exported names of a declaration that say nothing about themselves. A
// comment above a group speaks for all of it.
func undocumented(decl ast.Decl, askedFor []string) []string {
	var names []string
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && receiverExported(d) && d.Doc == nil && (d.Recv == nil || !slices.Contains(askedFor, d.Name.Name)) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			names = append(names, undocumentedSpec(spec, d)...)
		}
	}
	return names
}

func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	name, ok := t.(*ast.Ident)
	return ok && name.IsExported()
}

func undocumentedSpec(spec ast.Spec, group *ast.GenDecl) []string {
	var names []string
	switch sp := spec.(type) {
	case *ast.TypeSpec:
		if sp.Name.IsExported() && sp.Doc == nil && group.Doc == nil {
			names = append(names, sp.Name.Name)
		}
		if sp.Name.IsExported() {
			names = append(names, undocumentedMethods(sp)...)
		}
	case *ast.ValueSpec:
		for _, name := range sp.Names {
			if name.IsExported() && sp.Doc == nil && sp.Comment == nil && group.Doc == nil {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// undocumentedMethods are those of an interface. One comment may speak for several methods,
// and that of the type for the only one.
func undocumentedMethods(sp *ast.TypeSpec) []string {
	face, ok := sp.Type.(*ast.InterfaceType)
	if !ok || face.Methods.NumFields() < 2 {
		return nil
	}
	var names []string
	described := false
	for _, m := range face.Methods.List {
		described = described || m.Doc != nil
		for _, name := range m.Names {
			if name.IsExported() && !described {
				names = append(names, sp.Name.Name+"."+name.Name)
			}
		}
	}
	return names
}

// The guide can be followed: every name in it is there.
func TestSurface_TheGuideNamesWhatIsThere(t *testing.T) {
	src := loaded(t)
	root := src.packages[module]
	var guide string
	for _, file := range src.syntax[module] {
		if file.Doc != nil {
			guide += file.Doc.Text()
		}
	}
	for _, heading := range []string{"First query", "Decide yourself", "Hooks", "Tools of your own", "Several prompts", "Wait for a decision", "An external program", "Errors", "Where state lies", "Concurrency"} {
		if !strings.Contains(guide, "# "+heading) {
			t.Errorf("the guide has no section %q", heading)
		}
	}
	names := strings.FieldsFunc(guide, func(r rune) bool { return r != '.' && !token.IsIdentifier("a"+string(r)) })
	checked := 0
	for _, word := range names {
		name, ok := strings.CutPrefix(word, "assent.")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, ".")
		checked++
		if token.IsExported(name) && root.Scope().Lookup(name) == nil {
			t.Errorf("the guide speaks of assent.%s, which is not there", name)
		}
	}
	if checked < 20 {
		t.Errorf("the guide names only %d things: %s", checked, fmt.Sprint(names))
	}
}
