package foreign

import "github.com/assent-dev/assent/internal/strictjson"

// node is a value and its place in the text.
type node struct {
	kind       byte // the first character, 0 for no value at all
	start, end int
	items      []item // of an object or a list
}

// item is an element of a list or, with a name, a member of an object.
type item struct {
	start int // that of the name, if there is one
	name  string
	value node
}

func newNode(n strictjson.Node) node {
	out := node{kind: n.Kind, start: n.Start(), end: n.End()}
	for _, m := range n.Members() {
		out.items = append(out.items, item{start: m.Name.Start(), name: m.Name.Text(), value: newNode(m.Value)})
	}
	for e := range n.Elements() {
		out.items = append(out.items, item{start: e.Start(), value: newNode(e)})
	}
	return out
}

// member finds a member of an object by its name; index is -1 if there is none.
func (n node) member(name string) (value node, index int) {
	if n.kind == '{' {
		for i, m := range n.items {
			if m.name == name {
				return m.value, i
			}
		}
	}
	return node{}, -1
}

// elements are those of a list.
func (n node) elements() []node {
	if n.kind != '[' {
		return nil
	}
	var all []node
	for _, e := range n.items {
		all = append(all, e.value)
	}
	return all
}
