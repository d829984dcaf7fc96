package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// toolOutput takes what a PostToolUse hook puts in the place of a result. Every hook
// has seen the raw result; of several the last in the configuration counts.
func (m *merger) toolOutput(s *result) {
	if m.event != PostToolUse || s.out.Specific == nil {
		return
	}
	m.replace(s, 0, "updatedToolOutput", s.out.Specific.UpdatedToolOutput, &m.verdict.ToolOutput)
	if s.out.Specific.UpdatedMCPToolOutput != nil && !strings.HasPrefix(m.subject, "mcp__") {
		s.note(fmt.Sprintf("updatedMCPToolOutput is ignored: %s is no tool of an MCP server; use updatedToolOutput", m.subject))
		return
	}
	m.replace(s, 1, "updatedMCPToolOutput", s.out.Specific.UpdatedMCPToolOutput, &m.verdict.MCPToolOutput)
}

// oneToolOutput: of both kinds of result the one for MCP tools counts, which only they
// have.
func (m *merger) oneToolOutput() {
	if m.verdict.ToolOutput == nil || m.verdict.MCPToolOutput == nil {
		return
	}
	m.verdict.ToolOutput = nil
	m.replaced[0].note(fmt.Sprintf("updatedToolOutput is ignored: hook %s gives an updatedMCPToolOutput, which counts for the tools of MCP servers", m.replaced[1].hook.title()))
}

func (m *merger) replace(s *result, which int, key string, value strictjson.Raw, into *strictjson.Raw) {
	if value == nil {
		return
	}
	if before := m.replaced[which]; before != nil {
		before.note(fmt.Sprintf("%s is ignored: hook %s gives one, too, and stands later in the configuration", key, s.hook.title()))
		s.note(fmt.Sprintf("the %s of hook %s, which stands earlier in the configuration, is replaced by this one", key, before.hook.title()))
	}
	m.replaced[which], *into = s, value
}
