package herald

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Who may not see the input of a call hears of what kind it is, and no word of it but the names of
// programs.
func TestT16_AnOutlineHasNoWordsOfTheCall(t *testing.T) {
	const secret = "CANARY"
	bash := func(command string) string {
		text, err := strictjson.Marshal(map[string]string{"command": command, "description": secret})
		must(t, err)
		return string(text)
	}
	const file = `{"file_path": "/srv/CANARY/x", "content": "CANARY", "old_string": "CANARY", "new_string": "CANARY"}`
	for _, tt := range []struct{ tool, input, want string }{
		{"Bash", bash("printf '%s' 'CANARY, IBAN DE89' > CANARY.txt && echo CANARY && curl -u admin:CANARY http://CANARY/x"), "Run 3 commands: printf, echo, curl"},
		{"Bash", bash("npm publish CANARY"), "Run a command: npm"},
		{"Bash", bash("/srv/CANARY/bin/deploy; deploy"), "Run 2 commands: deploy"},
		{"Bash", bash("TOKEN=CANARY make # CANARY"), "Run a command: make"},
		{"Bash", bash("sudo rm -rf ./CANARY"), "Run a command: sudo, rm"},
		{"Bash", bash("$CANARY x; \"$(echo CANARY)\""), "Run 3 commands: echo and others"},
		{"Bash", bash("'CANARY of a name'; echo"), "Run 2 commands: echo and others"},
		{"Bash", bash("CANARY_" + strings.Repeat("x", 40)), "Run a command"},
		{"Bash", bash("CANÄRY"), "Run a command"},
		{"Bash", bash("cat <<CANARY\nof CANARY\nCANARY"), "Run a command: cat"},
		{"Bash", bash("a;b;c;d;e;f;g"), "Run 7 commands: a, b, c, d, e and others"},
		{"Bash", bash("x=CANARY"), "Run a command"},
		{"Bash", bash("if CANARY"), "Run a command that cannot be understood"},
		{"Bash", `{"command": "CANARY`, "Run a command that cannot be understood"},
		{"Bash", `{"CANARY": 1}`, "Run a command that cannot be understood"},
		{"Write", file, "Write a file"},
		{"Edit", file, "Change a file"},
		{"NotebookEdit", `{"notebook_path": "CANARY"}`, "Change a notebook"},
		{"Read", file, "Read a file"},
		{"Glob", `{"pattern": "CANARY"}`, "Look for files"},
		{"Grep", `{"pattern": "CANARY"}`, "Search files"},
		{"WebFetch", `{"url": "https://CANARY/"}`, "Fetch a page"},
		{"WebSearch", `{"query": "CANARY"}`, "Search the web"},
		{"Task", `{"prompt": "CANARY", "description": "CANARY"}`, "Start an agent"},
		{"AskUserQuestion", `{"questions": [{"question": "CANARY"}]}`, "Answer a question"},
		{"ExitPlanMode", `{"plan": "CANARY"}`, "Begin to work on the plan"},
		{"mcp__shop__refund", `{"CANARY": "CANARY"}`, "Call refund of the MCP server shop"},
		{"Deploy", `{"to": "CANARY"}`, "Call the tool Deploy"},
		{"mcp__CANARY of__x", `{}`, "Call a tool"},
		{"CANARY CANARY", `{}`, "Call a tool"},
		{"CANARY" + strings.Repeat("x", 90), `{}`, "Call a tool"},
		{"", ``, "Call a tool"},
	} {
		if got := outline(tt.tool, strictjson.Raw(tt.input)); got != tt.want || strings.Contains(got, secret) {
			t.Errorf("%s %s:\ngot  %q\nwant %q", tt.tool, tt.input, got, tt.want)
		}
	}
}
