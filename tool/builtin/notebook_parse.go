package builtin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// notebook is the text of a notebook and where its cells are. Changes are made in the
// text, so that the rest of it stays as it is to the byte.
type notebook struct {
	text  string
	list  strictjson.Node
	cells []*cell
	// ids: the cells of this version have names of their own.
	ids   bool
	style jsonStyle
}

type cell struct {
	node     strictjson.Node
	id, kind string
	source   string
}

// parseNotebook reads a notebook of format 4, strictly: where two programs could read
// different things nothing is changed.
func parseNotebook(content []byte) (*notebook, error) {
	root, err := strictjson.Tree(content)
	if err != nil {
		return nil, fmt.Errorf("it is no notebook: %w", err)
	}
	list := memberOf(root, "cells")
	switch {
	case list.Kind != '[':
		return nil, errors.New(`it is no notebook that can be changed here: it has no list of "cells" (format 4)`)
	case memberOf(root, "nbformat").Kind != 0 && memberOf(root, "nbformat").Raw() != "4":
		return nil, fmt.Errorf("it is a notebook of format %s; only format 4 is known here", memberOf(root, "nbformat").Raw())
	}
	b := &notebook{text: root.Source(), list: list, style: styleOf(root)}
	for node := range list.Elements() {
		c, err := readCell(node, len(b.cells))
		if err != nil {
			return nil, err
		}
		b.cells = append(b.cells, c)
	}
	minor := memberOf(root, "nbformat_minor")
	b.ids = minor.Kind == '0' && (len(minor.Raw()) > 1 || minor.Raw() >= "5")
	return b, nil
}

func readCell(node strictjson.Node, index int) (*cell, error) {
	c := &cell{node: node, id: memberOf(node, "id").Text(), kind: memberOf(node, "cell_type").Text()}
	source := memberOf(node, "source")
	if c.kind == "" || source.Kind != '"' && source.Kind != '[' {
		return nil, fmt.Errorf(`it is no notebook: cell %d has no "cell_type" or no "source"`, index)
	}
	if c.id == "" {
		c.id = numbered(index)
	}
	c.source = joinedText(source)
	return c, nil
}

// numbered names a cell that has no name of its own.
func numbered(index int) string { return fmt.Sprintf("cell-%d", index) }

// find is the index of a cell.
func (b *notebook) find(id string) (int, error) {
	at := -1
	for i, c := range b.cells {
		if c.id != id {
			continue
		}
		if at >= 0 {
			return 0, fmt.Errorf("two cells are named %q; give one of them another id first", id)
		}
		at = i
	}
	if at >= 0 {
		return at, nil
	}
	for i := range b.cells {
		if numbered(i) == id {
			return i, nil
		}
	}
	return 0, fmt.Errorf("it has no cell %q; Read shows the ids of its cells", id)
}

func (c *cell) member(name string) strictjson.Node { return memberOf(c.node, name) }

// memberOf is the value of a member, or the zero Node.
func memberOf(n strictjson.Node, name string) strictjson.Node {
	for _, m := range n.Members() {
		if m.Name.Text() == name {
			return m.Value
		}
	}
	return strictjson.Node{}
}

// joinedText is a text that may be written as a list of lines.
func joinedText(n strictjson.Node) string {
	if n.Kind == '"' {
		return n.Text()
	}
	var out strings.Builder
	for line := range n.Elements() {
		out.WriteString(line.Text())
	}
	return out.String()
}
