package permission_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

const (
	home    = "/home/dev"
	project = "/home/dev/proj"
)

// world is a small place to decide calls in.
type world struct {
	t      testing.TB
	engine *permission.Engine
	ctx    *permission.Context
}

// lists are rules by behaviour, as in a settings file.
type lists struct{ Allow, Ask, Deny []string }

// newWorld decides with rules of the project's settings.
func newWorld(t testing.TB, rules lists, change ...func(*permission.Config)) *world {
	t.Helper()
	config := permission.Config{Cwd: project, Home: home, Rules: read(t, rule.ProjectSettings, rules)}
	for _, f := range change {
		f(&config)
	}
	ctx, err := permission.NewContext(config)
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, engine: engine(nil), ctx: ctx}
}

func inMode(mode permission.Mode) func(*permission.Config) {
	return func(c *permission.Config) { c.Mode = mode }
}

func engine(links permission.Links) *permission.Engine {
	return permission.NewEngine(tools{}, links)
}

// tools are the built-in ones and every MCP tool.
type tools struct{}

var builtin = func() *tool.Set {
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		panic(err)
	}
	return set
}()

func (tools) Lookup(name string) (permission.Tool, bool) {
	if strings.HasPrefix(name, "mcp__") {
		return mcpTool(name), true
	}
	return builtin.Lookup(name)
}

type mcpTool string

func (m mcpTool) Name() string          { return string(m) }
func (m mcpTool) Kind() permission.Kind { return permission.Other }
func (m mcpTool) Subject() string       { return "" }
func (m mcpTool) Decode(input []byte) (map[string]any, error) {
	var v map[string]any
	return v, json.Unmarshal(input, &v)
}

func read(t testing.TB, source rule.Source, l lists) []rule.Rule {
	t.Helper()
	var out []rule.Rule
	for _, list := range []struct {
		behavior rule.Behavior
		texts    []string
	}{{rule.Allow, l.Allow}, {rule.Ask, l.Ask}, {rule.Deny, l.Deny}} {
		for i, text := range list.texts {
			if r, ok, _ := rule.Read(text, list.behavior, rule.Origin{Source: source, File: "settings.json", Line: i + 1}); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

func (w *world) validate(name string, input any) *permission.Call {
	w.t.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		w.t.Fatal(err)
	}
	call, err := w.engine.Validate(w.ctx, permission.Request{Tool: name, Input: data})
	if err != nil {
		w.t.Fatalf("%s %s: %v", name, data, err)
	}
	return call
}

func (w *world) decide(name string, input any) permission.Decision {
	w.t.Helper()
	return w.engine.Decide(w.ctx, w.validate(name, input))
}

func (w *world) bash(command string) permission.Decision {
	w.t.Helper()
	return w.decide("Bash", map[string]any{"command": command})
}

func (w *world) file(name, path string) permission.Decision {
	w.t.Helper()
	return w.decide(name, fileInput(name, path))
}

func fileInput(name, path string) map[string]any {
	switch name {
	case "Write":
		return map[string]any{"file_path": path, "content": "x"}
	case "Edit":
		return map[string]any{"file_path": path, "old_string": "a", "new_string": "b"}
	case "NotebookEdit":
		return map[string]any{"notebook_path": path, "new_source": "x"}
	case "Glob":
		return map[string]any{"pattern": "*.go", "path": path}
	case "Grep":
		return map[string]any{"pattern": "x", "path": path}
	}
	return map[string]any{"file_path": path}
}

func (w *world) want(d permission.Decision, behavior permission.Behavior, kind permission.ReasonKind) {
	w.t.Helper()
	if d.Behavior != behavior || d.Reason.Kind != kind {
		w.t.Errorf("got %v by %v (%s), want %v by %v", d.Behavior, d.Reason.Kind, d.Message(), behavior, kind)
	}
}

func (w *world) apply(updates ...permission.Update) {
	w.t.Helper()
	next, err := w.ctx.ApplyAll(updates)
	if err != nil {
		w.t.Fatal(err)
	}
	w.ctx = next
}
