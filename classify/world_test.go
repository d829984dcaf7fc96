package classify_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

const (
	home    = "/home/dev"
	project = "/home/dev/proj"
)

// world is a place in auto mode to judge calls in.
type world struct {
	t      testing.TB
	engine *permission.Engine
	ctx    *permission.Context
	links  permission.Links
}

// linkMap is a file system in which only these are links, and nothing else is.
type linkMap map[string]string

func (m linkMap) Readlink(path string) (string, error) { return m[path], nil }

func (m linkMap) List(dir string, _ int) (found permission.Listing, _ error) {
	for path := range m {
		rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
		switch name, _, below := strings.Cut(rest, "/"); {
		case !ok:
		case !below:
			found.Links = append(found.Links, name)
		case !slices.Contains(found.Dirs, name):
			found.Dirs = append(found.Dirs, name)
		}
	}
	found.Read = len(found.Links) + len(found.Dirs)
	return found, nil
}

type tools struct{ *tool.Set }

func (s tools) Lookup(name string) (permission.Tool, bool) {
	if strings.HasPrefix(name, "mcp__") {
		return mcpTool(name), true
	}
	return s.Set.Lookup(name)
}

type mcpTool string

func (m mcpTool) Name() string        { return string(m) }
func (mcpTool) Kind() permission.Kind { return permission.Other }
func (mcpTool) Subject() string       { return "" }
func (mcpTool) Decode(input []byte) (v map[string]any, err error) {
	return v, strictjson.Unmarshal(input, &v)
}

func newWorld(t testing.TB, links linkMap) *world {
	t.Helper()
	if links == nil {
		return newWorldOn(t, permission.NoLinks{})
	}
	return newWorldOn(t, links)
}

// newWorldOn is a world with this file system.
func newWorldOn(t testing.TB, links permission.Links) *world {
	t.Helper()
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, links: links}
	w.engine = permission.NewEngine(tools{set}, w.links)
	w.ctx, err = permission.NewContext(permission.Config{
		Mode: permission.Auto, Cwd: project, Home: home,
		Directories: []permission.Directory{{Path: "/srv/more", Source: rule.Session}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// question is a call as it reaches a classifier; ok is false for invalid input.
func (w *world) question(name string, input map[string]any) (classify.Question, bool) {
	w.t.Helper()
	data, err := strictjson.Marshal(input)
	if err != nil {
		return classify.Question{}, false
	}
	call, err := w.engine.Validate(w.ctx, permission.Request{Tool: name, Input: data})
	if err != nil {
		return classify.Question{}, false
	}
	return classify.Question{Call: call, Decision: w.engine.Decide(w.ctx, call), Input: data, Context: w.ctx}, true
}

func (w *world) bash(command string) (classify.Question, bool) {
	w.t.Helper()
	return w.question("Bash", map[string]any{"command": command})
}

// builtin is what the built-in classifier says, with and without knowing what the
// engine has decided.
func (w *world) builtin(q classify.Question) (informed, alone classify.Verdict) {
	w.t.Helper()
	b := classify.Builtin{Links: w.links}
	informed, err := b.Classify(context.Background(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	q.Decision = permission.Decision{}
	if alone, err = b.Classify(context.Background(), q); err != nil {
		w.t.Fatal(err)
	}
	return informed, alone
}

// row is a labelled command of the corpus.
type row struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Expect  string `json:"expect"`
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	file, err := os.Open("../testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []row
	for line, err := range strictjson.Lines(file, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		if len(line.Data) == 0 {
			continue
		}
		var r row
		if err := strictjson.Unmarshal(line.Data, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) < 100 {
		t.Fatalf("%s has only %d rows", name, len(rows))
	}
	return rows
}
