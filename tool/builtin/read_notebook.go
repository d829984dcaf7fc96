package builtin

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

const (
	// maxOutput is how many characters are shown of one output of a cell.
	maxOutput = 4000
	// maxRawOutput is how many are looked at for them: colours and such take room, too.
	maxRawOutput = 10 * maxOutput
)

// showNotebook shows a notebook by its cells.
func (t *readTool) showNotebook(ctx context.Context, r io.Reader, name string) (tool.Result, error) {
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
		if err := book.cells[shown].show(ctx, &out); err != nil {
			return tool.Result{}, err
		}
	}
	text := out.String()
	partial := shown < len(book.cells) || len(text) > maxText
	if partial {
		text = strings.ToValidUTF8(text[:min(len(text), maxText)], "") +
			fmt.Sprintf("\n[the rest of %d cells is left out; read the text of the file with offset and limit]\n", len(book.cells))
	}
	t.files.See(Sight{Path: name, Digest: Digest(content), Partial: partial})
	return tool.Result{Text: text, Outcome: tool.Succeeded, Data: data(map[string]any{
		"type": "notebook", "file": map[string]any{"filePath": plainName(name), "cells": book.forPrograms(shown)},
	})}, nil
}

// show adds the cell, or as much of it as is going to be shown.
func (c *cell) show(ctx context.Context, out *strings.Builder) error {
	fmt.Fprintf(out, "\n[cell %s, %s]\n%s\n", c.id, c.kind, c.source)
	for output := range c.member("outputs").Elements() {
		if err := ctx.Err(); err != nil || out.Len() > maxText {
			return err
		}
		text, more := firstRunes(textOf(output), maxRawOutput)
		text, rest := firstRunes(plain(text), maxOutput)
		if rest += more; rest > 0 {
			text = fmt.Sprintf("%s [%d bytes are left out]", text, rest)
		}
		fmt.Fprintf(out, "[output]\n%s\n", withoutEnd(text))
	}
	return nil
}

// textOf is an output as text: what was printed, the value, or the error.
func textOf(output strictjson.Node) string {
	if text := memberOf(output, "text"); text.Kind != 0 {
		return joinedText(text)
	}
	if name := memberOf(output, "ename"); name.Kind != 0 {
		return name.Text() + ": " + memberOf(output, "evalue").Text()
	}
	var other []string
	for _, m := range memberOf(output, "data").Members() {
		if m.Name.Text() == "text/plain" {
			return joinedText(m.Value)
		}
		other = append(other, m.Name.Text())
	}
	return "(" + strings.Join(other, ", ") + ")"
}

// forPrograms are the cells as hosts expect them.
func (b *notebook) forPrograms(most int) []any {
	cells := []any{}
	for _, c := range b.cells[:most] {
		cells = append(cells, map[string]any{"cell_id": c.id, "cellType": c.kind, "source": c.source})
	}
	return cells
}
