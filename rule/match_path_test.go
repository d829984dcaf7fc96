package rule

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The anchors of these tests: project /home/dev/proj, working directory
// /home/dev/proj/app, home /home/dev.
func TestP16_Anchors(t *testing.T) {
	for _, c := range []struct {
		content string
		yes, no []string
	}{
		{"//etc/hosts", []string{"/etc/hosts", "/etc/hosts/x"}, []string{"/etc/hosts2", "/etc", "/home/dev/proj/etc/hosts"}},
		{"/etc/hosts", []string{"/home/dev/proj/etc/hosts"}, []string{"/etc/hosts", "/home/dev/proj/app/etc/hosts"}},
		{"./src/a", []string{"/home/dev/proj/app/src/a"}, []string{"/home/dev/proj/src/a", "/home/dev/proj/app/x/src/a"}},
		{"src/a", []string{"/home/dev/proj/app/src/a"}, []string{"/home/dev/proj/src/a", "/home/dev/proj/app/x/src/a"}},
		{"~/.zshrc", []string{"/home/dev/.zshrc"}, []string{"/home/other/.zshrc", "/home/dev/x/.zshrc"}},
		{"~", []string{"/home/dev", "/home/dev/x"}, []string{"/home/developer", "/home"}},
		{"~/", []string{"/home/dev", "/home/dev/x"}, []string{"/home/developer"}},
		{"~user/x", []string{"/home/dev/proj/app/~user/x"}, []string{"/home/user/x", "/home/dev/x"}},
		{".", []string{"/home/dev/proj/app", "/home/dev/proj/app/x"}, []string{"/home/dev/proj", "/home/dev/proj/apple"}},
		{"/", []string{"/home/dev/proj", "/home/dev/proj/x"}, []string{"/home/dev/project", "/"}},
		{"//", []string{"/", "/x", "/home/dev"}, nil},
		{"**", []string{"/home/dev/proj/app/x", "/home/dev/proj/app/.x/y"}, []string{"/home/dev/proj/x", "/home/dev/proj/apple", "/home/dev/proj/app"}},
		{"/**", []string{"/home/dev/proj/x"}, []string{"/home/dev/project/x", "/home/dev/x"}},
		{"~/**", []string{"/home/dev/x"}, []string{"/home/dev", "/home/x"}},
		{"//**", []string{"/", "/x", "/home/dev/proj/x"}, nil},
		{"./.env", []string{"/home/dev/proj/app/.env"}, []string{"/home/dev/proj/app/x/.env"}},
		{
			".env",
			[]string{"/home/dev/proj/app/.env", "/home/dev/proj/app/a/b/.env", "/home/dev/proj/app/.env/x"},
			[]string{"/home/dev/proj/.env", "/home/dev/proj/app/.env2", "/home/dev/proj/app/x.env"},
		},
		{"src//a/./b", []string{"/home/dev/proj/app/src/a/b"}, []string{"/home/dev/proj/app/src/a/x/b"}},
	} {
		checkPaths(t, c.content, c.yes, c.no)
	}
}

