package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/wire"
)

// offered are the tools that the model of a session is told about.
func offered(t *testing.T, o *Options) func(*Session) []string {
	t.Helper()
	var tools []string
	o.Emit = func(m wire.Message) {
		if init, ok := m.(*wire.Init); ok {
			tools = init.Tools
		}
	}
	return func(s *Session) []string {
		s.Agent.Prompt(t.Context(), agent.TextPrompt("go"))
		return tools
	}
}

// A host adds and removes servers; those that were configured otherwise are not its own.
func TestW5_ServersThatAHostAdds(t *testing.T) {
	o := options(t)
	o.MCPConfig = []string{configOf(t, "fixed")}
	s := mustOpen(t, o)
	defer mustClose(t, s)
	url := website(t)
	web := func(name string, headers ...mcp.Pair) mcp.Server {
		return mcp.Server{Name: name, Kind: mcp.HTTP, URL: url, Headers: headers}
	}
	bad := mcp.Server{Name: "bad", Command: "/nobody/is/here"}
	states := func() string {
		var list []string
		for _, status := range s.ServerStatus() {
			list = append(list, status.Name+" "+s.ServerState(status))
		}
		return strings.Join(list, ", ")
	}
	for _, step := range []struct {
		name           string
		wanted         []mcp.Server
		added, removed []string
		failed         []string
		states         string
	}{
		{"new ones", []mcp.Server{web("a"), web("fixed"), bad}, []string{"a", "bad"}, nil, []string{"bad", "fixed"}, "fixed connected, a connected, bad failed"},
		{"the same", []mcp.Server{web("a"), bad}, nil, nil, nil, "fixed connected, a connected, bad failed"},
		{"one less", []mcp.Server{web("a")}, nil, []string{"bad"}, nil, "fixed connected, a connected"},
		{"another of that name", []mcp.Server{web("a", mcp.Pair{Name: "X-Who", Value: "me"}), web("b")}, []string{"a", "b"}, []string{"a"}, nil, "fixed connected, a connected, b connected"},
		{"none", nil, nil, []string{"a", "b"}, nil, "fixed connected"},
	} {
		changed := s.SetServers(t.Context(), step.wanted, nil)
		failed := []string{}
		for name := range changed.Failed {
			failed = append(failed, name)
		}
		slices.Sort(failed)
		if !slices.Equal(changed.Added, step.added) || !slices.Equal(changed.Removed, step.removed) || !slices.Equal(failed, step.failed) {
			t.Errorf("%s: %+v", step.name, changed)
		}
		got := strings.Split(states(), ", ")
		want := strings.Split(step.states, ", ")
		slices.Sort(got) // they connect side by side
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", step.name, got, want)
		}
	}
	if list := s.ServerStatus(); len(list) != 1 || len(list[0].List) != 3 {
		t.Errorf("%+v", list)
	}

	if err := s.SwitchServer("fixed", agent.Off); err != nil || states() != "fixed disabled" {
		t.Error(err, states())
	}
	if err := s.SwitchServer("fixed", agent.On); err != nil || states() != "fixed connected" {
		t.Error(err, states())
	}
	if err := s.Reconnect(t.Context(), "fixed"); err != nil || states() != "fixed connected" {
		t.Error(err, states())
	}
	for what, err := range map[string]error{
		"switch": s.SwitchServer("nobody", agent.Off), "reconnect": s.Reconnect(t.Context(), "nobody"),
		"deliver": s.Deliver(t.Context(), "nobody", []byte(`{"jsonrpc":"2.0","method":"x"}`)), "deliver to a website": s.Deliver(t.Context(), "fixed", []byte(`{"jsonrpc":"2.0","method":"x"}`)),
	} {
		if err == nil {
			t.Errorf("%s: there is no such server", what)
		}
	}
}

