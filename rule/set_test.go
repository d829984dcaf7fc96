package rule

import (
	"flag"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMain pins the seed of the properties, so that a failure is the same on every
// machine; ASSENT_SOAK=1 looks further, from a seed of its own.
func TestMain(m *testing.M) {
	flag.Parse()
	set := map[string]string{"rapid.seed": "1", "rapid.checks": "200", "rapid.nofailfile": "true"}
	if soak() {
		set = map[string]string{"rapid.checks": "20000", "rapid.nofailfile": "true"}
	}
	flag.Visit(func(f *flag.Flag) { delete(set, f.Name) })
	for name, value := range set {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func soak() bool { return os.Getenv("ASSENT_SOAK") == "1" }

var testAnchors = Anchors{Root: "/home/dev/proj", Cwd: "/home/dev/proj/app", Home: "/home/dev"}

// compile makes a set of lines such as "deny Bash(rm:*)".
func compile(t testing.TB, lines ...string) *Set {
	t.Helper()
	return indexed(Compile(rules(t, lines...), testAnchors))
}

func compiled(list []Rule, a Anchors) *Set { return indexed(Compile(list, a)) }

// indexed makes a set use its index from the first look-up on.
func indexed(s *Set) *Set {
	for b := range s.bash {
		s.bash[b].looks.Store(patience)
	}
	s.tools.looks.Store(patience)
	return s
}

// A set that has decided a few calls answers as it did before it had an index.
func TestP11_TheIndexChangesNoAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, q := drawRules(t, 12), drawQuestion(t)
		s := Compile(list, smallAnchors)
		for range patience {
			for _, b := range []Behavior{Allow, Ask, Deny} {
				before, was := s.Bash(b, q.text)
				after, is := indexed(Compile(list, smallAnchors)).Bash(b, q.text)
				if was != is || (before == nil) != (after == nil) || is == Yes && *before != *after {
					t.Fatalf("%q: %v %v without the index, %v %v with it", q.text, before, was, after, is)
				}
			}
		}
		for range patience - 1 { // the first look-up was that of Compile
			before, after := s.Tool(q.tool), indexed(Compile(list, smallAnchors)).Tool(q.tool)
			if !same(before.Deny, after.Deny) || !same(before.Ask, after.Ask) || !same(before.Allow, after.Allow) {
				t.Fatalf("%s: %+v without the index, %+v with it", q.tool, before, after)
			}
		}
		if s.tools.indexed.Load() {
			t.Fatal("the index of tools was made before it pays")
		}
		for b := range s.bash {
			if s.bash[b].indexed.Load() {
				t.Fatal("the index was made before it pays")
			}
		}
	})
}

// The same word starts a rule in a process that decides one call and in one that has decided many.
func TestP11_TheIndexChangesNoStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, word := drawRules(t, 12), drawCommandText(t, u, g, ",", ":")
		for _, b := range []Behavior{Allow, Ask, Deny} {
			before, after := Compile(list, smallAnchors), indexed(Compile(list, smallAnchors))
			after.Starts(b, word) // makes the index
			if was, is := before.Starts(b, word), after.Starts(b, word); was != is {
				t.Fatalf("%q starts a rule of %v: %v without the index, %v with it", word, list, was, is)
			}
		}
	})
}

func TestP11_MayStartHidesNoRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, text := drawRules(t, 12), drawCommandText(t, u, g)
		for _, s := range []*Set{Compile(list, smallAnchors), indexed(Compile(list, smallAnchors))} {
			for _, b := range []Behavior{Allow, Ask, Deny} {
				word, _, _ := strings.Cut(text, " ")
				if r, match := s.Bash(b, text); match != No && (!s.MayStart(b, word) || !s.MayStart(b, text)) {
					t.Fatalf("%q: %v is hidden by the first word", text, r)
				}
			}
		}
	})
}

