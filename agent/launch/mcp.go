package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// maxConfig is how long a file of servers may be.
const maxConfig = 4 << 20

// servers are those of the command line, of the settings and of a workspace that
// somebody has trusted. The first of a name counts.
func (s *Session) servers(o Options, loaded *settings.Settings) ([]mcp.Server, error) {
	var all []mcp.Server
	add := func(more []mcp.Server) {
		for _, server := range more {
			if !slices.ContainsFunc(all, func(have mcp.Server) bool { return have.Name == server.Name }) {
				all = append(all, server)
			}
		}
	}
	for _, config := range o.MCPConfig {
		more, err := s.configured(config)
		if err != nil {
			return nil, err
		}
		add(more)
	}
	if o.StrictMCP {
		return all, nil
	}
	values := []settings.Value{}
	for _, f := range loaded.Files {
		values = append(values, f.MCPServers)
	}
	for _, v := range append(values, loaded.ProjectMCP) {
		if len(v.JSON) == 0 {
			continue
		}
		more, problems := mcp.ReadServers(v.JSON, s.lookup)
		for _, p := range problems {
			o.Warn(p.Error())
		}
		add(more)
	}
	return all, nil
}

// configured reads an argument of --mcp-config: JSON, or the name of a file.
func (s *Session) configured(config string) ([]mcp.Server, error) {
	text := []byte(config)
	if !strings.HasPrefix(strings.TrimSpace(config), "{") {
		var err error
		if text, err = os.ReadFile(config); err != nil {
			return nil, fmt.Errorf("--mcp-config: %w", err)
		}
	}
	if len(bytes.TrimSpace(text)) > maxConfig {
		return nil, errors.New("--mcp-config: it is too long")
	}
	servers, problems := mcp.ReadConfig(text, s.lookup)
	for _, p := range problems {
		if p.Effect == mcp.LeftOut {
			return nil, fmt.Errorf("--mcp-config: %w", p)
		}
	}
	return servers, nil
}

func (s *Session) lookup(name string) (string, bool) {
	value := s.env.get(name)
	return value, value != ""
}

// connect starts servers and waits until each of them is there or has failed.
func (s *Session) connect(ctx context.Context, servers []mcp.Server, o Options, dir string, host mcp.SendFunc) *mcp.Set {
	if len(servers) == 0 {
		return nil
	}
	limits, problems := mcp.ReadLimits(s.lookup)
	for _, p := range problems {
		o.Warn(p.Error())
	}
	set := mcp.Open(context.WithoutCancel(ctx), servers, mcp.Options{
		Limits: limits, Dir: dir, Host: host, Version: o.Version, Roots: func() []string { return []string{dir} },
	})
	s.sets = append(s.sets, set)
	set.Wait(ctx)
	for _, status := range set.Status() {
		if status.State == mcp.Failed {
			o.Warn(fmt.Sprintf("the MCP server %s cannot be used: %s", status.Name, status.Reason))
		}
	}
	return set
}

// offer is what servers bring to an agent.
func offer(set *mcp.Set) ([]tool.Runner, []wire.MCPServer) {
	if set == nil {
		return nil, nil
	}
	var servers []wire.MCPServer
	for _, status := range set.Status() {
		servers = append(servers, wire.MCPServer{Name: status.Name, Status: status.State.String()})
	}
	return set.Tools(), servers
}

// AddServers connects the servers inside of a host, before the first prompt.
func (s *Session) AddServers(ctx context.Context, names []string, host mcp.SendFunc) error {
	var servers []mcp.Server
	for _, name := range names {
		servers = append(servers, mcp.Server{Name: name, Kind: mcp.SDK})
	}
	tools, statuses := offer(s.connect(ctx, servers, s.options, s.options.Settings.Dir, host))
	return s.Agent.AddTools(tools, statuses)
}

// promptAsker asks a tool of a server in place of a person.
func promptAsker(name string, tools []tool.Runner) (agent.Asker, error) {
	i := slices.IndexFunc(tools, func(r tool.Runner) bool { return r.Name() == name })
	if i < 0 {
		return nil, fmt.Errorf("--permission-prompt-tool: no MCP server offers %s", name)
	}
	return agent.ToolAsker{Tool: tools[i]}, nil
}
