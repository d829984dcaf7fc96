package settings

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/assent-dev/assent/rule"
)

// This file puts new values where a person would have put them. The patch library
// keeps comments but adds values without any blank.

func newEdit(p *places, dest rule.Source, text []byte) (*edit, error) {
	e := &edit{places: p, dest: dest, eol: "\n", unit: "  "}
	if ends := bytes.Count(text, []byte("\r\n")); ends > 0 && ends == bytes.Count(text, []byte("\n")) {
		e.eol = "\r\n"
	}
	// The parser keeps parts of its input, and a // comment must end in a line break.
	text = bytes.Clone(text)
	if e.addedEOL = !bytes.HasSuffix(text, []byte("\n")); e.addedEOL {
		text = append(text, '\n')
	}
	var err error
	if e.root, err = hujson.Parse(text); err != nil {
		return nil, err
	}
	if indent, ok := indentation(e.members()); ok && indent != "" {
		e.unit = indent
	}
	return e, nil
}

func (e *edit) pack() []byte {
	out := e.root.Pack()
	if e.addedEOL {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if e.eol == "\r\n" {
		// Strings hold no line breaks, so every one of them is layout.
		out = bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	return out
}

// level is how the values of one object or list are laid out.
type level struct {
	indent string
	lines  bool // each value on its own line
}

// inside is the level of what has the given extras before its values, within
// outer.
func (e *edit) inside(outer level, before []hujson.Extra) level {
	if len(before) == 0 {
		return level{indent: outer.indent + e.unit, lines: outer.lines}
	}
	indent, lines := indentation(before)
	return level{indent: indent, lines: lines}
}

// indentation finds what stands before a value that starts a line.
func indentation(before []hujson.Extra) (indent string, ok bool) {
	for _, extra := range before {
		if i := bytes.LastIndexByte(extra, '\n'); i >= 0 {
			last := string(extra[i+1:])
			return last[:len(last)-len(strings.TrimLeft(last, " \t"))], true
		}
	}
	return "", false
}

func (e *edit) members() []hujson.Extra { return before(e.root.Value.(*hujson.Object)) }

func before(o *hujson.Object) []hujson.Extra {
	var all []hujson.Extra
	for _, m := range o.Members {
		all = append(all, m.Name.BeforeExtra)
	}
	return all
}

func (e *edit) rootLevel() level {
	if members := e.members(); len(members) > 0 {
		return e.inside(level{}, members)
	}
	return level{indent: e.unit, lines: true}
}

func (e *edit) permissions() *hujson.Object {
	v := e.root.Find("/permissions")
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

func (e *edit) permissionsLevel() level { return e.inside(e.rootLevel(), before(e.permissions())) }

func (e *edit) listLevel(list *hujson.Array) level {
	var extras []hujson.Extra
	for _, v := range list.Elements {
		extras = append(extras, v.BeforeExtra)
	}
	return e.inside(e.permissionsLevel(), extras)
}

// ensurePermissions makes sure that there is an object to write into.
func (e *edit) ensurePermissions() error {
	if e.permissions() != nil {
		return nil
	}
	l := e.rootLevel()
	if err := e.do(operation{Op: "add", Path: "/permissions", Value: map[string]any{}}); err != nil {
		return err
	}
	e.layMember(e.root.Value.(*hujson.Object), l, level{})
	return nil
}

// ensureList makes sure that permissions has the list key.
func (e *edit) ensureList(key string) (*hujson.Array, error) {
	if list := e.list(key); list != nil {
		return list, nil
	}
	if err := e.ensurePermissions(); err != nil {
		return nil, err
	}
	if err := e.setMember(key, []string{}); err != nil {
		return nil, err
	}
	return e.list(key), nil
}

// setMember sets a member of permissions.
func (e *edit) setMember(key string, value any) error {
	l, n := e.permissionsLevel(), len(e.permissions().Members)
	if err := e.do(operation{Op: "add", Path: "/permissions/" + key, Value: value}); err != nil {
		return err
	}
	if o := e.permissions(); len(o.Members) > n {
		e.layMember(o, l, e.rootLevel())
	}
	return nil
}

// layMember lays out the member that was appended to o.
func (e *edit) layMember(o *hujson.Object, l, outer level) {
	i := len(o.Members) - 1
	e.lay(&o.Members[i].Name.BeforeExtra, i, l)
	o.Members[i].Value.BeforeExtra = hujson.Extra(" ")
	e.close(&o.AfterExtra, l, outer)
}

func (e *edit) insert(key string, i int, text string) error {
	l := e.listLevel(e.list(key))
	if err := e.do(operation{Op: "add", Path: at(key, i), Value: text}); err != nil {
		return err
	}
	list := e.list(key)
	e.layElement(list, i, l)
	e.close(&list.AfterExtra, l, e.permissionsLevel())
	return nil
}

func (e *edit) move(key string, from, to int) error {
	l := e.listLevel(e.list(key))
	if err := e.do(operation{Op: "move", From: at(key, from), Path: at(key, to)}); err != nil {
		return err
	}
	e.layElement(e.list(key), to, l)
	return nil
}

// layElement lays out element i, and the one that it pushed away from the bracket.
func (e *edit) layElement(list *hujson.Array, i int, l level) {
	e.lay(&list.Elements[i].BeforeExtra, i, l)
	if i == 0 && len(list.Elements) > 1 && len(list.Elements[1].BeforeExtra) == 0 {
		e.lay(&list.Elements[1].BeforeExtra, 1, l)
	}
}

func (e *edit) remove(key string, i int) error {
	first := slices.Clone(e.list(key).Elements[0].BeforeExtra)
	if err := e.do(operation{Op: "remove", Path: at(key, i)}); err != nil {
		return err
	}
	list := e.list(key)
	switch {
	case len(list.Elements) == 0 && list.AfterExtra.IsStandard():
		list.AfterExtra = nil
	case len(list.Elements) > 0 && i == 0 && list.Elements[0].BeforeExtra.IsStandard() && first.IsStandard():
		list.Elements[0].BeforeExtra = first
	}
	return nil
}

// lay puts value i, which has at most comments before it, onto its line.
func (e *edit) lay(extra *hujson.Extra, i int, l level) {
	lastLine := bytes.LastIndexByte(*extra, '\n') + 1
	switch {
	case lastLine > 0 && hujson.Extra((*extra)[lastLine:]).IsStandard():
		*extra = append((*extra)[:lastLine:lastLine], l.indent...)
	case l.lines:
		*extra = append(*extra, e.eol+l.indent...)
	case i > 0:
		*extra = append(*extra, ' ')
	}
	// A comment that moved along has lost its indentation.
	*extra = bytes.ReplaceAll(*extra, []byte("\n/"), []byte("\n"+l.indent+"/"))
}

// close puts the closing bracket onto a line of its own when the values are.
func (e *edit) close(extra *hujson.Extra, l, outer level) {
	if l.lines && !bytes.Contains(*extra, []byte("\n")) {
		*extra = append(*extra, e.eol+outer.indent...)
	}
}
