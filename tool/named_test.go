package tool

import (
	"strings"
	"testing"
)

func TestNamedToolsTakeAnyObject(t *testing.T) {
	named := Named("mcp__pay__refund")
	if input, err := named.Decode([]byte(`{"amount": 5, "deep": {"a": [null]}}`)); err != nil || input["amount"] != 5.0 {
		t.Errorf("%v, %v", input, err)
	}
	for input, want := range map[string]string{
		`null`: "want object", `[]`: "want object", `"x"`: "want object", `{"a":1,"a":2}`: "occurs twice", `{`: "mcp__pay__refund input: ",
	} {
		if _, err := named.Decode([]byte(input)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", input, err, want)
		}
	}
}
