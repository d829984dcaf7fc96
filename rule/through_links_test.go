package rule_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/rule"
)

var placed = rule.Anchors{Root: "/p", Cwd: "/p", Home: "/h"}

func setOf(t *testing.T, behavior rule.Behavior, texts ...string) *rule.Set {
	t.Helper()
	var rules []rule.Rule
	for _, text := range texts {
		if r, ok, _ := rule.Read(text, behavior, rule.Origin{Source: rule.ProjectSettings}); ok {
			rules = append(rules, r)
		}
	}
	return rule.Compile(rules, placed)
}

func TestBases(t *testing.T) {
	t.Parallel()
	got := setOf(t, rule.Deny, "Read(conf/**)", "Read(/a/*.x)", "Read(name)", "Edit(~/k/x)", "Read(*.pem)", "Bash(x)", "Read(conf/*)", "Read(//**)").Bases()
	if want := []string{"/p/conf", "/p/a", "/p", "/p/name", "/h/k/x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := setOf(t, rule.Allow, "Read(conf/**)").Bases(); len(got) != 0 {
		t.Errorf("of rules that allow: %q", got)
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	set := setOf(t, rule.Deny, "Read(conf/*.key)", "Read(name)", "Edit(other/**)", "Read(~/**/x)")
	other := set.Elsewhere(map[string]string{"/p/conf": "/real", "/p/name": "/p/file", "/h": "/"})
	for path, want := range map[string]string{"/real/a.key": "Read(conf/*.key)", "/p/file": "Read(name)", "/p/file/x": "Read(name)", "/a/b/x": "Read(~/**/x)"} {
		if r := other.Path(path).Read.Deny; r == nil || r.Text != want {
			t.Errorf("%s: %v, want %s", path, r, want)
		}
	}
	for _, path := range []string{"/real/a", "/p/sub/file", "/q/file"} {
		if r := other.Path(path).Read.Deny; r != nil {
			t.Errorf("%s: %v", path, r)
		}
	}
	if hits := other.Below("/real"); hits.Read.DenyMatch != rule.Maybe {
		t.Errorf("below: %+v", hits.Read)
	}
	if set.Elsewhere(nil) != nil || set.Elsewhere(map[string]string{"/p/x": "/y"}) != nil {
		t.Error("a set where nothing leads elsewhere")
	}
}

func TestBelowPicked(t *testing.T) {
	t.Parallel()
	set := setOf(t, rule.Deny, "Read(.env)", "Read(/.config/a/.key)")
	for _, c := range []struct {
		patterns []string
		env, key bool
	}{
		{nil, false, false},
		{[]string{"*.go"}, false, false},
		{[]string{"!*"}, false, false},
		{[]string{"*.go", "*env"}, true, false},
		{[]string{".e[mn]v"}, true, false},
		{[]string{"{a,.env}"}, true, false},
		{[]string{"{a,b}*"}, false, false},
		{[]string{"{a,{b,c}}"}, true, true},
		{[]string{"a{b"}, true, true},
		{[]string{".config/**"}, true, true},
		{[]string{".config", ".key"}, false, true},
		{[]string{".key"}, false, false},
		{[]string{"*"}, true, true},
	} {
		hits := set.BelowPicked("/p", c.patterns).Read
		if got := hits.DenyMatch == rule.Maybe; got != (c.env || c.key) {
			t.Errorf("%q: %v %v", c.patterns, hits.Deny, hits.DenyMatch)
		}
	}
}

// A malformed rule asks wherever the rule that was meant would have decided.
func TestQuarantineReach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		behavior   rule.Behavior
		text       string
		read, edit bool
	}{
		{rule.Deny, "Read(../x)", true, true},
		{rule.Deny, "Grep(../x)", true, true},
		{rule.Ask, "Read(../x)", true, false},
		{rule.Ask, "Glob(../x)", true, false},
		{rule.Deny, "NotebookEdit(../x)", false, true},
		{rule.Deny, "Write(../x)", false, false},
		{rule.Allow, "Read(../x)", false, false},
		{rule.Deny, "Bash(", false, false},
	} {
		set := setOf(t, c.behavior, c.text)
		if read, edit := set.Tool("Read").Ask != nil, set.Tool("Edit").Ask != nil; read != c.read || edit != c.edit {
			t.Errorf("%v %s: read %v, edit %v", c.behavior, c.text, read, edit)
		}
		if set.Tool("Read").Deny != nil || set.Tool("Edit").Deny != nil {
			t.Errorf("%v %s denies", c.behavior, c.text)
		}
	}
}
