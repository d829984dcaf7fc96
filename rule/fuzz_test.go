package rule

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/testlimit"
)

// FuzzParse: the canonical text of a rule is a rule that means the same, and an
// escaped text matches itself and nothing else.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"Bash", "Bash(npm test)", "Bash(npm:*)", `Bash(a \* b)`, "Read(~/x/**)", `Edit(a\ )`, "WebFetch(domain:*.x.org)", "mcp__a__*", "bash(x", " ", `\ `, "rm -rf *",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer testlimit.Watch(t)()
		if r, err := Parse(text); err == nil {
			checkStable(t, r)
		} else if _, ok, bad := Read(text, Deny, Origin{}); !ok || bad == nil {
			t.Fatalf("%q: a malformed deny rule is lost", text)
		}
		for _, b := range []Behavior{Allow, Ask, Deny} {
			checkList(t, text, b)
		}
		if text != "" && utf8.ValidString(text) {
			checkEscape(t, text)
			checkEscapePath(t, path.Join("/", text))
		}
	})
}

// checkList: a rule of a list is what Read makes of it.
func checkList(t *testing.T, text string, b Behavior) {
	want, kept, bad := Read(text, b, Origin{Source: UserSettings, File: "f", Line: 7})
	reported := false
	l := NewList(b, UserSettings, "f", []Written{Note(text, 7)}, func(Rule, bool, *SyntaxError) { reported = true })
	got := l.Rules()
	if reported != (bad != nil) || len(got) == 1 != kept || kept && got[0] != want {
		t.Fatalf("%q in a list of %v: %+v, want %+v (%v)", text, b, got, want, bad)
	}
}

func checkStable(t *testing.T, r Rule) {
	again, err := Parse(r.String())
	if err != nil {
		t.Fatalf("%q: its canonical text %q is malformed: %v", r.Text, r.String(), err)
	}
	if again.Tool != r.Tool || again.Content != r.Content || again.Bare != r.Bare || again.String() != r.String() {
		t.Fatalf("%q: %+v became %+v", r.Text, r, again)
	}
}

func checkEscape(t *testing.T, text string) {
	r, err := Parse("Bash(" + Escape(text) + ")")
	if err != nil {
		t.Fatalf("Escape(%q): %v", text, err)
	}
	r.Behavior = Allow
	s := compiled([]Rule{r}, smallAnchors)
	if _, m := s.Bash(Allow, text); m != Yes || r.Bare {
		t.Fatalf("%s does not match the text %q it was made of", r, text)
	}
	for _, other := range []string{text + "x", "x" + text, text + " x", text[1:], strings.ReplaceAll(text, "*", "x"), strings.ReplaceAll(text, `\`, "")} {
		if _, m := s.Bash(Allow, other); other != text && m != No {
			t.Fatalf("%s matches %q", r, other)
		}
	}
}

func checkEscapePath(t *testing.T, p string) {
	if p == "/" || len(EscapePath(p)) > maxPattern { // no file has such a long path
		return
	}
	r, err := Parse("Read(" + EscapePath(p) + ")")
	if err != nil {
		t.Fatalf("EscapePath(%q): %v", p, err)
	}
	r.Behavior = Allow
	s := compiled([]Rule{r}, smallAnchors)
	if s.Path(p).Read.Allow == nil || s.Path(p+"/x").Read.Allow == nil {
		t.Fatalf("%s does not match the path %q it was made of", r, p)
	}
	for _, other := range []string{p + "x", "/x" + p[1:], path.Dir(p), strings.ReplaceAll(p, "*", "x"), strings.ReplaceAll(p, "?", "x")} {
		if other != p && s.Path(other).Read.Allow != nil {
			t.Fatalf("%s matches %q", r, other)
		}
	}
}

// FuzzMatch: no input makes a lookup panic, and what is said of a text with marks
// holds for every text that the marks can stand for.
func FuzzMatch(f *testing.F) {
	f.Add("npm *", "npm \xff", "x y")
	f.Add("*a*a*a*", "\xfea\xff", "b")
	f.Add("rm -rf", "rm \xff -rf", "")
	f.Add("//s/[a-c]*.pem", "/s/\xfe.pem", "a")
	f.Add("~/**/x/", "/h/\xff/x", "..")
	f.Add("domain:*.x.org", "a.x.org.", "z")
	f.Fuzz(func(t *testing.T, content, text, value string) {
		defer testlimit.Watch(t)()
		if !utf8.ValidString(value) {
			return
		}
		for _, tool := range []string{"Bash", "Read", "WebFetch", "Skill"} {
			checkFuzzed(t, tool, content, text, value)
		}
	})
}

func checkFuzzed(t *testing.T, tool, content, text, value string) {
	r := Rule{Text: content, Tool: tool, Content: content, Behavior: Deny}
	allow := r
	allow.Behavior = Allow
	s := compiled([]Rule{r, allow}, smallAnchors)
	s.Tool(text)
	s.Domain(text)
	s.Content(tool, text)
	instance := strings.ReplaceAll(text, u, value)
	globbed := strings.ReplaceAll(instance, g, "a")

	_, deny := s.Bash(Deny, text)
	_, allowed := s.Bash(Allow, text)
	_, real := s.Bash(Deny, globbed)
	if deny == No && real != No || allowed == Yes && real != Yes {
		t.Fatalf("Bash(%s) on %q: deny %v, allow %v; on %q: %v", content, text, deny, allowed, globbed, real)
	}

	marked, clean := path.Join("/", text), path.Join("/", globbed)
	may, hits := s.PathMay(marked).Read, s.Path(clean).Read
	s.Below(marked)
	if may.DenyMatch == No && hits.Deny != nil || may.Allow != nil && hits.Allow == nil {
		t.Fatalf("Read(%s) on %q: %+v; on %q: %+v", content, marked, may, clean, hits)
	}
}