// What a host says about tools of servers that it adds holds, also for those that it has
// already; initialize ends none of them.
func TestW5_PoliciesOfServersThatAHostAdds(t *testing.T) {
	o := options(t)
	tools := offered(t, &o)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	url := website(t)
	read := func(tools string) []mcp.Server {
		t.Helper()
		servers, problems := s.ReadServers([]byte(fmt.Sprintf(`{"site": {"type": "http", "url": %q%s}}`, url, tools)))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return servers
	}
	if changed := s.SetServers(t.Context(), read(`, "tools": [{"name": "grow", "permission_policy": "always_deny"}]`), nil); len(changed.Added) != 1 || len(changed.Failed) != 0 {
		t.Errorf("%+v", changed)
	}
	if changed := s.SetServers(t.Context(), read(`, "tools": [{"name": "judge", "permission_policy": "always_deny"}]`), nil); len(changed.Added)+len(changed.Removed) != 0 {
		t.Errorf("a policy has made another server of it: %+v", changed)
	}
	list := tools(s)
	for tool, denied := range map[string]bool{"grow": true, "judge": true, "ask": false} {
		if got := !slices.Contains(list, "mcp__site__"+tool); got != denied {
			t.Errorf("%s denied: %v", tool, got)
		}
	}
	silent := func(ctx context.Context, _ string, _ []byte) ([]byte, error) { return nil, errors.New("no") }
	if changed := s.AddServers(t.Context(), HostServers([]string{"desk", "desk"}), silent); !slices.Equal(changed.Added, []string{"desk"}) || changed.Removed != nil {
		t.Errorf("%+v", changed)
	}
	if got := connected(s); !slices.Equal(got, []string{"site dynamic"}) {
		t.Errorf("%q", got)
	}
}

// A server of the workspace makes room for one of the host; no other does.
func TestW5_TheHostsServerIsItsOwn(t *testing.T) {
	o := options(t)
	o.Settings.TrustWorkspace = true
	put(t, o.Settings.Dir, ".mcp.json", configOf(t, "desk", "other"))
	put(t, o.Settings.Home, ".claude/settings.json", fmt.Sprintf(`{"mcpServers": {"mine": {"type": "http", "url": %q}}}`, website(t)))
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	s := mustOpen(t, o)
	defer mustClose(t, s)
	url := website(t)
	changed := s.SetServers(t.Context(), []mcp.Server{{Name: "desk", Kind: mcp.HTTP, URL: url, Scope: dynamic}, {Name: "mine", Kind: mcp.HTTP, URL: url, Scope: dynamic}}, nil)
	if !slices.Equal(changed.Added, []string{"desk"}) || len(changed.Failed) != 1 || changed.Failed["mine"] == "" {
		t.Errorf("%+v", changed)
	}
	got := connected(s)
	slices.Sort(got)
	if !slices.Equal(got, []string{"desk dynamic", "mine user", "other project"}) || len(warned) != 1 || !strings.Contains(warned[0], "desk of this workspace") {
		t.Errorf("%q, warned %q", got, warned)
	}
	tools, _ := offers{s}.Offer()
	if len(tools) != 9 {
		t.Errorf("%d tools", len(tools))
	}
}

// A server that a host announces is pending until somebody connects it, and one that is
// connected when the session has ended already ends at once.
func TestW5_AnnouncedServers(t *testing.T) {
	s := mustOpen(t, options(t))
	s.Announce(HostServers([]string{"desk"}))
	if list := s.ServerStatus(); len(list) != 1 || list[0].State != mcp.Pending || list[0].Kind != mcp.SDK {
		t.Errorf("%+v", list)
	}
	mustClose(t, s)
	answers := func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		<-ctx.Done() // a host that never answers
		return nil, ctx.Err()
	}
	changed := s.SetServers(t.Context(), HostServers([]string{"desk"}), answers)
	if len(changed.Failed) != 1 {
		t.Errorf("%+v", changed)
	}
}

// TestS46_ServersOfAHost: a host cannot add a server that settings forbid; one inside of it needs
// no place on the list of what may be used.
func TestS46_ServersOfAHost(t *testing.T) {
	o := options(t)
	put(t, o.Settings.Home, ".claude/settings.json", `{"allowedMcpServers": [{"serverName": "good"}], "deniedMcpServers": [{"serverName": "bad"}]}`)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	url := website(t)
	changed := s.SetServers(t.Context(), []mcp.Server{
		{Name: "good", Kind: mcp.HTTP, URL: url}, {Name: "other", Kind: mcp.HTTP, URL: url}, {Name: "bad", Kind: mcp.SDK},
	}, nil)
	if !slices.Equal(changed.Added, []string{"good"}) || !strings.Contains(changed.Failed["other"], "allowedMcpServers (") || !strings.Contains(changed.Failed["bad"], "deniedMcpServers (") {
		t.Errorf("%+v", changed)
	}
}
