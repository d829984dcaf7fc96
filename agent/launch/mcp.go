package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/process"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// maxConfig is how long a file of servers may be.
const maxConfig = 4 << 20

// configuredServers are those of the command line, of the settings and of a workspace that
// somebody has trusted. The first of a name counts.
func (s *Session) configuredServers(o Options, loaded *settings.Settings) ([]mcp.Server, error) {
	var all []mcp.Server
	add := func(more []mcp.Server, scope string) {
		for _, server := range more {
			server.Scope = scope
			if why := refusedServer(loaded, server); why != "" {
				o.Warn(fmt.Sprintf("the MCP server %s is not used: %s", server.Name, why))
				continue
			}
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
		outside := func(server mcp.Server) bool { return server.Kind != mcp.SDK }
		if by := loaded.NoSideload(); by != "" && slices.ContainsFunc(more, outside) {
			return nil, sideloaded("--mcp-config", by)
		}
		add(more, dynamic)
	}
	if o.StrictMCP {
		return all, nil
	}
	read := func(v settings.Value) []mcp.Server {
		if len(v.JSON) == 0 {
			return nil
		}
		servers, problems := mcp.ReadServers(v.JSON, s.lookup)
		for _, p := range problems {
			o.Warn(p.Error())
		}
		return servers
	}
	for _, f := range loaded.Files {
		add(read(f.MCPServers), scope(f.Source))
	}
	add(approved(loaded, read(loaded.ProjectMCP), o.Warn), "project")
	return all, nil
}

func sideloaded(flag, by string) error {
	return fmt.Errorf("%s is forbidden by %s (leave it out, or ask the administrator)", flag, by)
}

// refusedServer says why settings forbid a server; empty if they do not.
func refusedServer(loaded *settings.Settings, server mcp.Server) string {
	wanted := settings.MCPServer{Name: server.Name, URL: server.URL, Managed: server.Scope == scope(rule.PolicySettings)}
	if server.Kind == mcp.Stdio {
		wanted.Command = append([]string{server.Command}, server.Args...)
	}
	return loaded.ServerRefused(wanted)
}

// dynamic is the scope of servers of a command line or a host.
const dynamic = "dynamic"

// scope is the word that hosts know for a source of settings.
func scope(source rule.Source) string {
	switch source {
	case rule.UserSettings:
		return "user"
	case rule.ProjectSettings:
		return "project"
	case rule.LocalSettings:
		return "local"
	case rule.PolicySettings:
		return "managed"
	default:
		return dynamic
	}
}

// approved are the servers of .mcp.json that may start. Trust in the workspace is trust
// in its servers, unless settings say which ones are meant.
func approved(loaded *settings.Settings, servers []mcp.Server, warn func(string)) []mcp.Server {
	var on, off []string
	every := false
	for _, f := range loaded.Files {
		on, off, every = append(on, f.EnabledMCP...), append(off, f.DisabledMCP...), every || f.EnableAllProjectMCP
	}
	return slices.DeleteFunc(servers, func(server mcp.Server) bool {
		switch {
		case slices.Contains(off, server.Name):
			return true
		case len(on) > 0 && !every && !slices.Contains(on, server.Name):
			warn(fmt.Sprintf("the MCP server %s of .mcp.json is not started: enabledMcpjsonServers names others (add it there, or set enableAllProjectMcpServers)", server.Name))
			return true
		}
		return false
	})
}

// configured reads an argument of --mcp-config: JSON, or the name of a file.
func (s *Session) configured(config string) ([]mcp.Server, error) {
	text := []byte(config)
	if !strings.HasPrefix(strings.TrimSpace(config), "{") {
		var err error
		if text, err = readConfig(config); err != nil {
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
		s.options.Warn("--mcp-config: " + p.Error())
	}
	return servers, nil
}

// readConfig reads a file of servers. It may be a pipe, for which it waits: a shell can make
// one of what a program says.
func readConfig(path string) ([]byte, error) {
	f, err := durable.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// lookup is a variable that the configuration of servers names; one that is withheld has no value.
func (s *Session) lookup(name string) (string, bool) {
	if process.Withheld(name) {
		return "", false
	}
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
	options := mcp.Options{
		Limits: limits, Dir: dir, Env: append(os.Environ(), s.env.added()...), Host: host, Version: o.Version,
		Roots: func() []string { return []string{dir} }, Warn: o.Warn,
	}
	if o.Elicit != nil {
		options.Elicit = s.elicit
	}
	set := mcp.Open(context.WithoutCancel(ctx), servers, options)
	s.servers.keep(set)
	set.Wait(ctx)
	for _, status := range set.Status() {
		if status.State == mcp.Failed || status.State == mcp.NeedsAuth {
			o.Warn(fmt.Sprintf("the MCP server %s cannot be used: %s", status.Name, status.Reason))
		}
		for _, note := range status.Notes {
			o.Warn(fmt.Sprintf("the MCP server %s: %s", status.Name, note))
		}
	}
	return set
}

// elicit puts the question of a server to a person, unless settings want nobody to be asked.
func (s *Session) elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	if s.current.Load().NoPrompts() {
		return mcp.Answer{Action: mcp.Dismiss}, nil
	}
	return s.options.Elicit.Elicit(ctx, q)
}

// offers is what all servers of a session bring to its agent, from one question to the
// model to the next.
type offers struct{ session *Session }

var _ agent.Servers = offers{}

// Refresh picks up changed lists of tools.
func (o offers) Refresh(ctx context.Context) {
	for _, set := range o.session.servers.list() {
		set.Refresh(ctx)
	}
}

// Revision is made of those of the sets: they may change, and sets may come and go.
func (o offers) Revision() string {
	var all strings.Builder
	for _, set := range o.session.servers.list() {
		fmt.Fprintf(&all, "%p %d ", set, set.Revision())
	}
	all.WriteString(strings.Join(o.session.Agent.SwitchedOffServers(), " "))
	return all.String()
}

// Offer is what there is now. The tool that answers questions is not for the model, whose
// calls they are about.
func (o offers) Offer() (tools []tool.Runner, states []wire.MCPServer) {
	tools = slices.DeleteFunc(o.session.servers.tools(), o.session.answers)
	for _, set := range o.session.servers.list() {
		for _, status := range set.Status() {
			states = append(states, wire.MCPServer{Name: status.Name, Status: o.session.ServerState(status)})
		}
	}
	return tools, states
}

// promptAsker asks a tool of a server in place of a person.
func (s *Session) promptAsker() (agent.Asker, error) {
	tools := s.servers.tools()
	i := slices.IndexFunc(tools, s.answers)
	if i < 0 {
		return nil, fmt.Errorf("--permission-prompt-tool: no MCP server offers %s", s.options.PromptTool)
	}
	return agent.ToolAsker{Tool: tools[i], Note: s.options.Warn}, nil
}

// answers: the tool is the one that answers questions. It may be given by the name that
// its server has for it.
func (s *Session) answers(r tool.Runner) bool { return r.Name() == rule.ToolName(s.options.PromptTool) }
