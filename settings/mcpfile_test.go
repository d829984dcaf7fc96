package settings

import (
	"path/filepath"
	"testing"
)

func TestS33_OnlyWhatTrustCoversOfMCPIsInForce(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.Dir, ".mcp.json")
	w.write(file, `{"mcpServers": {"a": {"command": "a"}}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	w.write(file, "// ours\n{\"servers\": {\"b\": {\"command\": \"b\"}},\n \"mcpServers\": {\"a\": /* x */ {\"command\": \"a\"}},\n \"McpServers\": {\"c\": {}}}")
	s := w.load()
	if got := s.TrustState(); got.Status != Trusted {
		t.Fatalf("trust %+v", got)
	}
	if got := string(s.ProjectMCP.JSON); got != `{"a":         {"command": "a"}}` || s.ProjectMCP.Line != 3 {
		t.Errorf("line %d: %s", s.ProjectMCP.Line, got)
	}
}

func TestMCPFileOfAnotherShapeSaysNothing(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"servers": {"a": {}}}`, `{"mcpServers": null}`, `{"mcpServers": ["a"]}`, `{"mcpServers": {"a": "run"}}`,
		`{"mcpServers": {"a": {}, "b": []}}`, `{"mcpServers": {"a": {}}, "mcpServers": {}}`, `[]`, ``,
	} {
		w := newWorld(t).trusted()
		w.write(filepath.Join(w.Dir, ".mcp.json"), text)
		s := w.load()
		if s.ProjectMCP.JSON != nil {
			t.Errorf("%s: %s is in force", text, s.ProjectMCP.JSON)
		}
		if len(s.Reports) > 0 {
			t.Errorf("%s: reports %v", text, s.Reports)
		}
	}
}
