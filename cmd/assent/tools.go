package main

import (
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// allTools are the built-in tools and every MCP tool that somebody names: which
// servers exist is known only when an agent runs.
type allTools struct{ builtin *tool.Set }

func newTools() (permission.Tools, error) {
	set, err := tool.NewSet(tool.Builtin()...)
	return allTools{set}, err
}

func toolNames() []string {
	var names []string
	for _, t := range tool.Builtin() {
		names = append(names, t.Name())
	}
	return names
}

func (t allTools) Lookup(name string) (permission.Tool, bool) {
	if isMCP(name) {
		return tool.Named(name), true
	}
	return t.builtin.Lookup(name)
}

// isMCP: mcp__server__tool, with no part empty.
func isMCP(name string) bool {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, tool, found := strings.Cut(rest, "__")
	return ok && found && server != "" && tool != ""
}
