package policy

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/tool"
)

func TestParseCall(t *testing.T) {
	for _, c := range []struct{ text, tool, input string }{
		{"Bash(git push)", "Bash", `{"command":"git push"}`},
		{"Bash(echo $(date))", "Bash", `{"command":"echo $(date)"}`},
		{"Bash({ ls; })", "Bash", `{"command":"{ ls; }"}`},
		{"Read(~/x)", "Read", `{"file_path":"~/x"}`},
		{"WebFetch(https://a.b/c)", "WebFetch", `{"prompt":"","url":"https://a.b/c"}`},
		{"WebFetch(domain:a.b)", "WebFetch", `{"prompt":"","url":"https://a.b/"}`},
		{`mcp__pay__refund({"id": 1})`, "mcp__pay__refund", `{"id": 1}`},
		{`Read({"file_path": "x", "limit": 3})`, "Read", `{"file_path": "x", "limit": 3}`},
	} {
		got, err := ParseCall(c.text)
		if err != nil || got.Tool != c.tool || string(got.Input) != c.input {
			t.Errorf("ParseCall(%q) = %s %s, %v; want %s %s", c.text, got.Tool, got.Input, err, c.tool, c.input)
		}
	}
	for _, text := range []string{"git push", "Bash(git push", "(x)", "mcp__pay__refund(x)", "TodoWrite(x)", ""} {
		if got, err := ParseCall(text); err == nil {
			t.Errorf("ParseCall(%q) = %s %s, want an error", text, got.Tool, got.Input)
		}
	}
}

// The short form of every tool that has one is an input that its schema takes.
func TestShortFormsAreValid(t *testing.T) {
	short := 0
	for _, d := range tool.Builtin() {
		content := "x.y"
		if d.Name() == "WebFetch" {
			content = "https://example.com"
		}
		call, err := NewCall(d.Name(), content)
		if err != nil {
			continue
		}
		short++
		if err := d.Validate(call.Input); err != nil {
			t.Errorf("%s: %v", call.Input, err)
		}
		if d.Subject() != "" && !strings.Contains(string(call.Input), `"`+d.Subject()+`"`) {
			t.Errorf("%s: %s is not about %s", d.Name(), call.Input, d.Subject())
		}
	}
	if short < 12 {
		t.Errorf("only %d tools have a short form", short)
	}
}
