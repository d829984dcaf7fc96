package settings

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/rule"
)

func TestP3_CommandLineLists(t *testing.T) {
	for _, c := range []struct {
		lists []string
		b     rule.Behavior
		want  []string
	}{
		{[]string{"Read,Write"}, rule.Allow, []string{"Read", "Write"}},
		{[]string{"Read Write", "Edit"}, rule.Allow, []string{"Read", "Write", "Edit"}},
		{[]string{" Read ,\t Write,, "}, rule.Allow, []string{"Read", "Write"}},
		{[]string{"Bash(git log:*),Bash(a, b) Read"}, rule.Allow, []string{"Bash(git log:*)", "Bash(a, b)", "Read"}},
		{[]string{"Bash(echo (a, b) c),Read"}, rule.Allow, []string{"Bash(echo (a, b) c)", "Read"}},
		{[]string{`Bash(find . \( -name x), Read`}, rule.Allow, []string{`Bash(find . \( -name x)`, "Read"}},
		// Cutting at the blank would allow every command.
		{[]string{"Bash (npm test)"}, rule.Allow, []string{"Bash (npm test)"}},
		// A forgotten parenthesis swallows allows, never denials.
		{[]string{"Bash(rm,Write"}, rule.Allow, []string{"Bash(rm,Write"}},
		{[]string{"Bash(rm,Write"}, rule.Deny, []string{"Write", "Bash(rm,Write"}},
		{[]string{"Bash(a(),Bash(b)"}, rule.Ask, []string{"Bash(a()", "Bash(b)", "Bash(a(),Bash(b)"}},
		{[]string{"Bash(echo )),Write"}, rule.Deny, []string{"Bash(echo ))", "Write"}},
		{nil, rule.Deny, nil},
	} {
		equal(t, strings.Join(c.lists, "|"), splitTools(c.lists, c.b), c.want)
	}
}

func TestP3_RulesOnTheCommandLineCanBeMalformed(t *testing.T) {
	w := newWorld(t)
	w.AllowedTools, w.DisallowedTools = []string{"Bash (npm test)"}, []string{"Bash(rm"}
	s := w.load()
	equal(t, "rules", rules(s), []string{"cliArg ask Bash(rm"})
	equal(t, "reports", kinds(s.Reports), []string{"malformed rule", "malformed rule"})
}

// However rules are joined, every one comes out again.
func TestCommandLineListsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.SampledFrom([]string{"Read", "mcp__a__b", "Bash(x)", "Bash(a b, c)", "Bash(a (b) c)", "Edit(/src/**)"})
		want := rapid.SliceOfN(one, 1, 6).Draw(t, "rules")
		var b strings.Builder
		for i, r := range want {
			if i > 0 {
				b.WriteString(rapid.SampledFrom([]string{",", " ", ", ", " ,", "\n"}).Draw(t, "separator"))
			}
			b.WriteString(r)
		}
		behavior := rapid.SampledFrom([]rule.Behavior{rule.Allow, rule.Ask, rule.Deny}).Draw(t, "behavior")
		if got := splitList(b.String(), behavior); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q gives %q, want %q", b.String(), got, want)
		}
	})
}
