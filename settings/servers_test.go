package settings

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestS46_WhichServersAreRefused(t *testing.T) {
	program := MCPServer{Name: "pay", Command: []string{"npx", "pay"}}
	remote := MCPServer{Name: "web", URL: "https://mcp.example.com/v1"}
	host := MCPServer{Name: "mine"}
	managed := MCPServer{Name: "own", URL: "https://own.test/", Managed: true}
	for _, c := range []struct {
		files   map[rule.Source]string
		refused []string
	}{
		{map[rule.Source]string{rule.UserSettings: `{}`}, nil},
		{map[rule.Source]string{rule.UserSettings: `{"deniedMcpServers": [{"serverName": "pay"}]}`}, []string{"pay"}},
		{map[rule.Source]string{rule.ProjectSettings: `{"deniedMcpServers": [{"serverName": "mine"}, {"serverName": "own"}]}`}, []string{"mine", "own"}},
		{map[rule.Source]string{rule.UserSettings: `{"deniedMcpServers": [{"serverCommand": ["npx", "pay"]}]}`}, []string{"pay"}},
		{map[rule.Source]string{rule.UserSettings: `{"deniedMcpServers": [{"serverCommand": ["npx"]}]}`}, nil},
		{map[rule.Source]string{rule.UserSettings: `{"deniedMcpServers": [{"serverUrl": "https://*.example.com/*"}]}`}, []string{"web"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": []}`}, []string{"pay", "web"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "pay"}]}`}, []string{"web"}},
		// A name is not enough where the list has commands or addresses: everybody can choose one.
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "pay"}, {"serverCommand": ["other"]}]}`}, []string{"pay", "web"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "web"}, {"serverUrl": "https://other/*"}]}`}, []string{"pay", "web"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverUrl": "https://*.example.com/*"}, {"serverCommand": ["npx", "pay"]}]}`}, nil},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "pay"}], "deniedMcpServers": [{"serverName": "pay"}]}`}, []string{"pay", "web"}},
		// Lists of files that count are one; what nobody has trusted adds nothing, and restricts.
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "pay"}]}`, rule.PolicySettings: `{"allowedMcpServers": [{"serverName": "web"}]}`}, nil},
		{map[rule.Source]string{rule.ProjectSettings: `{"allowedMcpServers": [{"serverName": "pay"}]}`, rule.PolicySettings: `{"allowedMcpServers": [{"serverName": "web"}]}`}, []string{"pay", "web"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowedMcpServers": [{"serverName": "pay"}]}`, rule.PolicySettings: `{"allowManagedMcpServersOnly": true, "allowedMcpServers": [{"serverName": "web"}]}`}, []string{"pay"}},
		{map[rule.Source]string{rule.UserSettings: `{"allowManagedMcpServersOnly": true, "allowedMcpServers": [{"serverName": "pay"}]}`}, []string{"web"}},
	} {
		w := newWorld(t)
		w.StartsServers = true
		for source, text := range c.files {
			w.put(source, text)
		}
		s := w.load()
		var refused []string
		for _, server := range []MCPServer{program, remote, host, managed} {
			if s.ServerRefused(server) != "" {
				refused = append(refused, server.Name)
			}
		}
		if got, want := len(refused), len(c.refused); got != want || got > 0 && refused[got-1] != c.refused[want-1] {
			t.Errorf("%v: refused %v, want %v", c.files, refused, c.refused)
		}
	}
}

func TestS46_AddressesOfServers(t *testing.T) {
	for _, c := range []struct {
		pattern, address string
		want             bool
	}{
		{"https://mcp.example.com/*", "https://mcp.example.com/v1", true},
		{"https://mcp.example.com/*", "https://mcp.example.com", true},
		{"https://MCP.example.com/*", "HTTPS://mcp.Example.com/v1?x=1", true},
		{"https://*.example.com/*", "https://a.b.example.com/x", true},
		{"https://*.example.com/*", "https://evil.test/?.example.com/", false},
		{"https://*.example.com/*", "https://evil.test/.example.com/x", false},
		{"https://*.example.com/*", "https://evil.test#.example.com/x", false},
		{"https://*.example.com/*", "https://a.example.com@evil.test/x", false},
		{"https://*.example.com/*", "https://example.com.evil.test/x", false},
		{"https://mcp.example.com/*", "http://mcp.example.com/v1", false},
		{"https://mcp.example.com/*", "https://mcp.example.com:8443/v1", false},
		{"https://mcp.example.com:*/v1", "https://mcp.example.com:8443/v1", true},
		{"*", "https://mcp.example.com/", false},
		{"*://*/*", "https://mcp.example.com/", true},
		{"https://a/v1", "https://a/v12", false},
	} {
		if got := addressMatches(c.pattern, c.address); got != c.want {
			t.Errorf("%s, %s: %v", c.pattern, c.address, got)
		}
	}
}

// TestS46_ServersByTheNamesOfTheirTools: what only sees calls denies those to servers that are
// denied or not allowed, with the place that says so.
func TestS46_ServersByTheNamesOfTheirTools(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"allow": ["mcp__pay", "mcp__web", "mcp__own"]}, "deniedMcpServers": [{"serverName": "pay me"}]}`)
	w.put(rule.PolicySettings, `{"allowedMcpServers": [{"serverName": "pay"}, {"serverName": "pay me"}], "mcpServers": {"own": {"type": "http", "url": "https://own.test"}}}`)
	ctx, err := w.load().Context(nil)
	if err != nil {
		t.Fatal(err)
	}
	engine := permission.NewEngine(anyTool{}, nil)
	for name, want := range map[string]permission.Behavior{
		"mcp__pay__x": permission.Allow, "mcp__own__x": permission.Allow, "mcp__web__x": permission.Deny, "mcp__pay_me__x": permission.Deny, "mcp__pay": permission.Allow,
	} {
		call, err := engine.Validate(ctx, permission.Request{Tool: name, Input: []byte(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if d := engine.Decide(ctx, call); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", name, d.Behavior, d.Message(), want)
		}
	}
}

type anyTool struct{}

func (anyTool) Lookup(name string) (permission.Tool, bool) { return namedTool(name), true }

type namedTool string

func (t namedTool) Name() string                        { return string(t) }
func (namedTool) Kind() permission.Kind                 { return permission.Other }
func (namedTool) Subject() string                       { return "" }
func (namedTool) Decode([]byte) (map[string]any, error) { return nil, nil }

func TestS46_ListsOfServersThatCannotBeRead(t *testing.T) {
	for _, text := range []string{
		`{}`, `["pay"]`, `[{}]`, `[{"serverName": "a", "serverUrl": "b"}]`, `[{"servername": "a"}]`, `[{"server": "a"}]`, `[{"serverName": ""}]`,
		`[{"serverCommand": []}]`, `[{"serverCommand": "npx"}]`, `[{"serverName": 5}]`,
	} {
		for _, key := range []string{allowedServersKey, deniedServersKey} {
			w := newWorld(t)
			w.put(rule.UserSettings, `{"`+key+`": `+text+`}`)
			if _, err := Load(w.Options); err == nil {
				t.Errorf("%s: %s is taken", key, text)
			}
		}
	}
}
