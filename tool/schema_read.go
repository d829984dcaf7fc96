package tool

import (
	"fmt"
	"strconv"

	"github.com/assent-dev/assent/internal/strictjson"
)

// readSchema reads the text of a schema. A keyword that is not listed here is
// refused, so a constraint is never silently ignored. It goes through the text by
// hand: filling a struct by reflection takes longer than all the rest of a decision
// in a process that makes one.
func readSchema(text []byte) (*schema, error) {
	root, err := strictjson.Tree(text)
	if err != nil {
		return nil, err
	}
	var r schemaReader
	s := r.schema(root)
	return s, r.fault
}

// schemaReader remembers the first fault.
type schemaReader struct{ fault error }

func (r *schemaReader) fail(format string, values ...any) {
	if r.fault == nil {
		r.fault = fmt.Errorf(format, values...)
	}
}

// want reports whether the node is of a kind, and fails if it is not.
func (r *schemaReader) want(n strictjson.Node, kind byte, keyword string) bool {
	if n.Kind != kind {
		r.fail("%s: want %s", keyword, map[byte]string{'{': "an object", '[': "a list", '"': "a string", '0': "a number"}[kind])
		return false
	}
	return true
}

func (r *schemaReader) schema(n strictjson.Node) *schema {
	s := &schema{}
	if !r.want(n, '{', "a schema") {
		return s
	}
	for _, m := range n.Members() {
		r.keyword(s, m.Name.Text(), m.Value)
	}
	return s
}

func (r *schemaReader) keyword(s *schema, name string, n strictjson.Node) {
	switch name {
	case "type":
		s.kind = r.string(n, name)
	case "format":
		s.format = r.string(n, name)
	case "properties":
		s.properties = r.properties(n)
	case "required":
		s.required = r.strings(n, name)
	case "enum":
		s.enum = r.strings(n, name)
	case "additionalProperties":
		s.additional = r.additional(n)
	case "items":
		s.items = r.schema(n)
	case "minItems":
		s.minItems = int(r.number(n, name))
	case "maxItems":
		most := int(r.number(n, name))
		s.maxItems = &most
	case "minLength":
		s.minLength = int(r.number(n, name))
	case "minimum":
		least := r.number(n, name)
		s.minimum = &least
	case "maximum":
		most := r.number(n, name)
		s.maximum = &most
	case "$schema", "title", "description":
		r.string(n, name) // for people and models
	default:
		r.fail("unknown key %q", name)
	}
}

func (r *schemaReader) string(n strictjson.Node, keyword string) string {
	r.want(n, '"', keyword)
	return n.Text()
}

func (r *schemaReader) strings(n strictjson.Node, keyword string) []string {
	var all []string
	if r.want(n, '[', keyword) {
		for e := range n.Elements() {
			all = append(all, r.string(e, keyword))
		}
	}
	return all
}

func (r *schemaReader) number(n strictjson.Node, keyword string) float64 {
	if !r.want(n, '0', keyword) {
		return 0
	}
	value, err := strconv.ParseFloat(n.Raw(), 64)
	if err != nil {
		r.fail("%s: %w", keyword, err)
	}
	return value
}

func (r *schemaReader) properties(n strictjson.Node) map[string]*schema {
	all := make(map[string]*schema)
	if r.want(n, '{', "properties") {
		for _, m := range n.Members() {
			name := m.Name.Text()
			if m.Value.Kind == 'n' {
				r.fail("property %q has no schema", name)
			}
			all[name] = r.schema(m.Value)
		}
	}
	return all
}

// additional reads true, false or a schema.
func (r *schemaReader) additional(n strictjson.Node) additional {
	switch n.Kind {
	case 't':
		return additional{given: true}
	case 'f':
		return additional{given: true, closed: true}
	}
	return additional{given: true, each: r.schema(n)}
}
