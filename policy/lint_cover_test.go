package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/rule"
)

// contents draws the content of a Bash rule from the characters that matter.
func contents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"git", "push", "a", "b", " ", "*", `\*`, `\\`, ":*", "-f", "x y"}), 1, 6).Draw(t, "pieces")
		return strings.Join(pieces, "")
	})
}

func readBash(content string, b rule.Behavior) (rule.Rule, bool) {
	r, ok, err := rule.Read("Bash("+content+")", b, rule.Origin{Source: rule.ProjectSettings})
	return r, ok && err == nil && !r.Bare
}

// A rule covers itself: otherwise the texts that stand for it are not its own.
func TestRuleCoversItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, ok := readBash(contents().Draw(t, "content"), rule.Deny)
		if !ok {
			return
		}
		sets := ruleSets{rule.Compile([]rule.Rule{r}, rule.Anchors{})}
		if sets.covering(&r, rule.Deny, Roots{}) == nil {
			t.Fatalf("%s does not cover itself: %q", r.Text, commandTexts(r.Content))
		}
	})
}

// A rule that is said to cover another matches whatever the other matches.
func TestCoveringIsSound(t *testing.T) {
	anchors := rule.Anchors{}
	covering := 0
	rapid.Check(t, func(t *rapid.T) {
		wide, ok := readBash(contents().Draw(t, "wide"), rule.Deny)
		head := rapid.SampledFrom([]string{"", strings.TrimRight(wide.Content, ":*"), wide.Content}).Draw(t, "head")
		narrow, also := readBash(head+rapid.OneOf(rapid.Just(""), contents()).Draw(t, "narrow"), rule.Allow)
		if !ok || !also {
			return
		}
		if (ruleSets{rule.Compile([]rule.Rule{wide}, anchors)}).covering(&narrow, rule.Deny, Roots{}) == nil {
			return
		}
		covering++
		value := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"git", "push", "a", " ", "*", `\`, ":", "x y"}), 0, 3).Draw(t, "value"), "")
		text := strings.ReplaceAll(rapid.SampledFrom(commandTexts(narrow.Content)).Draw(t, "text"), anything, value)
		_, in := rule.Compile([]rule.Rule{narrow}, anchors).Bash(rule.Allow, text)
		_, covered := rule.Compile([]rule.Rule{wide}, anchors).Bash(rule.Deny, text)
		if in == rule.Yes && covered != rule.Yes {
			t.Fatalf("%s is said to cover %s, but not %q", wide.Text, narrow.Text, text)
		}
	})
	if covering == 0 {
		t.Error("no rule covered another: nothing was tested")
	}
}
