package builtin

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
)

// cellEdit is what a call asks for. After apply it is complete: the mode, the id and the
// kind are those that were meant.
type cellEdit struct{ mode, id, kind, source string }

func (e *cellEdit) done() string {
	switch e.mode {
	case "insert":
		return "inserted"
	case "delete":
		return "deleted"
	}
	return "replaced"
}

// apply makes the change in the text of a notebook.
func (e *cellEdit) apply(text string) (string, error) {
	b, err := parseNotebook([]byte(text))
	if err != nil {
		return "", err
	}
	at := -1
	if e.id != "" {
		if at, err = b.find(e.id); err != nil {
			return "", err
		}
	}
	switch {
	case e.mode == "insert" && e.kind == "":
		return "", errors.New("to insert a cell, say its cell_type: code or markdown")
	case e.mode == "insert":
		text = b.insert(at, e)
	case at < 0:
		return "", errors.New("say which cell: cell_id is missing; Read shows the ids")
	case e.mode == "delete":
		e.kind = b.cells[at].kind
		text = b.delete(at)
	default:
		e.mode = "replace"
		text = b.replace(at, e)
	}
	// What others could not read is never written.
	if _, err := parseNotebook([]byte(text)); err != nil {
		return "", fmt.Errorf("the change would break the notebook: %w", err)
	}
	return text, nil
}

func (b *notebook) splice(from, to int, with string) string {
	return b.text[:from] + with + b.text[to:]
}

func (b *notebook) delete(at int) string {
	switch {
	case len(b.cells) == 1:
		return b.splice(b.list.Start(), b.list.End(), "[]")
	case at == len(b.cells)-1:
		return b.splice(b.cells[at-1].node.End(), b.cells[at].node.End(), "")
	}
	return b.splice(b.cells[at].node.Start(), b.cells[at+1].node.Start(), "")
}

// insert puts a new cell behind another one, or at the beginning.
func (b *notebook) insert(after int, e *cellEdit) string {
	fields := []jsonField{{"cell_type", b.style.text(e.kind)}}
	if e.id = numbered(after + 1); b.ids {
		e.id = b.newID()
		fields = append(fields, jsonField{"id", b.style.text(e.id)})
	}
	fields = append(fields, jsonField{"metadata", "{}"}, jsonField{"source", b.style.lines(e.source, sourceDepth)})
	if e.kind == "code" {
		fields = append(fields, jsonField{"execution_count", "null"}, jsonField{"outputs", "[]"})
	}
	added := b.style.object(fields, cellDepth)
	gap := b.style.line(cellDepth)
	switch {
	case len(b.cells) == 0:
		return b.splice(b.list.Start(), b.list.End(), "["+gap+added+b.style.line(cellDepth-1)+"]")
	case after < 0:
		first := b.cells[0].node.Start()
		return b.splice(first, first, added+","+gap)
	}
	end := b.cells[after].node.End()
	return b.splice(end, end, ","+gap+added)
}

// newID is a name that no cell has.
func (b *notebook) newID() string {
	for {
		var random [4]byte
		_, _ = rand.Read(random[:]) // it never fails
		id := hex.EncodeToString(random[:])
		if _, err := b.find(id); err != nil {
			return id
		}
	}
}

// replace gives a cell another source. What the old one has computed goes with it.
func (b *notebook) replace(at int, e *cellEdit) string {
	c := b.cells[at]
	e.id = c.id
	if e.kind == "" {
		e.kind = c.kind
	}
	values := map[string]string{"source": b.style.lines(e.source, sourceDepth)}
	if c.member("source").Kind == '"' {
		values["source"] = b.style.text(e.source)
	}
	if e.kind == "code" {
		values["outputs"], values["execution_count"] = "[]", "null"
	}
	if e.kind == c.kind && (e.kind != "code" || c.member("outputs").Kind != 0 && c.member("execution_count").Kind != 0) {
		return b.setValues(c, values)
	}
	values["cell_type"] = b.style.text(e.kind)
	return b.splice(c.node.Start(), c.node.End(), b.rewritten(c, values, e.kind))
}

// setValues changes members that are there, and nothing between them.
func (b *notebook) setValues(c *cell, values map[string]string) string {
	text, done := "", 0
	for _, m := range c.node.Members() {
		if value, ok := values[m.Name.Text()]; ok {
			text += b.text[done:m.Value.Start()] + value
			done = m.Value.End()
		}
	}
	return text + b.text[done:]
}

// rewritten is a cell that becomes one of another kind, which has other members.
func (b *notebook) rewritten(c *cell, values map[string]string, kind string) string {
	var fields []jsonField
	for _, m := range c.node.Members() {
		name := m.Name.Text()
		value, changed := values[name]
		delete(values, name)
		switch {
		case kind != "code" && (name == "outputs" || name == "execution_count"):
		case changed:
			fields = append(fields, jsonField{name, value})
		default:
			fields = append(fields, jsonField{name, m.Value.Raw()})
		}
	}
	for _, name := range []string{"execution_count", "outputs"} {
		if value, missing := values[name]; missing {
			fields = append(fields, jsonField{name, value})
		}
	}
	return b.style.object(fields, cellDepth)
}

const (
	cellDepth   = 2 // of a cell in the notebook
	sourceDepth = 3 // of its members
)
