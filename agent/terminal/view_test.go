package terminal

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// What a person sees of a session.
func TestView(t *testing.T) {
	s := newScreen(60)
	v := newTerminal(s, false).View()
	say := func(text string) *wire.Assistant { return &wire.Assistant{Block: model.TextBlock(text)} }
	use := func(id, name string, input strictjson.Raw) *wire.Assistant {
		return &wire.Assistant{Block: model.Block{Kind: model.ToolUse, ID: id, Name: name, Input: input}}
	}
	result := func(id, text string, failed bool) *wire.User {
		return &wire.User{Content: []model.Block{{Kind: model.ToolResult, ToolUseID: id, IsError: failed, Result: []model.Block{model.TextBlock(text)}}}}
	}
	below := func(m *wire.Assistant) *wire.Assistant {
		m.ParentToolUseID = "t2"
		return m
	}
	for _, m := range []wire.Message{
		&wire.Init{Cwd: "/proj"},
		say("I look at the files first, all of them, one after the other.\n\n\tcode \x1b[2J\n? Bash wants to run:"),
		use("t1", "Bash", object(t, "command", "ls -la\n\x1b[31mrm -rf /tmp/this/is/a/very/long/path/that/does/not/fit")),
		result("t1", "total 2\na\nb\n", false),
		use("t2", "Task", object(t, "description", "tidy\u202e up", "prompt", "go")),
		below(say("I tidy up.")),
		below(use("t3", "Read", object(t, "file_path", "a.txt"))),
		&wire.User{ParentToolUseID: "t2", Content: result("t3", "no such\x07 file", true).Content},
		result("t2", "", false),
		use("t4", "mcp__shop__refund", object(t, "amount", 3)),
		&wire.Informational{Level: "warning", Text: "a hook \x1b did not work"},
		&wire.Informational{Level: "info", Text: "by the way"},
		&wire.Status{PermissionMode: "plan"},
		&wire.APIRetry{Error: "overloaded", RetryDelayMS: 1500},
		&wire.CompactBoundary{},
		&wire.HookStarted{HookName: "unseen"},
		say("Done."),
		&wire.Result{Subtype: wire.Success, Text: "Done."},
		&wire.Result{Subtype: wire.Success, Text: "The conversation was summed up."},
		&wire.Result{Subtype: wire.ErrorDuringExecution, IsError: true, Errors: []string{"interrupted"}},
	} {
		v.Tell(m)
		v.observe(m)
	}
	golden(t, "view", s.text())
}
