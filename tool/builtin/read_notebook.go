package builtin

import (
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// maxOutput is how many characters are shown of one output of a cell.
const maxOutput = 4000

// showNotebook shows a notebook by its cells.
func (t *readTool) showNotebook(r io.Reader, name string) (tool.Result, error) {
	content, err := load(r, maxLoad)
	if err != nil {
		return tool.Result{}, err
	}
	book, err := parseNotebook(content)
	if err != nil {
		return tool.Result{}, fmt.Errorf("%w; to see its text all the same read it with offset and limit", err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "A notebook of %d cells; change them with NotebookEdit.\n", len(book.cells))
	shown := 0
	for ; shown < len(book.cells) && out.Len() < maxText; shown++ {
		book.cells[shown].show(&out)
	}
	text := out.String()
	partial := shown < len(book.cells) || len(text) > maxText
	if partial {
		text = strings.ToValidUTF8(text[:min(len(text), maxText)], "") +
			fmt.Sprintf("\n[the rest of %d cells is left out; read the text of the file with offset and limit]\n", len(book.cells))
	}
	t.files.See(Sight{Path: name, Digest: Digest(content), Partial: partial})
	return tool.Result{Text: text, Outcome: tool.Succeeded, Data: data(map[string]any{
		"type": "notebook", "file": map[string]any{"filePath": name, "cells": book.forPrograms(shown)},
	})}, nil
}

func (c *cell) show(out *strings.Builder) {
	fmt.Fprintf(out, "\n[cell %s, %s]\n%s\n", c.id, c.kind, c.source)
	for output := range c.member("outputs").Elements() {
		text := shownOutput(output)
		if start, rest := firstRunes(text, maxOutput); rest > 0 {
			text = fmt.Sprintf("%s [%d bytes are left out]", start, rest)
		}
		fmt.Fprintf(out, "[output]\n%s\n", strings.TrimRight(text, "\n"))
	}
}

// shownOutput is an output as text: what was printed, the value, or the error.
func shownOutput(output strictjson.Node) string {
	if text := memberOf(output, "text"); text.Kind != 0 {
		return plain(joinedText(text))
	}
	if name := memberOf(output, "ename"); name.Kind != 0 {
		return plain(name.Text() + ": " + memberOf(output, "evalue").Text())
	}
	var other []string
	for _, m := range memberOf(output, "data").Members() {
		if m.Name.Text() == "text/plain" {
			return plain(joinedText(m.Value))
		}
		other = append(other, m.Name.Text())
	}
	return plain("(" + strings.Join(other, ", ") + ")")
}

// forPrograms are the cells as hosts expect them.
func (b *notebook) forPrograms(most int) []any {
	cells := []any{}
	for _, c := range b.cells[:most] {
		cells = append(cells, map[string]any{"cell_id": c.id, "cellType": c.kind, "source": c.source})
	}
	return cells
}
