package rule

import (
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The generators draw from a small alphabet, so that patterns and texts meet.

func drawJoined(t *rapid.T, label, sep string, atMost int, pieces ...string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, atMost).Draw(t, label), sep)
}

func drawCommandContent(t *rapid.T) string {
	return drawJoined(t, "content", "", 7, "a", "b", " ", "*", "/", ".", `\*`, `\\`, ":*", " *", "a b")
}

func drawCommandText(t *rapid.T, marks ...string) string {
	return drawJoined(t, "text", "", 8, append(marks, "a", "b", " ", "/", ".", "*", `\`, "a b")...)
}

func drawPathContent(t *rapid.T) string {
	lead := rapid.SampledFrom([]string{"", "/", "//", "~/", "./", "//w/"}).Draw(t, "lead")
	return lead + drawJoined(t, "parts", "/", 4, "a", "b", ".a", "*", "**", "a*", "*b", "?", "[ab]", "[!a]", "w") +
		rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "trail")
}

func drawPath(t *rapid.T, marks ...string) string {
	names := []string{"a", "b", ".a", "ab", "ba", "w", "h"}
	for _, m := range marks {
		names = append(names, m, m+"b", "a"+m, "."+m)
	}
	return rapid.SampledFrom([]string{"/", "/w/", "/w/c/"}).Draw(t, "dir") + drawJoined(t, "names", "/", 4, names...)
}

var smallAnchors = Anchors{Root: "/w", Cwd: "/w/c", Home: "/h"}

// drawRules draws well-formed rules of all kinds.
func drawRules(t *rapid.T, atMost int) []Rule {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Rule {
		text := rapid.SampledFrom([]string{
			"Bash", "Read", "*", "mcp__a", "mcp__a__b", "mcp__a__*", "mcp__*", "WebFetch(domain:a.b)", "WebFetch(domain:*.b)",
			"Skill(a)", "Skill(a*)", "bash", "path", "path", "command", "command",
		}).Draw(t, "rule")
		switch text {
		case "command":
			text = "Bash(" + drawCommandContent(t) + ")"
		case "path":
			text = rapid.SampledFrom([]string{"Read", "Edit", "Write"}).Draw(t, "tool") + "(" + drawPathContent(t) + ")"
		}
		b := rapid.SampledFrom([]Behavior{Allow, Ask, Deny}).Draw(t, "behavior")
		r, ok, _ := Read(text, b, Origin{Source: Session})
		if !ok {
			return Rule{Behavior: Allow, Tool: "Nothing", Bare: true}
		}
		return r
	}), 0, atMost).Draw(t, "rules")
}

// question asks a set everything about one drawn call; an answer is the places of
// the rules that were hit, by question and behaviour.
type question struct{ tool, host, text, path string }

func drawQuestion(t *rapid.T) question {
	return question{
		tool: rapid.SampledFrom([]string{"Bash", "Read", "Skill", "mcp__a__b", "mcp__a__b__c", "mcp__x__b"}).Draw(t, "tool"),
		host: rapid.SampledFrom([]string{"a.b", "x.b", "b"}).Draw(t, "host"),
		text: drawCommandText(t, u, g),
		path: drawPath(t),
	}
}

func (q question) ask(s *Set) map[string]*Rule {
	hits := map[string]*Rule{}
	note := func(name string, h Hits) {
		hits[name+" deny"], hits[name+" ask"], hits[name+" allow"] = h.Deny, h.Ask, h.Allow
	}
	notePath := func(name string, h PathHits) {
		note(name+" read", h.Read)
		note(name+" edit", h.Edit)
		note(name+" write", h.Write)
	}
	note("tool", s.Tool(q.tool))
	note("parameters", s.Parameters(q.tool, []byte(`{"n":6,"timeout":5,"limit":5,"args":"a"}`)))
	note("domain", s.Domain(q.host))
	note("content", s.Content("Skill", q.text))
	notePath("path", s.Path(q.path))
	notePath("may", s.PathMay(q.path+"/"+g))
	notePath("below", s.Below(q.path))
	for _, b := range []Behavior{Allow, Ask, Deny} {
		hits["bash "+b.String()], _ = s.Bash(b, q.text)
	}
	return hits
}

// More rules never mean fewer hits: a neighbour cannot switch a rule off.
func TestP4_AddingRulesNeverRemovesHits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some, more, q := drawRules(t, 8), drawRules(t, 4), drawQuestion(t)
		at := rapid.IntRange(0, len(some)).Draw(t, "at")
		before := q.ask(compiled(some, smallAnchors))
		after := q.ask(compiled(slices.Insert(slices.Clone(some), at, more...), smallAnchors))
		for name, r := range before {
			if r != nil && after[name] == nil {
				t.Fatalf("%s: %v is gone for %+v", name, r, q)
			}
		}
	})
}

// The index gives the same answer as trying every rule by itself, in list order.
func TestP16_IndexFindsWhatASearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, q := drawRules(t, 12), drawQuestion(t)
		got := q.ask(compiled(list, smallAnchors))
		want := map[string]*Rule{}
		for i := range list {
			for name, r := range q.ask(compiled(list[i:i+1], smallAnchors)) {
				if want[name] == nil && r != nil {
					want[name] = r
				}
			}
		}
		sure := !hasMarks(q.text)
		for name, r := range got {
			byMarks := strings.HasPrefix(name, "bash") && !sure || strings.HasPrefix(name, "may") || strings.HasPrefix(name, "below")
			if (r == nil) != (want[name] == nil) || r != nil && !byMarks && *r != *want[name] {
				t.Fatalf("%s: index finds %v, search finds %v, for %+v", name, r, want[name], q)
			}
		}
	})
}

// drawDeny is a rule that has something to match. Content that is none, or matches
// everything, gets a letter in front.
func drawDeny(t *rapid.T, tool, content string) Rule {
	r, err := Parse(tool + "(" + content + ")")
	if err != nil || r.Bare {
		r, err = Parse(tool + "(a" + content + ")")
	}
	if err != nil || r.Bare {
		t.Fatalf("%s(a%s) is %v, %v: the generator must draw rules that match something", tool, content, r, err)
	}
	r.Behavior = Deny
	return r
}

// fill puts values for the marks of a text, each mark its own. The values of a
// glob hold no slash and, at the start of a name, no leading dot.
func fill(t *rapid.T, text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch text[i] {
		case u[0]:
			b.WriteString(rapid.SampledFrom([]string{"", "a", "b", " ", "a b", "/", "../", "..", "*", ".", "a/b", "-"}).Draw(t, "unknown"))
		case g[0]:
			values := []string{"a", "b", "ab", "a.a", "*", "b a"}
			if i > 0 && strings.IndexByte("/ ", text[i-1]) < 0 {
				values = append(values, "", ".", ".a")
			}
			b.WriteString(rapid.SampledFrom(values).Draw(t, "glob"))
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// Yes holds for every value of the marks, and No for every value as well.
func TestP11_MarksStandForEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawDeny(t, "Bash", drawCommandContent(t))
		allow := r
		allow.Behavior = Allow
		s := compiled([]Rule{r, allow}, smallAnchors)
		text := drawCommandText(t, u, g)
		instance := fill(t, text)
		_, deny := s.Bash(Deny, text)
		_, allowed := s.Bash(Allow, text)
		_, real := s.Bash(Deny, instance)
		if (deny == Yes) != (allowed == Yes) || deny == No && real == Yes || deny == Yes && real != Yes {
			t.Fatalf("%v on %q: deny %v, allow %v; on its instance %q: %v", r, text, deny, allowed, instance, real)
		}
	})
}

func TestP16_MarksInPathsStandForEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawDeny(t, "Edit", drawPathContent(t))
		s := compiled([]Rule{r}, smallAnchors)
		marked := drawPath(t, u, g)
		real := path.Clean(fill(t, marked))
		deny := s.PathMay(marked).Edit.DenyMatch
		below := s.Below(marked).Edit.DenyMatch
		got := s.Path(real).Edit.Deny != nil
		if deny == No && got || deny == Yes && !got {
			t.Fatalf("%v on %q: %v; on its instance %q: %v", r, marked, deny, real, got)
		}
		deeper := path.Join(real, drawJoined(t, "deeper", "/", 3, "a", "b", ".a", "w"))
		got = s.Path(deeper).Edit.Deny != nil
		if below == No && got || below == Yes && !got {
			t.Fatalf("%v below %q: %v; on %q: %v", r, marked, below, deeper, got)
		}
	})
}
