package settings

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	got, err := Plain("{\"a\": 1, // one\n}")
	if text := strings.Join(strings.Fields(string(got)), ""); err != nil || text != `{"a":1}` {
		t.Errorf("%s, %v", text, err)
	}
	for _, broken := range []string{"", "[]", `{"a":1,"a":2}`, "{"} {
		if got, err := Plain(broken); err == nil {
			t.Errorf("%s is %s", broken, got)
		}
	}
}
