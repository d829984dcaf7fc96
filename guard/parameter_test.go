package guard_test

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// agents in front of which the guard stands.
var agents = []dialect.Agent{dialect.Claude, dialect.Codex, dialect.Gemini, dialect.Cursor, dialect.Copilot}

// shellNames are what agents call the shell.
var shellNames = map[dialect.Agent]string{
	dialect.Claude: "Bash", dialect.Codex: "exec_command", dialect.Gemini: "run_shell_command", dialect.Cursor: "Shell", dialect.Copilot: "bash",
}

// TestS47_ParameterRulesInFrontOfAgents: a rule on a parameter holds for every agent, in deny, ask and
// allow, for commands and for the tools of servers, however the agent spells them.
func TestS47_ParameterRulesInFrontOfAgents(t *testing.T) {
	servers := map[dialect.Agent]string{
		dialect.Claude: "mcp__pay__refund", dialect.Codex: "mcp__pay__refund", dialect.Gemini: "mcp_pay_refund", dialect.Cursor: "MCP:refund", dialect.Copilot: "pay-refund",
	}
	for _, c := range []struct {
		rule, input       string
		shell             bool
		restricts, grants bool
	}{
		{"Bash(run_in_background:true)", `{"command":"make","run_in_background":true}`, true, true, true},
		{"Bash(run_in_background:true)", `{"command":"make","run_in_background":false}`, true, false, false},
		{"Bash(run_in_background:true)", `{"command":"make"}`, true, false, false},
		{"mcp__pay__refund(amount:>500)", `{"amount":501}`, false, true, true},
		{"mcp__pay__refund(amount:>500)", `{"amount":500}`, false, false, false},
		{"mcp__pay__refund(amount:>500)", `{"amount":"501"}`, false, true, false},
		{"mcp__pay__refund(amount:>500)", `{}`, false, false, false},
		{"mcp__pay__refund(order.country:D*)", `{"order":{"country":"DE"}}`, false, true, true},
		{"mcp__pay__refund(order.country:D*)", `{"order":{"country":"US"}}`, false, false, false},
	} {
		for _, agent := range agents {
			tool := servers[agent]
			if c.shell {
				tool = shellNames[agent]
			}
			for list, mode := range map[string]string{"deny": "bypassPermissions", "ask": "bypassPermissions", "allow": "default"} {
				w := newWorld(t, agent).user(fmt.Sprintf(`{"permissions":{"defaultMode":%q,%q:[%q]}}`, mode, list, c.rule))
				want := !c.restricts
				if list == "allow" {
					want = c.grants && (c.shell || agent != dialect.Cursor && agent != dialect.Copilot) // whose names may be those of others
				}
				reply := w.send(toolEvent(agent, w.proj, tool, c.input))
				if got := w.letsThrough(reply); got != want {
					t.Errorf("%v: %s %s: %s %s: through %v, want %v: %s", agent, list, c.rule, tool, c.input, got, want, reply.Stdout)
				}
			}
		}
	}
}

// TestS46_LimitsInFrontOfAgents: what settings limit is limited for every agent, and nobody is asked
// where settings want that.
func TestS46_LimitsInFrontOfAgents(t *testing.T) {
	for _, agent := range agents {
		for settings, through := range map[string]bool{
			`{"permissions":{"defaultMode":"bypassPermissions"}}`:                                                                         true,
			`{"permissions":{"defaultMode":"bypassPermissions","blockReadsOutsideWorkingDirectories":true}}`:                              false,
			`{"permissions":{"allow":["Bash"],"blockReadsOutsideWorkingDirectories":true}}`:                                               false,
			`{"permissions":{"allow":["Bash"],"denyInsteadOfPrompting":true}}`:                                                            true,
			`{"permissions":{"allow":["Bash"],"ask":["Bash(cat:*)"],"denyInsteadOfPrompting":true}}`:                                      false,
			`{"permissions":{"defaultMode":"bypassPermissions"},"deniedMcpServers":[{"serverName":"x"}],"allowedHttpHookUrls":["https"]}`: true,
		} {
			w := newWorld(t, agent).user(settings)
			if reply := w.run("cat /etc/hosts"); w.letsThrough(reply) != through {
				t.Errorf("%v: %s: %s", agent, settings, reply.Stdout)
			}
		}
		w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions"},"allowedMcpServers":[{"serverName":"other"}]}`)
		if reply := w.send(toolEvent(agent, w.proj, "mcp__pay__refund", "{}")); w.letsThrough(reply) {
			t.Errorf("%v: a server that is not allowed: %s", agent, reply.Stdout)
		}
	}
}

// TestS47_BackgroundInEveryAgentsWords: what runs in the background does so whatever the agent calls it.
func TestS47_BackgroundInEveryAgentsWords(t *testing.T) {
	for _, agent := range agents {
		w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["Bash(run_in_background:true)","Edit(replace_all:true)"]}}`)
		for more, through := range map[string]bool{
			`"is_background":true`: false, `"isBackground":true`: false, `"background":true`: false, `"detach":true`: false, `"mode":"async"`: false,
			`"run_in_background":false,"is_background":true`: false, `"run_in_background":true,"is_background":false`: false,
			`"is_background":false`: true, `"mode":"sync"`: true, `"run_in_background":null`: true, `"timeout":5`: true,
		} {
			if reply := w.send(toolEvent(agent, w.proj, shellNames[agent], `{"command":"make",`+more+`}`)); w.letsThrough(reply) != through {
				t.Errorf("%v: %s: %s", agent, more, reply.Stdout)
			}
		}
	}
	for agent, task := range map[dialect.Agent]string{dialect.Claude: "Task", dialect.Cursor: "Task", dialect.Copilot: "task"} {
		w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["Agent(model:opus)"]}}`)
		for model, through := range map[string]bool{"opus": false, "sonnet": true} {
			if reply := w.send(toolEvent(agent, w.proj, task, `{"description":"d","prompt":"p","model":"`+model+`"}`)); w.letsThrough(reply) != through {
				t.Errorf("%v: a sub-agent with %s: %s", agent, model, reply.Stdout)
			}
		}
	}
	for agent, read := range map[dialect.Agent]string{dialect.Claude: "Read", dialect.Gemini: "read_file", dialect.Cursor: "Read", dialect.Copilot: "view"} {
		w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["Read(limit:5)"]}}`)
		for limit, through := range map[string]bool{"5": false, "6": true} {
			input := `{"file_path":"a.go","limit":` + limit + `}`
			if agent == dialect.Copilot {
				input = `{"path":"a.go","limit":` + limit + `}`
			}
			if reply := w.send(toolEvent(agent, w.proj, read, input)); w.letsThrough(reply) != through {
				t.Errorf("%v: reading %s lines: %s", agent, limit, reply.Stdout)
			}
		}
	}
}
