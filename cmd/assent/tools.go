package main

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
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
		return mcpTool(name), true
	}
	return t.builtin.Lookup(name)
}

// isMCP: mcp__server__tool, with no part empty.
func isMCP(name string) bool {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, tool, found := strings.Cut(rest, "__")
	return ok && found && server != "" && tool != ""
}

// mcpTool is a tool of a server; only the server knows its schema.
type mcpTool string

func (t mcpTool) Name() string          { return string(t) }
func (t mcpTool) Kind() permission.Kind { return permission.Other }
func (t mcpTool) Subject() string       { return "" }

func (t mcpTool) Decode(input []byte) (map[string]any, error) {
	var object map[string]any
	if err := strictjson.Unmarshal(input, &object); err != nil {
		if fault, ok := errors.AsType[*strictjson.Error](err); ok {
			return nil, errors.New(string(t) + " input: " + fault.Message)
		}
		return nil, err
	}
	if object == nil {
		return nil, errors.New(string(t) + " input: want object, got null")
	}
	return object, nil
}