func TestP16_GitignoreForms(t *testing.T) {
	for _, c := range []struct {
		content string
		yes, no []string
	}{
		{"//s/*.ts", []string{"/s/a.ts", "/s/.ts"}, []string{"/s/a/b.ts", "/s/a.tsx", "/s/a.ts.sh", "/s/a.ts\n", "/a.ts"}},
		{"//s/**/*.ts", []string{"/s/a.ts", "/s/a/b/c.ts"}, []string{"/a.ts", "/s.ts"}},
		{"//a/**/b", []string{"/a/b", "/a/x/b", "/a/x/y/b/z"}, []string{"/ab", "/a/xb", "/b"}},
		{"//a/**", []string{"/a/b", "/a/b/c"}, []string{"/a", "/ab"}},
		{"//a/*", []string{"/a/b"}, []string{"/a"}},
		{"//a/", []string{"/a/b"}, []string{"/a", "/ab/c"}},
		{"//**/a/", []string{"/a/b", "/x/a/b"}, []string{"/a", "/x/a"}},
		{"//a/**/", []string{"/a/b/c"}, []string{"/a/b", "/a"}},
		{"//**/n/**", []string{"/n/x", "/a/b/n/x/y"}, []string{"/n", "/a/n", "/an/x"}},
		{"//a/**/b/**/c", []string{"/a/b/c", "/a/b/b/c", "/a/x/b/y/z/c"}, []string{"/a/c", "/a/c/b"}},
		{"//a**b", []string{"/ab", "/axb"}, []string{"/a/b"}},
		{"//a?.txt", []string{"/a1.txt"}, []string{"/a.txt", "/a12.txt", "/a/.txt"}},
		{"//l[0-9].t", []string{"/l1.t"}, []string{"/lx.t", "/l.t", "/l12.t"}},
		{"//[!a]x", []string{"/bx"}, []string{"/ax", "/x"}},
		{"//[^a]x", []string{"/bx"}, []string{"/ax"}},
		{"//[]a]x", []string{"/]x", "/ax"}, []string{"/bx"}},
		{"//[a\\]]x", []string{"/]x", "/ax"}, []string{"/\\x"}},
		{"//[[:digit:]z-]x", []string{"/1x", "/zx", "/-x"}, []string{"/ax"}},
		{`//\[id\]/p`, []string{"/[id]/p"}, []string{"/i/p"}},
		{"//[id]/p", []string{"/i/p"}, []string{"/[id]/p"}},
		{`//a\*`, []string{"/a*"}, []string{"/ab"}},
		{`//a\ `, []string{"/a "}, []string{"/a"}},
		{"//a b", []string{"/a b"}, []string{"/a", "/ab"}},
		{"//A", []string{"/A"}, []string{"/a"}},
		{"//日本*", []string{"/日本.go"}, []string{"/日"}},
		{"*.env", []string{"/home/dev/proj/app/prod.env", "/home/dev/proj/app/a/b/.env"}, []string{"/home/dev/proj/app/a.envx"}},
		{"build/", []string{"/home/dev/proj/app/build/x", "/home/dev/proj/app/a/build/x"}, []string{"/home/dev/proj/app/build"}},
		{"#x", []string{"/home/dev/proj/app/#x"}, nil},
		{`\!x`, []string{"/home/dev/proj/app/!x"}, []string{"/home/dev/proj/app/x"}},
	} {
		checkPaths(t, c.content, c.yes, c.no)
	}
}

// A pattern that ends in a wildcard denies whole trees, as in a .gitignore file, but
// allows only the files it names.
func TestP16_AllowEndingInAWildcardNamesFiles(t *testing.T) {
	for _, c := range []struct {
		content, path string
		allow         bool
	}{
		{"//s/*", "/s/a", true},
		{"//s/*", "/s/a/b", false},
		{"//s/*.ts", "/s/a.ts", true},
		{"//s/*.ts", "/s/a.ts/x", false},
		{"//s/a?", "/s/ab/c", false},
		{"*.go", "/home/dev/proj/app/x/y.go", true},
		{"*.go", "/home/dev/proj/app/x.go/y.go", true},
		{"*.go", "/home/dev/proj/app/x.go/y", false},
		{"//s/**", "/s/a/b", true},
		{"//s/**/*.ts", "/s/a/b.ts", true},
		{"//s/**/*.ts", "/s/b.ts/c.ts", true},
		{"//s/**/*.ts", "/s/b.ts/c", false},
		{"//s/*/", "/s/a/b/c", true},
		{"//s", "/s/a/b", true},
		{"//*", "/s", true},
		{"//*", "/s/a", false},
		{"//**", "/s/a", true},
	} {
		hits := compile(t, "deny Read("+c.content+")", "allow Read("+c.content+")").Path(c.path).Read
		if hits.Deny == nil || (hits.Allow != nil) != c.allow {
			t.Errorf("Read(%s) on %s: deny %v, allow %v, want allow %v", c.content, c.path, hits.Deny != nil, hits.Allow != nil, c.allow)
		}
	}
}

func checkPaths(t *testing.T, content string, yes, no []string) {
	t.Helper()
	s := compile(t, "deny Read("+content+")", "allow Read("+content+")")
	for _, path := range yes {
		if got := s.Path(path).Read; got.Deny == nil || got.Allow == nil || got.DenyMatch != Yes {
			t.Errorf("Read(%s) does not match %q", content, path)
		}
		if got := s.PathMay(path); got != s.Path(path) {
			t.Errorf("PathMay(%q) differs from Path: %+v", path, got)
		}
	}
	for _, path := range no {
		if got := s.Path(path).Read; got != (Hits{}) {
			t.Errorf("Read(%s) matches %q", content, path)
		}
	}
}

