package script_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/model/script"
)

// write is a script that plays replies. JSON strings are YAML, too.
func write(replies []modeltest.Reply) string {
	quote := func(text string) string {
		out, err := strictjson.Marshal(text)
		if err != nil {
			panic(err)
		}
		return string(out)
	}
	var out strings.Builder
	out.WriteString("turns:\n")
	for _, r := range replies {
		if r.Status != 0 {
			fmt.Fprintf(&out, "  - error: {status: %d, message: %s", r.Status, quote(r.Message))
			if r.RetryAfter != "" {
				fmt.Fprintf(&out, ", retry_after: %ss", r.RetryAfter)
			}
			out.WriteString("}\n")
			continue
		}
		out.WriteString("  - usage: {input: 10, output: 20}\n")
		if r.Stop != "" {
			fmt.Fprintf(&out, "    stop: %s\n", r.Stop)
		}
		if r.Ending == modeltest.Hang {
			out.WriteString("    delay: 1h\n")
		}
		var calls []string
		for _, b := range r.Blocks {
			if b.Kind == model.Text {
				fmt.Fprintf(&out, "    say: %s\n", quote(b.Text))
			} else {
				calls = append(calls, fmt.Sprintf("{tool: %s, id: %s, raw: %s}", b.Name, b.ID, quote(string(b.Input))))
			}
		}
		if calls != nil {
			fmt.Fprintf(&out, "    calls: [%s]\n", strings.Join(calls, ", "))
		}
	}
	return out.String()
}

func open(t testing.TB, replies ...modeltest.Reply) (model.Provider, *modeltest.Server) {
	t.Helper()
	// A server repeats its last reply. A script does not repeat an id.
	if len(replies) == 1 && !slices.ContainsFunc(replies[0].Blocks, func(b model.Block) bool { return b.ID != "" }) {
		replies = append(replies, replies[0])
	}
	text := write(replies)
	p, err := script.New("test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p, nil
}

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{Open: open, Usage: model.Usage{InputTokens: 10, OutputTokens: 20}})
}
