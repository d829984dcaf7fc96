package launch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// website is an MCP server that asks, grows, and says no.
func website(t *testing.T) string {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "site", Version: "2"}, nil)
	text := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	schema := map[string]any{"type": "object"}
	s.AddTool(&sdk.Tool{Name: "ask", InputSchema: schema}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "which account?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"account": map[string]any{"type": "string", "maxLength": 5}}, "required": []string{"account"},
		}})
		if err != nil {
			return text("no question: " + err.Error()), nil
		}
		return text(fmt.Sprintf("%s %v", answer.Action, answer.Content["account"])), nil
	})
	s.AddTool(&sdk.Tool{Name: "grow", InputSchema: schema}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddTool(&sdk.Tool{Name: "grown", InputSchema: schema}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return text("I am new"), nil
		})
		return text("it grows"), nil
	})
	s.AddTool(&sdk.Tool{Name: "judge", InputSchema: schema}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(`{"behavior":"deny","message":"the judge says no"}`), nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(web.Close)
	return web.URL
}

func configOf(t *testing.T, named ...string) string {
	t.Helper()
	url := website(t)
	var list []string
	for _, name := range named {
		list = append(list, fmt.Sprintf(`%q: {"type": "http", "url": %q}`, name, url))
	}
	return `{"mcpServers": {` + strings.Join(list, ", ") + `}}`
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// connected are the servers of a session as "name scope".
func connected(s *Session) (list []string) {
	for _, status := range s.ServerStatus() {
		if status.State == mcp.Connected {
			list = append(list, status.Name+" "+status.Config.Scope)
		}
	}
	return list
}

// Servers of a workspace start when somebody has trusted it, and no others than settings
// name.
func TestS33_WhichServersStart(t *testing.T) {
	for name, tt := range map[string]struct {
		trust, strict bool
		user, project string // settings
		argument      []string
		want          []string
		warns         string
	}{
		"nobody trusts it":   {want: nil, warns: "held back"},
		"it is trusted":      {trust: true, want: []string{"a project", "b project"}},
		"strict":             {trust: true, strict: true, user: `{"mcpServers": {"u": {"type": "http", "url": "URL"}}}`, want: nil},
		"strict, with some":  {trust: true, strict: true, argument: []string{"c"}, want: []string{"c dynamic"}},
		"all sources":        {trust: true, argument: []string{"c"}, user: `{"mcpServers": {"u": {"type": "http", "url": "URL"}}}`, want: []string{"c dynamic", "u user", "a project", "b project"}},
		"the first counts":   {trust: true, argument: []string{"a"}, want: []string{"a dynamic", "b project"}},
		"one is off":         {trust: true, user: `{"disabledMcpjsonServers": ["a"]}`, want: []string{"b project"}},
		"off beats on":       {trust: true, user: `{"disabledMcpjsonServers": ["a"], "enabledMcpjsonServers": ["a"], "enableAllProjectMcpServers": true}`, want: []string{"b project"}},
		"one is on":          {trust: true, user: `{"enabledMcpjsonServers": ["b"]}`, want: []string{"b project"}, warns: "server a of .mcp.json is not started"},
		"all are on":         {trust: true, user: `{"enabledMcpjsonServers": ["b"], "enableAllProjectMcpServers": true}`, want: []string{"a project", "b project"}},
		"on without trust":   {user: `{"enableAllProjectMcpServers": true}`, want: nil, warns: "held back"},
		"itself, no trust":   {project: `{"enableAllProjectMcpServers": true, "enabledMcpjsonServers": ["a"]}`, want: nil, warns: "held back"},
		"off by the project": {trust: true, project: `{"disabledMcpjsonServers": ["b"]}`, want: []string{"a project"}},
		"a variable":         {trust: true, user: `{"env": {"SITE": "URL"}, "mcpServers": {"u": {"type": "http", "url": "${SITE}/${NONE:-}"}}}`, want: []string{"u user", "a project", "b project"}},
		"one is denied":      {trust: true, user: `{"deniedMcpServers": [{"serverName": "a"}]}`, argument: []string{"c"}, want: []string{"c dynamic", "b project"}, warns: "server a is not used: deniedMcpServers ("},
		"one is allowed":     {trust: true, user: `{"allowedMcpServers": [{"serverName": "a"}]}`, argument: []string{"c"}, want: []string{"a project"}, warns: "server c is not used: allowedMcpServers ("},
		"none is allowed":    {trust: true, user: `{"allowedMcpServers": [{"serverUrl": "https://x.test/*"}]}`, argument: []string{"c"}, want: nil, warns: "allowedMcpServers ("},
		"an unset variable":  {trust: true, user: `{"mcpServers": {"u": {"type": "http", "url": "${SITE}"}}}`, want: []string{"a project", "b project"}, warns: "SITE is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			url := website(t)
			put(t, o.Settings.Dir, ".mcp.json", configOf(t, "a", "b"))
			if tt.user != "" {
				put(t, o.Settings.Home, ".claude/settings.json", strings.ReplaceAll(tt.user, "URL", url))
			}
			if tt.project != "" {
				put(t, o.Settings.Dir, ".claude/settings.json", tt.project)
			}
			if tt.argument != nil {
				o.MCPConfig = []string{configOf(t, tt.argument...)}
			}
			var warned []string
			o.Settings.TrustWorkspace, o.StrictMCP, o.Warn = tt.trust, tt.strict, func(text string) { warned = append(warned, text) }
			s := mustOpen(t, o)
			defer mustClose(t, s)
			if got := connected(s); !slices.Equal(got, tt.want) {
				t.Errorf("connected %q", got)
			}
			if said := strings.Join(warned, "\n"); (said == "") != (tt.warns == "") || !strings.Contains(said, tt.warns) {
				t.Errorf("warned %q", said)
			}
		})
	}
}

