package rule

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// listed makes lists of rules as a file has them: one for each behaviour.
func listed(texts map[Behavior][]string, report func(Rule, bool, *SyntaxError)) []List {
	var lists []List
	for _, b := range []Behavior{Deny, Ask, Allow} {
		var all []Written
		for i, text := range texts[b] {
			all = append(all, Note(text, i+1))
		}
		lists = append(lists, NewList(b, UserSettings, "settings.json", all, report))
	}
	return lists
}

func drawText(t *rapid.T) string {
	text := rapid.SampledFrom([]string{
		"Bash", "Bash(*)", "Bash(:*)", "Bash( a b )", "Bash(a", "bash(a)", "Read", "Read(/a/[)", "Grep(", "Edit(!a)", "*", "mcp__a", "mcp__a__b", "mcp__a__*",
		"mcp__a(n:5)", "mcp__a__b(n:>5)", "mcp__a__b(n:>x)", "Bash(timeout:5)", "Bash( timeout: 5 )", "Read(limit:5)", "Skill(args:a)", "WebFetch(prompt:*)",
		"mcp__*", "mcp__a(b)", "mcp__*(b)", "WebFetch(domain:a.b)", "WebFetch(domain:*.b)", "WebFetch(a.b)", "Skill(a)", "Skill(a*)", "Skill()", "", " Read ", "\xff",
		"path", "path", "command", "command", "command",
	}).Draw(t, "rule")
	switch text {
	case "command":
		return "Bash(" + drawCommandContent(t) + ")"
	case "path":
		return rapid.SampledFrom([]string{"Read", "Edit", "Write", "Glob"}).Draw(t, "tool") + "(" + drawPathContent(t) + ")"
	}
	return text
}

// A set of lists answers as the set of the same rules does, whichever of its indexes
// have been made.
func TestP11_ListsAnswerAsTheirRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := map[Behavior][]string{}
		for range rapid.IntRange(0, 12).Draw(t, "rules") {
			b := rapid.SampledFrom([]Behavior{Allow, Ask, Deny}).Draw(t, "behavior")
			texts[b] = append(texts[b], drawText(t))
		}
		var rules []Rule
		for _, b := range []Behavior{Deny, Ask, Allow} {
			for i, text := range texts[b] {
				if r, ok, _ := Read(text, b, Origin{Source: UserSettings, File: "settings.json", Line: i + 1}); ok {
					rules = append(rules, r)
				}
			}
		}
		lists := listed(texts, func(Rule, bool, *SyntaxError) {})
		want := Compile(rules, smallAnchors)
		q := drawQuestion(t)
		for _, s := range []*Set{AdoptLists(lists, smallAnchors), indexed(AdoptLists(lists, smallAnchors))} {
			sameAnswers(t, q.ask(s), q.ask(want))
			if got := s.Rules(); !slices.Equal(got, rules) {
				t.Fatalf("%+v, want %+v", got, rules)
			}
			if s.Len() != len(rules) || s.HasFiles() != want.HasFiles() || !same(s.Restriction(), want.Restriction()) {
				t.Fatalf("%d rules, files %v, restriction %v; want %d, %v, %v", s.Len(), s.HasFiles(), s.Restriction(), len(rules), want.HasFiles(), want.Restriction())
			}
			for _, b := range []Behavior{Allow, Ask, Deny} {
				if s.HasBash(b) != want.HasBash(b) {
					t.Fatalf("HasBash(%v) is %v", b, s.HasBash(b))
				}
			}
		}
	})
}

func sameAnswers(t *rapid.T, got, want map[string]*Rule) {
	for name, r := range want {
		if !same(got[name], r) {
			t.Fatalf("%s: %+v, want %+v", name, got[name], r)
		}
	}
}

func same(a, b *Rule) bool { return a == b || a != nil && b != nil && *a == *b }

func TestS14_AListDropsOnlyWhatAllows(t *testing.T) {
	var reports []string
	texts := map[Behavior][]string{
		Deny:  {"Bash(a)", "Bash(b", "Read(x)"},
		Allow: {"bash(c)", "Bash(d)", "Read(/[)", "Bash(e)", ""},
	}
	lists := listed(texts, func(r Rule, kept bool, err *SyntaxError) {
		outcome := "dropped"
		if kept {
			outcome = "asks for " + r.Tool
		}
		reports = append(reports, strings.Join([]string{err.Rule, outcome, string('0' + rune(r.Origin.Line))}, " | "))
	})
	if want := []string{"Bash(b | asks for Bash | 2", "bash(c) | dropped | 1", "Read(/[) | dropped | 3", " | dropped | 5"}; !slices.Equal(reports, want) {
		t.Errorf("reported %q, want %q", reports, want)
	}
	var got []string
	for _, r := range AdoptLists(lists, testAnchors).Rules() {
		got = append(got, r.Behavior.String()+" "+r.Text)
	}
	if want := []string{"deny Bash(a)", "ask Bash(b", "deny Read(x)", "allow Bash(d)", "allow Bash(e)"}; !slices.Equal(got, want) {
		t.Errorf("in force are %q, want %q", got, want)
	}
}

// Whoever asks for a rule of a list gets the same one.
func TestAListGivesOneRuleToAll(t *testing.T) {
	s := AdoptLists(listed(map[Behavior][]string{Deny: {"Bash(a)", "Bash(b)"}}, nil), testAnchors)
	var all sync.WaitGroup
	got := make([]*Rule, 8)
	for i := range got {
		all.Go(func() { got[i], _ = s.Bash(Deny, "b") })
	}
	all.Wait()
	for _, r := range got {
		if r == nil || r != got[0] || r.Text != "Bash(b)" || r.Origin != (Origin{Source: UserSettings, File: "settings.json", Line: 2}) {
			t.Fatalf("got %+v", got)
		}
	}
}
