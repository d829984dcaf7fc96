package guard

import (
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// knownTools are assent's own. Every other name is a tool of the agent or of an MCP
// server: it exists, since the agent is about to run it.
type knownTools struct{ builtin *tool.Set }

func newTools() (permission.Tools, error) {
	set, err := tool.NewSet(tool.Builtin()...)
	return knownTools{set}, err
}

func (t knownTools) Lookup(name string) (permission.Tool, bool) {
	if known, ok := t.builtin.Lookup(name); ok {
		return known, true
	}
	return tool.Named(name), true
}

// foreignTools are those of an agent that means other tools by the same names.
type foreignTools struct{}

func (foreignTools) Lookup(name string) (permission.Tool, bool) { return tool.Named(name), true }
