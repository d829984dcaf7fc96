package people

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"anna", "a", "7", "anna.b_c-d@example.org", strings.Repeat("a", 64), "assentor", "hooks", "root2"} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"", "Anna", "änna", "an na", " anna", "anna\n", "anna\x00", "a\u202eb", "аnna", // that is a Cyrillic letter
		"-f", ".", "..", "@x", "_", "a/b", `a\b`, "a:b", "a'b", strings.Repeat("a", 65), "\xff",
	} {
		if e := is[*BadValue](t, CheckName(name)); e.Subject != "name" || e.Hint == "" {
			t.Errorf("%q: %v", name, e)
		}
	}
}

// T14: what assent has done itself is on record under names that no person has.
func TestT14_NobodySignsAsTheProgram(t *testing.T) {
	for _, name := range []string{
		"assent", "assent-server", "assent.hook", "assent@machine", "assent_", "hook", "rule", "policy", "the server", "the transcript", "the guard of codex",
		"host", "terminal", "classifier", "somebody", "nobody", "person", "uid 0@machine", "olga@machine (operator)", "process 7 on machine",
	} {
		is[*BadValue](t, CheckName(name))
	}
	onBoth(t, func(t *testing.T, w *world) {
		for _, name := range []string{"assent", "hook", operator.String()} {
			is[*BadValue](t, w.Add(t.Context(), operator, Person{Name: name, Role: Admin}, "a long enough password"))
			_, _, err := w.Admit(t.Context(), Identity{Issuer: "https://idp.example", Subject: "1", Name: name, Role: Admin}, Create)
			is[*NotAdmitted](t, err)
		}
		if all, err := w.List(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%v %v", all, err)
		}
	})
}

func TestNamesAreWhatTheySeem(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z0-9][a-z0-9._@-]{0,63}$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringMatching(`[a-z0-9._@ A-Z-]{0,70}`), rapid.String()).Draw(t, "name")
		want := plain.MatchString(name) && !slices.Contains(reserved, name) && !regexp.MustCompile(`^assent($|[^a-z0-9])`).MatchString(name)
		if got := CheckName(name) == nil; got != want {
			t.Errorf("%q: %v", name, got)
		}
	})
}

func TestTextsAreOneLine(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for _, text := range []string{"a\nb", "a\x00b", "\xff", "a\u202eb", "a\u200bb", "\x1b[31m", strings.Repeat("ä", 201)} {
			is[*BadValue](t, w.Add(t.Context(), operator, Person{Name: "anna", Shown: text, Role: Viewer}, passwordFor("anna")))
			is[*BadValue](t, w.Add(t.Context(), operator, Person{Name: "anna", Email: text, Role: Viewer}, passwordFor("anna")))
		}
		w.must(w.Add(t.Context(), operator, Person{Name: "anna", Shown: "Änna Żółć 李", Role: Viewer}, passwordFor("anna")))
		if got := w.person("anna").Shown; got != "Änna Żółć 李" {
			t.Error(got)
		}
	})
}
