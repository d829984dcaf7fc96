package agent_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// shelf is servers whose tools a test exchanges.
type shelf struct {
	mu        sync.Mutex
	tools     []tool.Runner
	revision  int
	refreshed int
}

func (s *shelf) put(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = nil
	for _, name := range names {
		s.tools = append(s.tools, remote{tool.Named(name)})
	}
	s.revision++
}

func (s *shelf) Refresh(context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshed++
}

func (s *shelf) Revision() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strconv.Itoa(s.revision)
}

func (s *shelf) Offer() ([]tool.Runner, []wire.MCPServer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools, []wire.MCPServer{{Name: "pay", Status: "revision " + strconv.Itoa(s.revision)}}
}

// remote is a tool of a server.
type remote struct{ tool.Named }

func (remote) Description() string               { return "a remote tool" }
func (remote) Schema() []byte                    { return []byte(`{"type":"object"}`) }
func (remote) Order(*permission.Call) tool.Order { return tool.Alone }
func (r remote) Run(_ context.Context, job tool.Job) tool.Result {
	return tool.Succeed(r.Name() + " has run " + job.ToolUseID)
}

// offered are the tools of servers that the model was told about, request by request.
func offered(m *turns) []string {
	var list []string
	for _, r := range m.requests {
		var names []string
		for _, t := range r.Tools {
			if strings.HasPrefix(t.Name, "mcp__") {
				names = append(names, t.Name)
			}
		}
		list = append(list, strings.Join(names, " "))
	}
	return list
}

// The model is offered what servers have now, and a new tool is judged like any other.
func TestP15_ToolsOfServersComeAndGo(t *testing.T) {
	servers := &shelf{}
	servers.put("mcp__pay__lookup")
	p := says(permission.Allow)
	var judged []string
	watch := hook.Entry{Event: hook.PreToolUse, Handler: hook.Function{Func: func(_ context.Context, call hook.Invocation) (hook.Output, error) {
		judged = append(judged, call.Input.Subject())
		return hook.Output{}, nil
	}}}
	w := newWorld(t, config{
		rules: []string{"allow mcp__pay__lookup", "deny mcp__pay__wipe", "deny mcp__evil"}, asker: p, hooks: []hook.Entry{watch},
		change: func(c *agent.Config) { c.Servers = servers },
		turns: []reply{
			{calls: []model.Block{use("t1", "mcp__pay__lookup", `{}`), use("t2", "mcp__pay__refund", `{}`)}, during: func(context.Context) {
				servers.put("mcp__pay__refund", "mcp__pay__wipe", "mcp__evil__x")
			}},
			{calls: []model.Block{use("t3", "mcp__pay__refund", `{}`), use("t4", "mcp__pay__lookup", `{}`), use("t5", "mcp__pay__wipe", `{}`), use("t6", "mcp__evil__x", `{}`)}},
			{text: "done"},
		},
	})
	if result := w.prompt("go"); result.IsError {
		t.Fatalf("%+v", result)
	}
	want := []string{"mcp__pay__lookup", "mcp__pay__refund", "mcp__pay__refund"}
	if got := offered(w.model); !slices.Equal(got, want) {
		t.Errorf("offered %q", got)
	}
	results := w.results()
	for id, ran := range map[string]bool{"t1": true, "t2": false, "t3": true, "t4": false, "t5": false, "t6": false} {
		if strings.Contains(said(results[id]), "has run") != ran {
			t.Errorf("%s: %s", id, said(results[id]))
		}
	}
	if len(p.asked) != 1 || p.asked[0].ToolUseID != "t3" {
		t.Errorf("asked %+v: nobody has allowed the new tool", p.asked)
	}
	if got := strings.Join(judged, " "); got != "mcp__pay__lookup mcp__pay__refund" {
		t.Errorf("hooks judged %s", got)
	}
	init := w.messages[0].(*wire.Init)
	if len(init.MCPServers) != 1 || init.MCPServers[0].Status != "revision 1" || !slices.Contains(init.Tools, "mcp__pay__lookup") {
		t.Errorf("%+v", init)
	}
}

// A hook with a condition on a tool that came later judges it: the hooks were made before.
func TestP15_HooksKnowToolsThatCameLater(t *testing.T) {
	servers := &shelf{}
	matcher, err := hook.ParseMatcher("^mcp__pay__")
	if err != nil {
		t.Fatal(err)
	}
	condition, err := hook.ParseCondition("mcp__pay__refund")
	if err != nil {
		t.Fatal(err)
	}
	no := hook.Entry{Event: hook.PreToolUse, Matcher: matcher, If: condition, Handler: hook.Function{Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		return hook.Deny("not this one"), nil
	}}}
	w := newWorld(t, config{
		rules: []string{"allow mcp__pay"}, hooks: []hook.Entry{no}, change: func(c *agent.Config) { c.Servers = servers },
		turns: []reply{
			{calls: []model.Block{use("t1", "Read", `{"file_path":"/project/a"}`)}, during: func(context.Context) { servers.put("mcp__pay__refund") }},
			{calls: []model.Block{use("t2", "mcp__pay__refund", `{}`)}},
			{text: "done"},
		},
	})
	w.prompt("go")
	if got := said(w.results()["t2"]); !strings.Contains(got, "not this one") {
		t.Error(got)
	}
}

// Two tools of one name would be one too many: those that are there stay.
func TestToolsOfServersThatCannotBeToldApart(t *testing.T) {
	servers := &shelf{}
	servers.put("mcp__pay__a")
	w := newWorld(t, config{
		change: func(c *agent.Config) { c.Servers = servers },
		turns:  []reply{{text: "one"}, {text: "two"}},
	})
	w.prompt("go")
	servers.put("mcp__pay__b", "mcp__pay__b")
	w.prompt("go")
	if got := offered(w.model); !slices.Equal(got, []string{"mcp__pay__a", "mcp__pay__a"}) {
		t.Errorf("offered %q", got)
	}
	warned := 0
	for _, m := range w.messages {
		if note, ok := m.(*wire.Informational); ok && strings.Contains(note.Text, "two tools are called mcp__pay__b") {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("warned %d times", warned)
	}
}

// A tool that reports every byte is told about once a second, and not after its end.
func TestToolProgressIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, config{rules: []string{"allow Bash"}, turns: []reply{
			{calls: []model.Block{use("t1", "Task", `{"description":"d","prompt":"p","subagent_type":"general-purpose"}`)}},
			{calls: []model.Block{use("t2", "Bash", `{"command":"make"}`)}},
			{text: "done"},
			{text: "done"},
		}})
		var late func(tool.Progress)
		w.tools.run = func(_ context.Context, job tool.Job) tool.Result {
			for i := range 100 {
				job.Progress(tool.Progress{Done: float64(i), Total: 100, Message: "making"})
				time.Sleep(50 * time.Millisecond) // of the test's own clock
			}
			late = job.Progress
			return tool.Succeed("made")
		}
		w.prompt("go")
		late(tool.Progress{})
		var told []*wire.ToolProgress
		for _, m := range w.messages {
			if p, ok := m.(*wire.ToolProgress); ok {
				told = append(told, p)
			}
		}
		if len(told) != 5 {
			t.Fatalf("told %d times", len(told))
		}
		if p := told[1]; p.ToolUseID != "t2" || p.ToolName != "Bash" || p.ParentToolUseID != "t1" || p.ElapsedSeconds != 1 || p.Done != 20 || p.Total != 100 || p.Message != "making" {
			t.Errorf("%+v", p)
		}
	})
}
