package main

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/policy"
)

// An answer that cannot be written costs one line, and that line says so.
func TestOneAnswerThatCannotBeWritten(t *testing.T) {
	var out strings.Builder
	a := &app{in: strings.NewReader("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n"), out: &out}
	err := a.answerLines(func(line []byte) (any, string) {
		if strings.Contains(string(line), "2") {
			return map[string]string{"path": "\xff"}, ""
		}
		return map[string]string{"path": "fine"}, ""
	}, func(line []byte, problem string) any {
		return policy.LineReply{ID: policy.LineID(line), Error: problem}
	})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] != `{"path":"fine"}` || lines[2] != lines[0] || !strings.HasPrefix(lines[1], `{"id":2,"error":"the answer cannot be written as JSON`) {
		t.Errorf("answers %q", lines)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "1 of 3 lines could not be judged; the first is line 2: ") {
		t.Errorf("error %v", err)
	}
}
