//go:build unix

package builtin

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

const book = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "calc",
   "metadata": {"odd" : 1.50},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["42\n"]},
    {"data": {"image/png": "aGk="}, "output_type": "display_data"},
    {"ename": "ValueError", "evalue": "no", "output_type": "error", "traceback": []}
   ],
   "source": "print(6*7)"
  },
  {"cell_type": "raw", "metadata": {}, "source": []}
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestRead_Notebook(t *testing.T) {
	root := tree(t, files{"b.ipynb": book})
	box := newToolbox()
	want := "A notebook of 3 cells; change them with NotebookEdit.\n" +
		"\n[cell intro, markdown]\n# Title\ntext\n" +
		"\n[cell calc, code]\nprint(6*7)\n[output]\n42\n[output]\n(image/png)\n[output]\nValueError: no\n" +
		"\n[cell cell-2, raw]\n\n"
	if got := runTool(t, box.read, root, input{"file_path": "b.ipynb"}); got != want {
		t.Errorf("%q", got)
	}
	if got := runTool(t, box.read, root, input{"file_path": "b.ipynb", "offset": 2, "limit": 1}); !strings.HasPrefix(got, "     2\t \"cells\": [\n") {
		t.Errorf("%q", got)
	}
}

func TestNotebookEdit_Apply(t *testing.T) {
	for _, tt := range []struct {
		name     string
		edit     cellEdit
		from, to string // what is replaced in the text
	}{
		{
			"replace lines",
			cellEdit{id: "intro", source: "one\ntwo\n"},
			`"# Title\n",` + "\n    " + `"text"`, `"one\n",` + "\n    " + `"two\n"`,
		},
		{
			"replace with nothing",
			cellEdit{id: "intro", mode: "replace"},
			"[\n    \"# Title\\n\",\n    \"text\"\n   ]", "[]",
		},
		{
			"insert at the beginning",
			cellEdit{mode: "insert", kind: "markdown", source: "hi \"x\""},
			"\"cells\": [\n  {", "\"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"id\": \"ID\",\n   \"metadata\": {},\n   \"source\": [\n    \"hi \\\"x\\\"\"\n   ]\n  },\n  {",
		},
		{
			"insert behind",
			cellEdit{mode: "insert", kind: "code", id: "cell-2"},
			`"source": []}`, `"source": []},` + "\n  {\n   \"cell_type\": \"code\",\n   \"id\": \"ID\",\n   \"metadata\": {},\n   \"source\": [],\n   \"execution_count\": null,\n   \"outputs\": []\n  }",
		},
		{"delete the last", cellEdit{mode: "delete", id: "cell-2"}, ",\n  {\"cell_type\": \"raw\", \"metadata\": {}, \"source\": []}", ""},
		{"delete the first", cellEdit{mode: "delete", id: "cell-0"}, book[strings.Index(book, "{\n   \"cell_type\": \"markdown"):strings.Index(book, "{\n   \"cell_type\": \"code")], ""},
		{
			"becomes code",
			cellEdit{id: "cell-2", kind: "code", source: "x"},
			`{"cell_type": "raw", "metadata": {}, "source": []}`,
			"{\n   \"cell_type\": \"code\",\n   \"metadata\": {},\n   \"source\": [\n    \"x\"\n   ],\n   \"execution_count\": null,\n   \"outputs\": []\n  }",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.edit.apply(book)
			want := strings.Replace(book, tt.from, strings.ReplaceAll(tt.to, "ID", tt.edit.id), 1)
			if err != nil || got != want || got == book {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// A code cell loses what the old source has computed, and nothing else.
func TestNotebookEdit_Code(t *testing.T) {
	for kind, want := range map[string]string{
		"":         `{"cell_type": "code","execution_count": null,"id": "calc","metadata": {"odd" : 1.50},"outputs": [],"source": "x = 1\ny"}`,
		"markdown": `{"cell_type": "markdown","id": "calc","metadata": {"odd" : 1.50},"source": "x = 1\ny"}`,
	} {
		e := cellEdit{id: "calc", source: "x = 1\ny", kind: kind}
		got, err := e.apply(book)
		if err != nil {
			t.Fatal(err)
		}
		b, err := parseNotebook([]byte(got))
		if err != nil {
			t.Fatal(err)
		}
		cell := strings.NewReplacer("\n   ", "", "\n  }", "}").Replace(b.cells[1].node.Raw())
		if cell != want || e.mode != "replace" || got[:len("{\n \"cells\": [\n  {")] != book[:len("{\n \"cells\": [\n  {")] {
			t.Errorf("%s", cell)
		}
	}
}

func TestNotebookEdit_Refused(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		edit       cellEdit
		words      string
	}{
		{"no JSON", "{", cellEdit{id: "x"}, "it is no notebook: invalid JSON"},
		{"two keys", `{"cells":[],"cells":[]}`, cellEdit{id: "x"}, "occurs twice"},
		{"no cells", `{"worksheets":[]}`, cellEdit{id: "x"}, `no list of "cells"`},
		{"a list", `[]`, cellEdit{id: "x"}, `no list of "cells"`},
		{"format 3", `{"cells":[],"nbformat":3}`, cellEdit{id: "x"}, "only format 4"},
		{"no source", `{"cells":[{"cell_type":"code"}]}`, cellEdit{id: "x"}, "cell 0 has no"},
		{"no such cell", book, cellEdit{id: "none"}, `no cell "none"`},
		{"beyond the end", book, cellEdit{id: "cell-3"}, `no cell "cell-3"`},
		{"which one", book, cellEdit{source: "x"}, "cell_id is missing"},
		{"delete which", book, cellEdit{mode: "delete"}, "cell_id is missing"},
		{"insert what", book, cellEdit{mode: "insert"}, "say its cell_type"},
		{"one name twice", `{"cells":[{"id":"a","cell_type":"raw","source":""},{"id":"a","cell_type":"raw","source":""}]}`, cellEdit{id: "a"}, "two cells are named"},
	} {
		if got, err := tt.edit.apply(tt.text); err == nil || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: %q %v", tt.name, got, err)
		}
	}
}

func TestNotebookEdit(t *testing.T) {
	root := tree(t, files{"b.ipynb": book, "one-line.ipynb": `{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":2}`})
	box := newToolbox()
	in := input{"notebook_path": "b.ipynb", "cell_id": "calc", "new_source": "1"}
	failTool(t, box.notebook, root, in, "read it first")
	runTool(t, box.read, root, input{"file_path": "b.ipynb"})
	r := box.notebook.Run(t.Context(), jobFor(t, box.notebook, root, in))
	path := filepath.Join(root, "b.ipynb")
	if r.Outcome != tool.Succeeded || r.Text != path+": cell calc was replaced." || !strings.Contains(string(r.Data), `"cell_type":"code"`) {
		t.Errorf("%v %q %s", r.Outcome, r.Text, r.Data)
	}
	if !strings.Contains(mustRead(t, path), `"source": "1"`) || box.files.Check(path, Digest([]byte(mustRead(t, path)))) != Current {
		t.Error("not written, or not remembered")
	}
	runTool(t, box.read, root, input{"file_path": "one-line.ipynb"})
	if text := runTool(t, box.notebook, root, input{"notebook_path": "one-line.ipynb", "edit_mode": "insert", "cell_type": "code", "new_source": "a\nb"}); !strings.HasSuffix(text, "cell cell-0 was inserted.") {
		t.Error(text)
	}
	want := `{"cells":[{"cell_type":"code","metadata":{},"source":["a\n","b"],"execution_count":null,"outputs":[]}],"metadata":{},"nbformat":4,"nbformat_minor":2}`
	if got := mustRead(t, filepath.Join(root, "one-line.ipynb")); got != want {
		t.Errorf("%s", got)
	}
	wantInterrupted(t, box.notebook, jobFor(t, box.notebook, root, in))
}

// Whatever is asked of whatever notebook: the result is valid, the cell is what was
// asked for, and the others are as they were to the byte.
func FuzzNotebookEdit(f *testing.F) {
	f.Add(book, "insert", "intro", "code", "x\ny")
	f.Add(book, "replace", "calc", "markdown", "\u2028\"")
	f.Add(book, "delete", "cell-1", "", "")
	f.Add(`{"cells":[{"cell_type":"code","source":["a"]}]}`, "", "cell-0", "", "\r\n")
	f.Fuzz(func(t *testing.T, text, mode, id, kind, source string) {
		before, err := parseNotebook([]byte(text))
		if err != nil {
			return
		}
		e := cellEdit{mode: mode, id: id, kind: kind, source: strings.ToValidUTF8(source, "?")}
		got, err := e.apply(text)
		if err != nil {
			return
		}
		after, err := parseNotebook([]byte(got))
		if err != nil || strictjson.Valid([]byte(got)) != nil {
			t.Fatalf("%v: %s", err, got)
		}
		old, now := before.cells, after.cells
		same := 0
		for same < min(len(old), len(now)) && old[same].node.Raw() == now[same].node.Raw() {
			same++
		}
		tail := 0
		for tail < min(len(old), len(now))-same && old[len(old)-1-tail].node.Raw() == now[len(now)-1-tail].node.Raw() {
			tail++
		}
		if gone, added := len(old)-same-tail, len(now)-same-tail; gone > 1 || added > 1 {
			t.Fatalf("%d cells are gone and %d are new: %s", gone, added, got)
		}
		if e.mode != "delete" {
			if i, err := after.find(e.id); err == nil && after.cells[i].source != e.source {
				t.Fatalf("cell %s has the source %q, want %q", e.id, after.cells[i].source, e.source)
			}
		}
	})
}

// An output that is made to be hard to read does not hold up the reader, and a reader
// that nobody waits for any more ends.
func TestNotebook_LongOutputs(t *testing.T) {
	cellOf := func(outputs string) string {
		return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"cell_type":"code","id":"a","source":"x","metadata":{},"execution_count":1,"outputs":[` + outputs + `]}]}`
	}
	begun, outputs := 500_000, 100_000
	if os.Getenv("ASSENT_SOAK") != "" {
		begun, outputs = 2_000_000, 300_000
	}
	hard := strings.Repeat(`\u001b]`, begun)
	root := tree(t, files{
		"hard.ipynb": cellOf(`{"output_type":"stream","text":"` + hard + `"}`),
		"many.ipynb": cellOf(strings.Repeat(`{"output_type":"stream","text":"0123456789"},`, outputs) + `{"output_type":"stream","text":"last"}`),
	})
	box := newToolbox()
	start := time.Now()
	text := runTool(t, box.read, root, input{"file_path": "hard.ipynb"})
	if len(text) > 10*maxOutput || !strings.Contains(text, "bytes are left out]") {
		t.Errorf("%d bytes are shown, at the end %q", len(text), text[len(text)-100:])
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if text := runTool(t, box.read, root, input{"file_path": "many.ipynb"}); len(text) > maxText+200 || !strings.Contains(text, "the rest of 1 cells is left out") {
		t.Errorf("%d bytes are shown, at the end %q", len(text), text[len(text)-100:])
	}
	book, err := parseNotebook([]byte(mustRead(t, root+"/many.ipynb")))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := book.cells[0].show(ctx, &strings.Builder{}); err != context.Canceled {
		t.Errorf("it went on: %v", err)
	}
}
