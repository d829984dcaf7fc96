package assent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/mcp"
)

// Tools says which of the built-in tools the model is offered; all of them unless given.
func Tools(names ...string) Option {
	return func(c *config) (err error) {
		c.Options.Tools, err = launch.ReadTools(append([]string{}, names...))
		return err
	}
}

// Tool is a Go function that the model can call; see [NewTool].
type Tool = mcp.Function

// NewTool makes a tool of a function. The schema of its input is that of In, a struct whose
// fields have json tags, or a map: a field is required unless it has omitempty or omitzero,
// and a tag `jsonschema:"…"` describes it to the model. What the model sends is checked
// against it before the function is called. Out is a string or bytes, which the model
// reads as a text, or anything that becomes JSON. An error is what the model reads in place of a result,
// and so is a panic. Calls may come several at once.
func NewTool[In, Out any](name, description string, f func(ctx context.Context, input In) (Out, error)) (Tool, error) {
	return mcp.NewFunction(name, description, f)
}

// Serve offers tools to the model as those of an MCP server in this process. Each is called
// mcp__SERVER__TOOL, in rules and hooks too, and asks unless a rule allows it.
func Serve(server string, tools ...Tool) Option {
	return func(c *config) error {
		if slices.ContainsFunc(c.functions, func(f *mcp.Functions) bool { return f.Server() == server }) {
			return fmt.Errorf("two servers are called %q: pass all tools of one to the same assent.Serve", server)
		}
		f, err := mcp.NewFunctions(server, tools...)
		if err == nil {
			f.Observe(c.callbacks.begin, c.callbacks.end)
			c.functions = append(c.functions, f)
		}
		return err
	}
}

// MCPConfig adds MCP servers: a file, or JSON, each with an object "mcpServers".
func MCPConfig(fileOrJSON ...string) Option {
	return func(c *config) error {
		c.Options.MCPConfig = append(c.Options.MCPConfig, fileOrJSON...)
		return nil
	}
}

// StrictMCP lets only the servers of [MCPConfig] and [Serve] count, and none of settings or
// the workspace.
func StrictMCP() Option {
	return func(c *config) error {
		c.Options.StrictMCP = true
		return nil
	}
}

// Agents adds kinds of sub-agents, as the flag --agents takes them: a JSON object by name.
// Pass it once, with all of them.
func Agents(json string) Option {
	return func(c *config) error {
		if c.Options.Agents != "" {
			return errors.New("assent.Agents is given twice (write all of them into one object)")
		}
		c.Options.Agents = json
		return nil
	}
}
