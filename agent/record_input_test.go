package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// quote is a text as a JSON string.
func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := strictjson.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

// TestT3_TheRecordSaysWhatRan: nothing that ran can be kept from whoever reads the record.
func TestT3_TheRecordSaysWhatRan(t *testing.T) {
	blanks := strings.Repeat(" ", 400)
	for name, tt := range map[string]struct {
		tool, input    string
		summary, whole string
	}{
		"plain":            {"Bash", `{"command":"ls"}`, "ls", `{"command":"ls"}`},
		"one spelling":     {"Bash", "{ \"timeout\": 5,\n\"command\":\"l\\u0073\"}", "ls", `{"command":"ls","timeout":5}`},
		"hidden by blanks": {"Bash", `{"command":"ls #` + blanks + `\ntouch evil"}`, "⏎touch evil", `\ntouch evil"}`},
		"hidden letters":   {"Bash", quoteCommand(t, "ls\u200b\u2800\U000e0041\u00a0x\u202e"), `ls\u200b\u2800\udb40\udc41\u00a0x\u202e`, `{"command":"ls\u200b\u2800\udb40\udc41\u00a0x\u202e"}`},
		"no tool":          {"Wipe", `{"command":"ls","disk":"sda"}`, `{"command":"ls","disk":"sda"}`, `{"command":"ls","disk":"sda"}`},
		"a server's tool":  {"mcp__bank__pay", `{"path":"/x","amount":900}`, `"amount":900`, `{"amount":900,"path":"/x"}`},
		"invalid":          {"Bash", `{"cmd":"rm x"}`, `{"cmd":"rm x"}`, `{"cmd":"rm x"}`},
		"a task":           {"Task", subtask, `"prompt":"do it"`, `"prompt":"do it"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{
				{calls: []model.Block{use("t1", tt.tool, tt.input)}}, {text: "ok"}, {text: "ok"},
			}})
			w.prompt("go")
			r := w.audit.records[0]
			if !strings.Contains(r.Summary, tt.summary) || len(r.Summary) > 400 {
				t.Errorf("summary %q, want %q", r.Summary, tt.summary)
			}
			if !strings.Contains(r.Input.Text, tt.whole) || r.Input.LeftOut != 0 {
				t.Errorf("input %+v, want %q", r.Input, tt.whole)
			}
			if !sameJSON(t, r.Input.Text, tt.input) {
				t.Errorf("input %q is not %q", r.Input.Text, tt.input)
			}
			if r.Asked != (audit.Excerpt{}) {
				t.Errorf("nobody has changed it, and asked is %+v", r.Asked)
			}
		})
	}
}

func quoteCommand(t *testing.T, command string) string {
	t.Helper()
	return `{"command":` + quote(t, command) + `}`
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	x, errX := strictjson.Canonical([]byte(a))
	y, errY := strictjson.Canonical([]byte(b))
	if errX != nil || errY != nil {
		t.Errorf("%v, %v", errX, errY)
	}
	return string(x) == string(y)
}

// An input of any length takes a bounded place, and its end is seen.
func TestT3_ALongInputIsCutInTheMiddle(t *testing.T) {
	input := `{"command":"echo ` + strings.Repeat("ä", 20_000) + ` end"}`
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", input)}}, {text: "ok"}}})
	w.prompt("go")
	r := w.audit.records[0]
	e := r.Input
	if !strings.HasPrefix(input, e.Text) || !strings.HasSuffix(input, e.Tail) || !strings.HasSuffix(e.Tail, ` end"}`) {
		t.Errorf("%.40q … %.40q", e.Text, e.Tail)
	}
	if len(e.Text)+e.LeftOut+len(e.Tail) != len(input) || len(e.Text)+len(e.Tail) > 8<<10 || len(e.Text) < 4000 || len(e.Tail) < 4000 {
		t.Errorf("%d + %d + %d bytes of %d", len(e.Text), e.LeftOut, len(e.Tail), len(input))
	}
	if !strings.HasSuffix(r.Summary, " end") || !strings.Contains(r.Summary, " bytes … ") {
		t.Errorf("%q", r.Summary)
	}
}

// What ran is on record, and what the model had asked for.
func TestT3_AChangedInputIsRecordedTwice(t *testing.T) {
	for name, c := range map[string]config{
		"by an answer": {asker: answers(`{"command":"echo hi"}`)},
		"by a hook":    {hooks: []hook.Entry{rewrites(t, "echo hi", nil)}},
	} {
		t.Run(name, func(t *testing.T) {
			c.turns = []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}
			w := newWorld(t, c)
			w.prompt("go")
			r := w.audit.records[0]
			if r.Decision != "allow" || r.Summary != "echo hi" || r.Input.Text != `{"command":"echo hi"}` || !sameJSON(t, r.Asked.Text, push) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// A call that was not judged, because the work was interrupted or it cannot be read, says
// what it was.
func TestT3_ACallThatWasNotJudgedIsRecorded(t *testing.T) {
	garbled := use("t3", "Bash", `{"command":"rm x"`)
	var w *world
	stop := &person{answer: func(ctx context.Context, _ agent.Question) (permission.Answer, error) {
		w.agent.Interrupt()
		<-ctx.Done()
		return permission.Answer{}, ctx.Err()
	}}
	w = newWorld(t, config{asker: stop, turns: []reply{{calls: []model.Block{
		garbled, use("t1", "Bash", push), use("t2", "Bash", `{"command":"rm y"}`),
	}}}})
	w.prompt("go")
	if len(w.audit.records) != 3 {
		t.Fatalf("%+v", w.audit.records)
	}
	for i, want := range []string{`{"command":"rm x"`, "git push", "rm y"} {
		if r := w.audit.records[i]; !strings.Contains(r.Summary, want) || !strings.Contains(r.Input.Text, want) {
			t.Errorf("%s: %q %+v", want, r.Summary, r.Input)
		}
	}
}
