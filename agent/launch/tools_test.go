package launch

import (
	"slices"
	"strings"
	"testing"
)

// A tool that no session offers is refused by its name: who names it counts on it.
func TestReadTools(t *testing.T) {
	for text, want := range map[string][]string{"": {}, "default": nil, "Read,Bash Grep": {"Read", "Bash", "Grep"}, "Agent": {"Agent"}, "Task": {"Task"}, "NotebookEdit": {"NotebookEdit"}} {
		if got, err := ReadTools([]string{text}); err != nil || !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, name := range []string{"Skill", "WebSearch", "KillShell", "SlashCommand", "bash", "mcp__a"} {
		if _, err := ReadTools([]string{"Read," + name}); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "Grep") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
