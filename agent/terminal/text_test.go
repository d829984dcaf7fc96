package terminal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"short", []string{"short"}},
		{"  two  blanks stay", []string{"  two  blanks stay"}},
		{"one two three four five six", []string{"one two three four five", "six"}},
		{"a " + strings.Repeat("x", 30), []string{"a", strings.Repeat("x", 24), strings.Repeat("x", 6)}},
		{strings.Repeat("漢", 13), []string{strings.Repeat("漢", 12), "漢"}},
	} {
		if got := wrap(test.text, 24); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q", test.text, got)
		}
	}
}

func TestDifferenceKeepsEveryLine(t *testing.T) {
	for _, pair := range [][2]string{
		{"", ""}, {"", "a"}, {"a", ""}, {"a b c", "a c"}, {"a c", "a b c"}, {"a b", "b a"}, {"x a b y", "x b c y"}, {"a a a", "a a"}, {"a b c d", "e f"},
	} {
		before, after := strings.Fields(pair[0]), strings.Fields(pair[1])
		var old, now []string
		for _, c := range difference(before, after) {
			if c.mark != "+ " {
				old = append(old, c.line)
			}
			if c.mark != "- " {
				now = append(now, c.line)
			}
		}
		if !slices.Equal(old, before) || !slices.Equal(now, after) {
			t.Errorf("%q: %q, %q", pair, old, now)
		}
	}
	long := strings.Split(numbered(1, 3000), "\n")
	changed := slices.Clone(long)
	for i := range changed {
		changed[i] = fmt.Sprint("other ", i)
	}
	if n := len(difference(long, changed)); n != 2*len(long) {
		t.Errorf("%d lines", n)
	}
}

// Whatever a model writes: every character that is printed is one that can be seen, no
// line of it begins where assent's own lines do, and none is too wide.
func FuzzPage(f *testing.F) {
	f.Add("Bash", "echo \x1b[2J\u202e\ny", "a reason\n? Bash", "a1")
	f.Add("Write", "a\tb\r\n\x00", "because", "\u200b")
	f.Add("Edit", strings.Repeat("漢", 200), "rule", "")
	f.Add("mcp__x__y", "\u2028\u2029\u0085\ufeff\xff", "", "")
	f.Fuzz(func(t *testing.T, tool, text, reason, id string) {
		input := strictjson.Raw(text)
		if raw, err := strictjson.Marshal(map[string]string{
			"command": strings.ToValidUTF8(text, "?"), "file_path": "/nowhere/" + strings.ToValidUTF8(text, "?"), "content": strings.ToValidUTF8(text, "?"),
			"old_string": strings.ToValidUTF8(text, "?"), "new_string": strings.ToValidUTF8(reason, "?"), "plan": strings.ToValidUTF8(text, "?"),
		}); err == nil && tool != "raw" {
			input = raw
		}
		a := newTerminal(newScreen(60), false).Asker(in("/nowhere", "/nowhere"))
		got := a.page(agent.Question{Tool: tool, AgentID: id, Input: input, BlockedPath: text, Decision: because(reason)}, false).text.String()
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || !unicode.IsGraphic(r)) {
				t.Fatalf("%q in %q", r, got)
			}
		}
		headings := 0
		for _, row := range strings.Split(got, "\n") {
			if strings.HasPrefix(row, "? ") {
				headings++
			}
		}
		if headings != 1 {
			t.Fatalf("%d headings:\n%s", headings, got)
		}
	})
}
