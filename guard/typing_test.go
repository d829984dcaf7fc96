package guard_test

import (
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// A command that is typed in parts is not known before the last of them. Only whole
// lines can be judged.
func TestT4_TypingInParts(t *testing.T) {
	const codex, copilot = dialect.Codex, dialect.Copilot
	for _, test := range []struct {
		agent   dialect.Agent
		input   string
		through bool
	}{
		{codex, `{"chars":"ls\n"}`, true},
		{codex, `{"chars":"ls -la\rpwd\r"}`, true},
		{codex, `{"chars":""}`, true},
		{codex, `{"session_id":3}`, true},
		{codex, `{"chars":"\n"}`, true},
		{codex, `{"chars":"\u0003"}`, true},
		{codex, `{"chars":"\u0004"}`, true},
		{codex, `{"chars":"r\u0003"}`, true},
		{codex, `{"chars":"\u001b[A\r"}`, true},
		{codex, `{"chars":"cat <<E\nx\nE\n"}`, true},
		{codex, `{"chars":"[ ! -f a ] && ls\n"}`, true},
		{codex, `{"chars":"echo ${HOME}\n"}`, true},
		{codex, `{"chars":"y\n","session_id":"abc"}`, true},

		{codex, `{"chars":"rm -rf x\n"}`, false},
		{codex, `{"chars":"r"}`, false},
		{codex, `{"chars":"ls\nr"}`, false},
		{codex, `{"chars":" "}`, false},
		{codex, `{"chars":"r\u0004"}`, false}, // a shell does not send a line for it
		{codex, `{"chars":"r\\\n"}`, false},
		{codex, `{"chars":"r\\\r"}`, false},
		{codex, `{"chars":"echo '\n"}`, false},
		{codex, `{"chars":"echo 'a\nb; rm -rf x\n"}`, false},
		{codex, `{"chars":"cat <<E\n"}`, false},
		{codex, `{"chars":"ls &&\n"}`, false},
		{codex, `{"chars":"\u001b[A"}`, false},
		{codex, `{"chars":"\u001b[A\u007f\r"}`, false},
		{codex, `{"chars":"xrm -rf x\u009bD\n"}`, false},
		{codex, `{"chars":"\u0085\n"}`, false},
		{codex, `{"chars":"!!:s/x/r/\n"}`, false},
		{codex, `{"chars":"^xm^rm\n"}`, false},
		{codex, `{"text":"rm -rf x\n"}`, false},
		{codex, `{"text":"r"}`, false},
		{codex, `{"chars":"ls\n","text":"rm x\n"}`, false},
		{codex, `{"chars":"ls\n","command":"rm x"}`, false},
		{codex, `{"chars":"ls\n","more":{"cmd":"rm x"}}`, false},
		{codex, `{"chars":["r","m x\n"]}`, false},

		{copilot, `{"input":"ls{enter}"}`, true},
		{copilot, `{"shellId":"1","input":"{up}{enter}"}`, true},
		{copilot, `{"shellId":"r","input":"ls{Enter}"}`, true},
		{copilot, `{"input":"r"}`, false},
		{copilot, `{"input":"{up}"}`, false},
		{copilot, `{"input":"{up}{left}{enter}"}`, false},
		{copilot, `{"input":"xr{ctrl+h}m -rf x{enter}"}`, false},
		{copilot, `{"input":"rx{bksp}m -rf x{enter}"}`, false},
		{copilot, `{"input":"ls{ctrl-j}{enter}"}`, false},
		{copilot, `{"input":"rm -rf x{return}"}`, false},
	} {
		tool := "write_stdin"
		if test.agent == copilot {
			tool = "write_bash"
		}
		for _, mode := range []string{"default", "bypassPermissions"} {
			w := newWorld(t, test.agent).user(`{"permissions":{"allow":["write_stdin","write_bash"],"deny":["Bash(rm:*)"]}}`)
			event := with(toolEvent(test.agent, w.proj, tool, test.input), "permission_mode", mode)
			if reply := w.send(event); w.letsThrough(reply) != test.through {
				t.Errorf("%v in %s: %s: %s", test.agent, mode, test.input, reply.Stdout)
			}
		}
	}
}