// What somebody denies while the servers of a session start holds from its first call on.
func TestS33_ADenyWhileServersStart(t *testing.T) {
	o := options(t)
	var once sync.Once
	behind := website(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			put(t, o.Settings.Home, ".claude/settings.json", `{"permissions": {"deny": ["Bash(deploy:*)"]}}`)
		})
		http.Redirect(w, r, behind, http.StatusTemporaryRedirect)
	}))
	defer web.Close()
	o.MCPConfig = []string{fmt.Sprintf(`{"mcpServers": {"slow": {"type": "http", "url": %q}}}`, web.URL)}
	s := mustOpen(t, o)
	defer mustClose(t, s)
	var denied []string
	for _, f := range s.current.Load().Files {
		for _, r := range f.Rules() {
			denied = append(denied, r.String())
		}
	}
	if !slices.Contains(denied, "Bash(deploy:*)") {
		t.Errorf("the rules are %q", denied)
	}
}

// elicitor is a person who is asked by servers.
type elicitor struct {
	answer mcp.Answer
	asked  []mcp.Elicitation
}

func (e *elicitor) Elicit(_ context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	e.asked = append(e.asked, q)
	return e.answer, nil
}

// A server's question goes to the person, and what they say to the server; without a
// person it is declined. The model has no part in it.
func TestElicitation_GoesToThePerson(t *testing.T) {
	for name, tt := range map[string]struct {
		person *elicitor
		expect string
	}{
		"yes":    {&elicitor{answer: mcp.Answer{Action: mcp.Accept, Content: []byte(`{"account":"main"}`)}}, "accept main"},
		"no":     {&elicitor{}, "decline <nil>"},
		"wrong":  {&elicitor{answer: mcp.Answer{Action: mcp.Accept, Content: []byte(`{"account":"too long"}`)}}, "cancel <nil>"},
		"nobody": {nil, "no question"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.MCPConfig, o.Settings.AllowedTools = []string{configOf(t, "site")}, []string{"mcp__site"}
			if tt.person != nil {
				o.Elicit = tt.person
			}
			o.Model = "script:" + writeFile(t, "script.yaml", "turns:\n  - call: {mcp__site__ask: {}}\n  - expect: "+tt.expect+"\n    say: done\n")
			s := mustOpen(t, o)
			defer mustClose(t, s)
			if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError {
				t.Errorf("%+v", result)
			}
			if tt.person != nil && (len(tt.person.asked) != 1 || tt.person.asked[0].Server != "site" || tt.person.asked[0].Form.Fields[0].Name != "account") {
				t.Errorf("asked %+v", tt.person.asked)
			}
		})
	}
}

// patient says no, but not before something has happened.
type patient struct{ until func() bool }

func (*patient) Name() string { return "patient" }

func (p *patient) Ask(ctx context.Context, _ agent.Question) (permission.Answer, error) {
	for !p.until() && ctx.Err() == nil {
		runtime.Gosched()
	}
	return permission.Answer{Behavior: permission.Deny}, nil
}

// What a server offers in the middle of a prompt is there for the next question, and is
// judged: the rules of the person hold for it as for any other.
func TestP15_AServerGrowsDuringAPrompt(t *testing.T) {
	for name, tt := range map[string]struct {
		allowed, denied []string
		expect          string
	}{
		"allowed as a server": {[]string{"mcp__site"}, nil, "I am new"},
		"not allowed":         {[]string{"mcp__site__grow"}, nil, "{failed: true}"},
		"denied by its name":  {[]string{"mcp__site"}, []string{"mcp__site__grown"}, "{failed: true}"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.MCPConfig, o.Settings.AllowedTools, o.Settings.DisallowedTools = []string{configOf(t, "site")}, tt.allowed, tt.denied
			turns := "turns:\n  - call: {mcp__site__grow: {}}\n  - call: {Bash: {command: make}}\n  - call: {mcp__site__grown: {}}\n  - expect: " + tt.expect + "\n    say: done\n"
			o.Model = "script:" + writeFile(t, "script.yaml", turns)
			p := &patient{}
			o.Asker = p
			s := mustOpen(t, o)
			defer mustClose(t, s)
			p.until = func() bool { // the server says so a moment after its answer
				set := s.servers.list()[0]
				set.Refresh(t.Context())
				return len(set.Tools()) == 4
			}
			if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError {
				t.Errorf("%+v", result)
			}
		})
	}
}

