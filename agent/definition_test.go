package agent_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// named is a tool that only has a name.
type named struct {
	fake
	name string
}

func (n named) Name() string { return n.name }

func toolsOf(r model.Request) string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestToolsOfASubAgent(t *testing.T) {
	for name, tt := range map[string]struct {
		definition agent.Definition
		want       string
	}{
		"all":              {agent.Definition{}, "AskUserQuestion Bash Edit Read Task TodoWrite Write mcp__a__x mcp__a__y mcp__b__x"},
		"some":             {agent.Definition{Tools: []string{"Read", "Bash", "Unknown"}}, "Bash Read"},
		"none":             {agent.Definition{Tools: []string{}}, ""},
		"a server":         {agent.Definition{Tools: []string{"mcp__a", "Read"}}, "Read mcp__a__x mcp__a__y"},
		"a server, star":   {agent.Definition{Tools: []string{"mcp__a__*"}}, "mcp__a__x mcp__a__y"},
		"one of a server":  {agent.Definition{Tools: []string{"mcp__a__x"}}, "mcp__a__x"},
		"without some":     {agent.Definition{Disallowed: []string{"Bash", "mcp__a", "Task"}}, "AskUserQuestion Edit Read TodoWrite Write mcp__b__x"},
		"some but not one": {agent.Definition{Tools: []string{"*"}, Disallowed: []string{"mcp__a__*", "Agent", "Write", "Edit"}}, "AskUserQuestion Bash Read TodoWrite mcp__b__x"},
		"some by a star":   {agent.Definition{Tools: []string{"mcp__*__x", "*ead"}}, "Read mcp__a__x mcp__b__x"},
		"without a star":   {agent.Definition{Disallowed: []string{"mcp__a__y*", "Bas*", "*Question", "Tas*", "T*W*e"}}, "Edit Read Write mcp__a__x mcp__b__x"},
		"without Agents":   {agent.Definition{Tools: []string{"Task", "Read"}, Disallowed: []string{"Agen*"}}, "Read"},
		"one, not more":    {agent.Definition{Tools: []string{"mcp__a__long"}}, "mcp__a__long"},
		"all but one":      {agent.Definition{Tools: []string{"mcp__a"}, Disallowed: []string{"mcp__a__long"}}, "mcp__a__long__wipe mcp__a__x mcp__a__y"},
		"a server's name":  {agent.Definition{Tools: []string{"mcp__a", "mcp__b.x"}, Disallowed: []string{"mcp__a__long._wipe"}}, "mcp__a__long mcp__a__x mcp__a__y"},
		"a name with dots": {agent.Definition{Tools: []string{"mcp__a__long/.wi*"}}, "mcp__a__long__wipe"},
		"with agents":      {agent.Definition{Tools: []string{"Agent"}}, "Task"},
		"never plan mode":  {agent.Definition{Tools: []string{"ExitPlanMode", "Read"}}, "Read"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{change: func(c *agent.Config) {
				tt.definition.Name, tt.definition.Prompt = "kind", "p"
				c.Agents = []agent.Definition{tt.definition}
				read := c.Tools[slices.IndexFunc(c.Tools, func(r tool.Runner) bool { return r.Name() == "Read" })].(fake)
				more := []string{"mcp__a__x", "mcp__a__y", "mcp__b__x"}
				if strings.Contains(tt.want, "long") {
					more = append(more, "mcp__a__long", "mcp__a__long__wipe")
				}
				for _, n := range more {
					c.Tools = append(c.Tools, named{read, n})
				}
			}, turns: []reply{{calls: []model.Block{use("t1", "Task", `{"description":"d","prompt":"do it","subagent_type":"kind"}`)}}, {text: "sub"}, {text: "done"}}})
			w.prompt("go")
			if got := toolsOf(w.model.requests[1]); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What is to be taken away must be something.
func TestUnknownToolsThatAnAgentDoesNotHave(t *testing.T) {
	d := agent.Definition{Disallowed: []string{"Bash", "bash", "Bas*", "Agent", "WebSearch", "mcp__a", "mcp__a__x*", "mcp__", "mcp_a", "*", "Foo*", ""}}
	if got := strings.Join(d.Unknown(), ","); got != "bash,mcp__,mcp_a,Foo*," {
		t.Error(got)
	}
}

func TestModelAndModeOfASubAgent(t *testing.T) {
	w := newWorld(t, config{rules: []string{"allow Bash"}, change: func(c *agent.Config) {
		c.ResolveModel = func(name string) string { return "full-" + name }
		c.Agents = []agent.Definition{
			{Name: "own", Prompt: "p", Model: "opus", Mode: permission.Plan},
			{Name: "inherits", Prompt: "p", Model: "inherit", Mode: permission.BypassPermissions},
			{Name: "brief", Prompt: "p", MaxTurns: 1},
		}
	}, turns: []reply{
		{calls: []model.Block{
			use("t1", "Task", `{"description":"d","prompt":"x","subagent_type":"own"}`),
		}},
		{text: "sub"},
		{calls: []model.Block{use("t2", "Task", `{"description":"d","prompt":"x","subagent_type":"inherits"}`)}},
		{calls: []model.Block{use("s2", "Write", `{"file_path":"/project/a","content":"x"}`)}},
		{text: "sub"},
		{calls: []model.Block{use("t3", "Task", `{"description":"d","prompt":"x","subagent_type":"own","model":"haiku"}`)}},
		{text: "sub"},
		{calls: []model.Block{use("t4", "Task", `{"description":"d","prompt":"x","subagent_type":"brief","max_turns":5}`)}},
		{calls: []model.Block{use("s4", "Bash", `{"command":"make"}`)}},
		{text: "done"},
	}})
	result := w.prompt("go")
	var models []string
	for _, r := range w.model.requests {
		models = append(models, r.Model)
	}
	want := []string{"test-model", "full-opus", "test-model", "test-model", "test-model", "test-model", "full-haiku", "test-model", "test-model", "test-model"}
	if !slices.Equal(models, want) {
		t.Errorf("models %v", models)
	}
	// A mode that is looser than the parent's changes nothing.
	if len(result.Denials) != 1 || result.Denials[0].ToolUseID != "s2" {
		t.Errorf("%+v", result.Denials)
	}
	if got := said(w.results()["t4"]); !strings.Contains(got, "limit of turns") {
		t.Errorf("t4: %s", got)
	}
}

// A sub-agent that works in plan mode writes nothing, whatever its parent may.
func TestASubAgentInAStricterMode(t *testing.T) {
	w := newWorld(t, config{mode: permission.AcceptEdits, change: func(c *agent.Config) {
		c.Agents = []agent.Definition{{Name: "planner", Prompt: "p", Mode: permission.Plan}}
	}, turns: []reply{
		{calls: []model.Block{use("t1", "Task", `{"description":"d","prompt":"x","subagent_type":"planner"}`)}},
		{calls: []model.Block{use("s1", "Write", `{"file_path":"/project/a","content":"x"}`)}},
		{text: "sub"},
		{calls: []model.Block{use("c1", "Write", `{"file_path":"/project/a","content":"x"}`)}},
		{text: "done"},
	}})
	if result := w.prompt("go"); len(result.Denials) != 1 || result.Denials[0].ToolUseID != "s1" || len(w.tools.list()) != 1 {
		t.Errorf("%+v, ran %v", result.Denials, w.tools.list())
	}
}

// TestS10_TheStrictestModeHolds: of the parent's mode, that of the definition and the one
// that the call asks for, a sub-agent works in whichever takes the most away.
func TestS10_TheStrictestModeHolds(t *testing.T) {
	for name, tt := range map[string]struct {
		parent, own permission.Mode
		call        string
		ran         string
	}{
		"plan over a definition":         {permission.BypassPermissions, permission.AcceptEdits, "plan", ""},
		"plan over default":              {permission.Default, permission.Default, "plan", ""},
		"plan does not replace dontAsk":  {permission.AcceptEdits, permission.DontAsk, "plan", ""},
		"acceptEdits below bypass":       {permission.BypassPermissions, permission.AcceptEdits, "", "Write"},
		"auto below bypass":              {permission.BypassPermissions, permission.Auto, "", "Write"},
		"bypass changes nothing":         {permission.AcceptEdits, permission.BypassPermissions, "", "Write"},
		"a definition without a mode":    {permission.BypassPermissions, 0, "", "Write Bash"},
		"acceptEdits below default":      {permission.Default, permission.AcceptEdits, "", ""},
		"a definition that changes none": {permission.BypassPermissions, permission.BypassPermissions, "", "Write Bash"},
	} {
		t.Run(name, func(t *testing.T) {
			call := `{"description":"d","prompt":"x","subagent_type":"kind"}`
			if tt.call != "" {
				call = `{"description":"d","prompt":"x","subagent_type":"kind","mode":"` + tt.call + `"}`
			}
			w := newWorld(t, config{mode: tt.parent, change: func(c *agent.Config) {
				c.Agents = []agent.Definition{{Name: "kind", Prompt: "p", Mode: tt.own}}
			}, turns: []reply{
				{calls: []model.Block{use("t1", "Task", call)}},
				{calls: []model.Block{use("s1", "Write", `{"file_path":"/project/a","content":"x"}`), use("s2", "Bash", push)}},
				{text: "sub"},
				{text: "done"},
			}})
			w.prompt("go")
			var ran []string
			for _, one := range w.tools.list() {
				name, _, _ := strings.Cut(one, " ")
				ran = append(ran, name)
			}
			if got := strings.Join(ran, " "); got != tt.ran {
				t.Errorf("ran %q, want %q", got, tt.ran)
			}
		})
	}
}

func TestW5_AgentsOfAHost(t *testing.T) {
	w := newWorld(t, config{change: func(c *agent.Config) {
		c.Agents = []agent.Definition{{Name: "a", Description: "of a file", Prompt: "p"}, {Name: "b", Description: "of a file", Prompt: "p"}}
		c.Environment.Agents = []string{"a", "b"}
	}, turns: []reply{{text: "done"}}})
	for _, bad := range [][]agent.Definition{{{Name: "x"}}, {{Prompt: "p"}}, {{Name: "x", Prompt: "p"}, {Name: "x", Prompt: "q"}}} {
		if w.agent.AddAgents(bad) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	var all sync.WaitGroup
	for _, name := range []string{"a", "c", "general-purpose"} {
		all.Go(func() {
			if err := w.agent.AddAgents([]agent.Definition{{Name: name, Description: "of the host", Prompt: "p"}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.prompt("go")
	described := w.model.requests[0].Tools[slices.IndexFunc(w.model.requests[0].Tools, func(t model.Tool) bool { return t.Name == "Task" })].Description
	for line, want := range map[string]int{"- a: of the host\n": 1, "- a: ": 1, "- b: of a file\n": 1, "- c: of the host\n": 1, "- general-purpose: of the host\n": 1, "- general-purpose: ": 1} {
		if strings.Count(described, line) != want {
			t.Errorf("%q is not %d times in\n%s", line, want, described)
		}
	}
	for _, m := range w.messages {
		if init, ok := m.(*wire.Init); ok && !slices.Equal(slices.Sorted(slices.Values(init.Agents)), []string{"a", "b", "c", "general-purpose"}) {
			t.Errorf("init lists %v", init.Agents)
		}
	}
	if w.agent.AddAgents([]agent.Definition{{Name: "late", Prompt: "p"}}) == nil {
		t.Error("an agent was added after the first prompt")
	}
}
