package guard_test

import (
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
)

// A guard that is set up for the wrong agent: a denial of what Claude Code sends is one
// that Claude Code obeys.
func TestT4_WrongAgent(t *testing.T) {
	for _, agent := range dialect.Agents {
		w := newWorld(t, agent).user(`{"permissions":{"allow":["Bash"],"deny":["Bash(rm:*)"]}}`)
		for _, mode := range []string{"default", "bypassPermissions"} {
			event := with(shellEvent(dialect.Claude, w.proj, "rm -rf x"), "permission_mode", mode)
			if reply := w.send(event); dialecttest.LetsThrough(dialect.Claude, dialect.ToolCall, reply) || w.letsThrough(reply) {
				t.Errorf("Claude Code with --agent %v in %s: %+v", agent, mode, reply)
			}
		}
		// To Copilot any status is a denial.
		reply := w.send(shellEvent(dialect.Copilot, w.proj, "rm -rf x"))
		if through := dialecttest.LetsThrough(dialect.Copilot, dialect.ToolCall, reply); through && agent != dialect.Codex && agent != dialect.Gemini {
			t.Errorf("Copilot with --agent %v: %+v", agent, reply)
		}
		// Codex reads no status, so not every mistake can be made good.
		reply = w.send(shellEvent(dialect.Codex, w.proj, "rm -rf x"))
		if through := dialecttest.LetsThrough(dialect.Codex, dialect.ToolCall, reply); through && agent != dialect.Cursor && agent != dialect.Copilot {
			t.Errorf("Codex with --agent %v: %+v", agent, reply)
		}
	}
}