func TestMayStartSparesMostLookups(t *testing.T) {
	s := compile(t, "deny Bash(rm -rf:*)", "deny Bash(git push *)")
	if _, match := s.Bash(Deny, "ls"); match != No { // the look-up that makes the index
		t.Fatal(match)
	}
	for word, want := range map[string]bool{"rm": true, "git": true, "go": false, "tail": false, "": false, u: true} {
		if got := s.MayStart(Deny, word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
	if s.MayStart(Ask, "rm") || s.MayStart(0, "rm") {
		t.Error("there is no such rule")
	}
}

func rules(t testing.TB, lines ...string) []Rule {
	t.Helper()
	var list []Rule
	for _, line := range lines {
		word, text, _ := strings.Cut(line, " ")
		b, err := ParseBehavior(word)
		if err != nil {
			t.Fatal(err)
		}
		r, ok, bad := Read(text, b, Origin{Source: ProjectSettings})
		if !ok || bad != nil {
			t.Fatalf("Read(%q): %v", text, bad)
		}
		list = append(list, r)
	}
	return list
}

// text is what the tests compare instead of a rule.
func text(r *Rule) string {
	if r == nil {
		return ""
	}
	return r.Behavior.String() + " " + r.String()
}

func TestP4_EachBehaviorHasItsOwnFirstHit(t *testing.T) {
	s := compile(t, "allow Read(/src/**)", "deny Read(/src/gen/**)", "ask Read(*.go)", "deny Read(/src/**)", "allow Read(//**)")
	got := s.Path("/home/dev/proj/src/gen/a.go").Read
	if text(got.Deny) != "deny Read(/src/gen/**)" || text(got.Allow) != "allow Read(/src/**)" {
		t.Errorf("the first rules in list order are not named: deny %q, allow %q", text(got.Deny), text(got.Allow))
	}
	if got.Ask != nil {
		t.Errorf("Read(*.go) is for the working directory, which %q is not in", "/home/dev/proj/src")
	}
	if got.DenyMatch != Yes || got.AskMatch != No {
		t.Errorf("certainty: deny %v, ask %v", got.DenyMatch, got.AskMatch)
	}
}

func TestSetIsACopy(t *testing.T) {
	list := rules(t, "deny Bash(rm:*)")
	s := Compile(list, testAnchors)
	list[0].Text = "changed"
	s.Rules()[0].Text = "changed"
	if got := s.Rules()[0].Text; got != "Bash(rm:*)" || s.Len() != 1 {
		t.Errorf("a set must not change with the list it was made of: %q", got)
	}
}

func TestS14_CompileQuarantinesWhatParseWouldRefuse(t *testing.T) {
	s := Compile([]Rule{
		{Behavior: Deny, Tool: "Read", Content: "!x"},
		{Behavior: Allow, Tool: "Edit", Content: "../x"},
		{Behavior: Deny, Tool: "Bash", Content: "rm \xff"},
		{Behavior: Allow, Tool: "WebFetch", Content: "example.com"},
		{Tool: "Write", Bare: true},
	}, testAnchors)
	for _, tool := range []string{"Read", "Bash"} {
		if got := s.Tool(tool); got.Ask == nil || !got.Ask.Quarantined || got.Deny != nil {
			t.Errorf("a malformed deny on %s must ask: %+v", tool, got)
		}
	}
	if got := s.Path("/home/dev/proj/x").Edit; got.Allow != nil {
		t.Error("a malformed allow must allow nothing")
	}
	if got := s.Domain("example.com"); got != (Hits{}) {
		t.Errorf("a malformed allow must allow nothing: %+v", got)
	}
	if got := s.Tool("Write"); got != (Hits{}) {
		t.Errorf("a rule without a behaviour has no effect: %+v", got)
	}
}

func TestP15_OtherToolsWithContent(t *testing.T) {
	s := compile(t, "allow Task(Explore)", "deny Skill(deploy-*)", `ask Skill(deploy-\*)`, "allow WebSearch(golang *)")
	for _, c := range []struct{ tool, text, deny, ask, allow string }{
		{"Task", "Explore", "", "", "allow Task(Explore)"},
		{"Task", "explore", "", "", ""},
		{"Task", "Explorer", "", "", ""},
		{"Skill", "deploy-prod", "deny Skill(deploy-*)", "", ""},
		{"Skill", "deploy-*", "deny Skill(deploy-*)", `ask Skill(deploy-\*)`, ""},
		{"Skill", "Explore", "", "", ""},
		{"WebSearch", "golang maps", "", "", "allow WebSearch(golang *)"},
		{"WebSearch", "golang", "", "", ""},
	} {
		got := s.Content(c.tool, c.text)
		if text(got.Deny) != c.deny || text(got.Ask) != c.ask || text(got.Allow) != c.allow {
			t.Errorf("Content(%q, %q) = %q %q %q", c.tool, c.text, text(got.Deny), text(got.Ask), text(got.Allow))
		}
	}
}