// Who answers with something else is named.
func TestW3_AToolThatDecidesNothing(t *testing.T) {
	o := options(t)
	o.MCPConfig, o.PromptTool = []string{configOf(t, "site")}, "mcp__site__grow"
	o.Model = "script:" + writeFile(t, "script.yaml", "turns:\n  - call: {Bash: {command: make}}\n  - expect: The answer of the tool mcp__site__grow is no decision\n    say: done\n")
	s := mustOpen(t, o)
	defer mustClose(t, s)
	if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError || len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
}

// Policies of a configuration hold like rules, and what has no meaning is reported.
func TestP15_PoliciesOfAConfiguration(t *testing.T) {
	o := options(t)
	o.MCPConfig = []string{fmt.Sprintf(`{"mcpServers": {"site": {"type": "http", "url": %q, "nonsense": 1, "tools": [{"name": "g*", "permission_policy": "always_deny"}, {"name": "ask", "permission_policy": "always_ask"}]}}}`, website(t))}
	o.Settings.AllowedTools = []string{"mcp__site"}
	o.Model = "script:" + writeFile(t, "script.yaml", "turns:\n  - say: well\n  - call: {mcp__site__ask: {}}\n  - expect: {failed: true}\n    say: done\n")
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	tools := offered(t, &o)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	if list := tools(s); slices.Contains(list, "mcp__site__grow") || !slices.Contains(list, "mcp__site__judge") {
		t.Errorf("the model is offered %v", list)
	}
	if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError || len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], `--mcp-config: MCP server "site": the key "nonsense"`) {
		t.Errorf("warned %q", warned)
	}
}

func TestW3_AToolOfAServerAnswersQuestions(t *testing.T) {
	o := options(t)
	o.MCPConfig, o.PromptTool = []string{configOf(t, "site")}, "mcp__site__judge"
	tools := offered(t, &o)
	o.Model = "script:" + writeFile(t, "script.yaml", "turns:\n  - call: {Bash: {command: make}}\n  - expect: the judge says no\n    say: done\n")
	s := mustOpen(t, o)
	defer mustClose(t, s)
	if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError || len(result.Denials) != 1 {
		t.Errorf("%+v", result)
	}
	if s.Agent.Mode() != permission.Default {
		t.Error("the mode has changed")
	}
	if list := tools(s); slices.Contains(list, "mcp__site__judge") || !slices.Contains(list, "mcp__site__ask") {
		t.Errorf("the model is offered %v", list)
	}
	o.PromptTool = "mcp__site__nobody"
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "no MCP server offers mcp__site__nobody") {
		t.Errorf("got %v", err)
	}
}

// The tool that answers may be given by the name that its server has for it, and what is
// ignored in its answers is told.
func TestW3_AToolByTheNameOfItsServer(t *testing.T) {
	site := sdk.NewServer(&sdk.Implementation{Name: "site", Version: "1"}, nil)
	site.AddTool(&sdk.Tool{Name: "be.judge", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: `{"behavior":"deny","message":"MARK","updatedPermissions":[{"type":"bogus"}]}`}}}, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return site }, nil))
	defer web.Close()
	o := options(t)
	o.MCPConfig, o.PromptTool = []string{fmt.Sprintf(`{"mcpServers": {"site": {"type": "http", "url": %q}}}`, web.URL)}, "mcp__site__be.judge"
	o.Model = "script:" + writeFile(t, "script.yaml", "turns:\n  - call: {Bash: {command: make}}\n  - expect: MARK\n    say: done\n")
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	tools := offered(t, &o)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	if list := tools(s); slices.Contains(list, "mcp__site__be_judge") {
		t.Errorf("the model is offered %v", list)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "mcp__site__be_judge: permission update 1 is ignored") {
		t.Errorf("warned %q", warned)
	}
}

// TestS46_NothingComesAlong: managed settings may forbid that flags bring servers or agents.
func TestS46_NothingComesAlong(t *testing.T) {
	for name, bring := range map[string]func(*Options){
		"servers":     func(o *Options) { o.MCPConfig = []string{configOf(t, "a")} },
		"of the host": func(o *Options) { o.MCPConfig = []string{`{"mcpServers": {"h": {"type": "sdk", "name": "h"}}}`} },
		"agents":      func(o *Options) { o.Agents = `{}` },
		"nothing":     func(*Options) {},
	} {
		o := options(t)
		managed := filepath.Join(t.TempDir(), "managed.json")
		put(t, filepath.Dir(managed), "managed.json", `{"disableSideloadFlags": true}`)
		o.Settings.ManagedFiles = []string{managed}
		bring(&o)
		s, err := Open(o)
		switch {
		case err == nil && (name == "servers" || name == "agents"):
			t.Errorf("%s come along", name)
		case err != nil && (name == "nothing" || name == "of the host" || !strings.Contains(err.Error(), "disableSideloadFlags ("+managed+":1)")):
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			mustClose(t, s)
		}
	}
}
