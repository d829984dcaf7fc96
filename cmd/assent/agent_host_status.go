package main

import (
	"strings"

	"github.com/assent-dev/assent/mcp"
)

// mcpStateJSON is a server as hosts are told about it. The names are those that the
// official SDKs read.
type mcpStateJSON struct {
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Info   *mcpInfoJSON   `json:"serverInfo,omitzero"`
	Error  string         `json:"error,omitzero"`
	Config *mcpConfigJSON `json:"config,omitzero"`
	Scope  string         `json:"scope,omitzero"`
	// Source is "sdk" for servers inside of the host, else the scope.
	Source string        `json:"source,omitzero"`
	Tools  []mcpToolJSON `json:"tools,omitzero"`
}

type mcpInfoJSON struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type mcpConfigJSON struct {
	Type    string            `json:"type"`
	Name    string            `json:"name,omitzero"`
	Command string            `json:"command,omitzero"`
	Args    []string          `json:"args,omitzero"`
	Env     map[string]string `json:"env,omitzero"`
	URL     string            `json:"url,omitzero"`
	Headers map[string]string `json:"headers,omitzero"`
}

type mcpToolJSON struct {
	Name        string       `json:"name"`
	Description string       `json:"description,omitzero"`
	Annotations mcpHintsJSON `json:"annotations,omitzero"`
}

// mcpHintsJSON is what a server says about a tool. It decides nothing.
type mcpHintsJSON struct {
	ReadOnly    bool `json:"readOnly,omitzero"`
	Destructive bool `json:"destructive,omitzero"`
	OpenWorld   bool `json:"openWorld,omitzero"`
}

// serverStates is how the servers do, as hosts are told.
func (c *conversation) serverStates() []mcpStateJSON {
	list, room := []mcpStateJSON{}, listRoom
	for _, s := range c.session.ServerStatus() {
		state := mcpStateJSON{Name: s.Name, Status: c.session.ServerState(s), Error: s.Reason}
		if s.State == mcp.Connected {
			state.Info = &mcpInfoJSON{s.Info.Name, s.Info.Version}
		}
		if s.Config.Name != "" {
			state.Config, state.Scope, state.Source = configOf(s.Config), s.Config.Scope, s.Config.Scope
		}
		if s.Kind == mcp.SDK && state.Source != "" {
			state.Source = "sdk"
		}
		for _, t := range s.List {
			state.Tools = append(state.Tools, mcpToolJSON{
				strings.TrimPrefix(t.Name, "mcp__"+s.Name+"__"), room.take(t.Description), mcpHintsJSON{t.ReadOnly, t.Destructive, t.OpenWorld},
			})
		}
		list = append(list, state)
	}
	return list
}

// configOf is the configuration of a server, which has no secrets any more.
func configOf(s mcp.Server) *mcpConfigJSON {
	config := &mcpConfigJSON{Type: s.Kind.String(), Command: s.Command, Args: s.Args, Env: masked(s.Env), URL: s.URL, Headers: masked(s.Headers)}
	if s.Kind == mcp.SDK {
		config.Name = s.Name
	}
	return config
}

func masked(pairs []mcp.Pair) map[string]string {
	var names map[string]string
	for _, p := range pairs {
		if names == nil {
			names = map[string]string{}
		}
		names[p.Name] = "***"
	}
	return names
}