func TestP16_KindsOfPathRules(t *testing.T) {
	s := compile(t, "deny Read(a)", "deny Edit(b)", "deny Write(c)", "deny NotebookEdit(d)", "deny Glob(e)", "deny Grep(f)")
	for name, want := range map[string]Kind{"a": ReadRule, "b": EditRule, "c": WriteRule, "d": EditRule, "e": ReadRule, "f": ReadRule} {
		hits := s.Path("/home/dev/proj/app/" + name)
		for _, kind := range []Kind{ReadRule, EditRule, WriteRule} {
			if got := hits.Of(kind).Deny != nil; got != (kind == want) {
				t.Errorf("%s: kind %d hit: %v", name, kind, got)
			}
		}
	}
}

// Without a home directory nobody can say what "~/.ssh" is: allow nothing, deny it
// everywhere.
func TestP16_UnknownAnchorsFailClosed(t *testing.T) {
	s := compiled(rules(t, "allow Read(~/x)", "deny Read(~/.ssh/**)", "deny Edit(~)", "allow Write(**)", "ask Write(/a/b)"), Anchors{Cwd: "proj"})
	got := s.Path("/home/dev/.ssh/id")
	if got.Read.Deny == nil || got.Edit.Deny == nil {
		t.Errorf("the deny rules are lost: %+v", got)
	}
	for _, path := range []string{"/x", "/home/dev/x", "/proj/x", "proj/x"} {
		if got := s.Path(path); got.Read.Allow != nil || got.Write.Allow != nil {
			t.Errorf("%s is allowed: %+v", path, got)
		}
	}
	if s.Path("/x/a/b/c").Write.Ask == nil || s.Path("/x/a/c").Write.Ask != nil {
		t.Error("an ask rule without a root holds at any depth")
	}
}

// Rules that hang on the same name belong to different directories.
func TestP16_NamesAtAnyDepthKeepTheirAnchor(t *testing.T) {
	for _, lines := range [][]string{
		{"deny Read(.env)", "ask Read(~/**/.env)", "allow Read(/**/.env)"},
		{"allow Read(/**/.env)", "ask Read(~/**/.env)", "deny Read(.env)"},
	} {
		s := compile(t, lines...)
		for path, want := range map[string]string{
			"/home/dev/proj/app/x/.env": "deny ask allow",
			"/home/dev/proj/x/.env":     "ask allow",
			"/home/dev/x/.env":          "ask",
			"/home/.env":                "",
		} {
			got := s.Path(path).Read
			var hit []string
			for _, r := range []*Rule{got.Deny, got.Ask, got.Allow} {
				if r != nil {
					hit = append(hit, r.Behavior.String())
				}
			}
			if strings.Join(hit, " ") != want {
				t.Errorf("%s with %q: %q, want %q", path, lines, hit, want)
			}
		}
	}
}

// A relative path is a mistake of the caller, and no way around a rule.
func TestP16_RelativePathsFailClosed(t *testing.T) {
	s := compile(t, "deny Read(//etc/**)", "allow Read(**)", "deny Edit(build/)", "allow Write(//**)")
	for _, path := range []string{"", "etc/passwd", "x", g + "/x", u} {
		for _, got := range []PathHits{s.Path(path), s.PathMay(path), s.Below(path)} {
			if got.Read.DenyMatch != Maybe || got.Edit.DenyMatch != Maybe || got.Read.Allow != nil {
				t.Errorf("%q: %+v", path, got)
			}
		}
	}
}

func TestP16_SettingsOfTheUserHaveAnotherRoot(t *testing.T) {
	list := rules(t, "deny Read(/h.txt)", "deny Read(./a.txt)")
	s := compiled(list, Anchors{Root: "/home/dev/.claude", Cwd: "/", Home: "/home/dev"})
	for path, want := range map[string]bool{"/home/dev/.claude/h.txt": true, "/h.txt": false, "/a.txt": true, "/x/a.txt": false} {
		if got := s.Path(path).Read.Deny != nil; got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// The quick look at a pattern finds a fault exactly where reading it does.
func TestP16_CheckingAPathPatternAgreesWithReadingIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.StringOfN(rapid.SampledFrom([]rune(`a./\[]*?!~-^:`)), 1, 12, -1).Draw(t, "content")
		_, want := parsePath(content)
		if got := checkPath(content); (got == nil) != (want == nil) {
			t.Fatalf("%q: checked %v, read %v", content, got, want)
		}
	})
}
