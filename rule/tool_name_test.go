package rule

import "testing"

// Who writes a rule takes the name of a tool from the documentation of its server; the
// model knows another one where that has characters that no model takes.
func TestP15_NamesThatModelsDoNotTake(t *testing.T) {
	for _, c := range []struct {
		rule, tool string // what the rule is canonically
		yes, no    []string
	}{
		{"mcp__b__a.b", "mcp__b__a_b", []string{"mcp__b__a_b", "mcp__b__a.b"}, []string{"mcp__b__ab", "mcp__b__a"}},
		{"mcp__b__a/b(*)", "mcp__b__a_b", []string{"mcp__b__a_b", "mcp__b__a/b"}, nil},
		{"mcp__b__a.*", "mcp__b__a_*", []string{"mcp__b__a_b", "mcp__b__a.b"}, []string{"mcp__b__ab"}},
		{"mcp__my.server", "mcp__my_server", []string{"mcp__my_server__x", "mcp__my.server__x"}, []string{"mcp__my"}},
		{"mcp__my.server__*", "mcp__my_server__*", []string{"mcp__my_server__x", "mcp__my.server__x"}, nil},
		{"mcp__b", "mcp__b", []string{"mcp__b__a.b", "mcp__b__Del Ete", "mcp__b__é"}, nil},
		{"a.b", "a.b", []string{"a.b"}, []string{"a_b"}}, // no tool of a server
	} {
		s := compile(t, "deny "+c.rule, "allow "+c.rule)
		for r := range s.All() {
			if r.Tool != c.tool || r.Text != c.rule {
				t.Errorf("%s is read as %+v", c.rule, r)
			}
		}
		for _, name := range c.yes {
			if got := s.Tool(name); got.Deny == nil || got.Allow == nil {
				t.Errorf("%s does not match %s: %+v", c.rule, name, got)
			}
		}
		for _, name := range c.no {
			if got := s.Tool(name); got != (Hits{}) {
				t.Errorf("%s matches %s", c.rule, name)
			}
		}
	}
}

// The lists of settings files and rules made by hand are known by the same names.
func TestP15_OddNamesFromEverywhere(t *testing.T) {
	list := NewList(Deny, UserSettings, "", []Written{Note("mcp__b__a.b", 1)}, func(_ Rule, _ bool, err *SyntaxError) { t.Error(err) })
	byHand := []Rule{{Tool: "mcp__b__a.b", Behavior: Deny, Bare: true}}
	for from, s := range map[string]*Set{"a list": AdoptLists([]List{list}, Anchors{}), "by hand": Adopt(byHand, Anchors{})} {
		for _, name := range []string{"mcp__b__a.b", "mcp__b__a_b"} {
			if s.Tool(name).Deny == nil {
				t.Errorf("a rule from %s does not deny %s", from, name)
			}
		}
	}
	if byHand[0].Tool != "mcp__b__a.b" {
		t.Error("the rules of the caller were changed")
	}
	s := compile(t, "deny mcp__b__a.b(x)")
	if s.Content("mcp__b__a.b", "x").Deny == nil || s.Content("mcp__b__a_b", "x").Deny == nil {
		t.Error("a rule with content is not found")
	}
}

// A rule restricts every tool that it may mean, and allows only the one it names.
func TestP15_AllowMeansTheNameItself(t *testing.T) {
	s := compile(t, "allow mcp__b__a_b", "deny mcp__c__a_b")
	if s.Tool("mcp__b__a.b").Allow != nil {
		t.Error("a rule for a_b allows a.b")
	}
	if s.Tool("mcp__b__a_b").Allow == nil || s.Tool("mcp__c__a.b").Deny == nil {
		t.Error("the rules do not hold")
	}
	if s := compile(t, "allow mcp__b__a_b", "allow mcp__b"); s.Tool("mcp__b__a.b").Allow == nil {
		t.Error("a rule for the server does not allow a.b")
	}
}

// The rest of a name that no rule can hold may be anything.
func TestP15_QuarantineOfOddNames(t *testing.T) {
	for _, text := range []string{"mcp__b__Del Ete", "mcp__b__Delé"} {
		r, _, err := Read(text, Deny, Origin{})
		if err == nil || r.Tool != "mcp__b__Del*" {
			t.Errorf("%s is read as %+v, %v", text, r, err)
		}
		if want := "did you mean " + ToolName(text) + "?"; err != nil && err.Hint != want {
			t.Errorf("the hint for %s is %q, not %q", text, err.Hint, want)
		}
	}
}

func TestP15_KnownNamesCostNothing(t *testing.T) {
	s := compile(t, "deny mcp__b__a.b", "allow mcp__c")
	if n := testing.AllocsPerRun(100, func() { s.Tool("mcp__c__x") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
