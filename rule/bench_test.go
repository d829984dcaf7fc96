package rule

import (
	"fmt"
	"runtime"
	"testing"
)

// sizes are the lengths of the rule lists that lookups are measured with.
var sizes = []int{10, 1_000, 100_000}

// manyRules is a list like those of a large organisation: path, command, MCP and
// host rules with a literal beginning, in all behaviours.
func manyRules(tb testing.TB, n int) []Rule {
	tb.Helper()
	forms := []string{
		"Read(//srv/team%d/**)", "Edit(/src/pkg%d/*.go)", "Bash(tool%d run:*)", "mcp__server%d__*", "Read(~/vault%d/.env)",
		"WebFetch(domain:host%d.example.com)", "Bash(tool%d build --all)", "Write(gen%d.txt)", "mcp__server%d__get", "Skill(skill%d)",
	}
	list := make([]Rule, 0, n)
	for i := range n {
		text := fmt.Sprintf(forms[i%len(forms)], i)
		r, _, err := Read(text, Behavior(i%3)+Allow, Origin{Source: PolicySettings, File: "managed-settings.json", Line: i})
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// lookups are the calls that are measured. They go round over texts that hit
// rules all over a list of n, so that caches are as cold as in real life.
var lookups = []struct {
	name  string
	form  string // of the text; the number is that of the rule
	first int    // the number of the first such rule
	hits  func(s *Set, text string) bool
}{
	{"Tool", "mcp__server%d__list", 3, func(s *Set, text string) bool { return s.Tool(text) != Hits{} }},
	{"Path", "/srv/team%d/app/internal/server/handler.go", 0, func(s *Set, text string) bool { return s.Path(text).Read != Hits{} }},
	{"PathInProject", "/home/dev/proj/src/pkg%d/handler.go", 1, func(s *Set, text string) bool { return s.Path(text).Edit != Hits{} }},
	{"PathByName", "/home/dev/proj/app/out/gen%d.txt", 7, func(s *Set, text string) bool { return s.Path(text).Write != Hits{} }},
	{"PathMiss", "/home/dev/proj/app/internal/server/handler%d.go", 0, func(s *Set, text string) bool { return s.Path(text) == PathHits{} }},
	{"Bash", "tool%d run --fast ./...", 2, anyBash},
	{"BashMiss", "go test -run Test%d ./internal/...", 0, func(s *Set, text string) bool { return !anyBash(s, text) }},
	{"Domain", "host%d.example.com", 5, func(s *Set, text string) bool { return s.Domain(text) != Hits{} }},
	{"Content", "skill%d", 9, func(s *Set, text string) bool { return s.Content("Skill", text) != Hits{} }},
}

func anyBash(s *Set, text string) bool {
	for b := Deny; b >= Allow; b-- {
		if _, m := s.Bash(b, text); m == Yes {
			return true
		}
	}
	return false
}

// texts are those of a lookup in a list of n rules, at most a thousand of them.
func texts(form string, first, n int) []string {
	count := min(n/10, 1000)
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(form, first+10*(i*(n/10)/count))
	}
	return list
}

func BenchmarkLookup(b *testing.B) {
	for _, l := range lookups {
		for _, n := range sizes {
			s, list := compiled(manyRules(b, n), testAnchors), texts(l.form, l.first, n)
			b.Run(fmt.Sprintf("%s/%d", l.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if !l.hits(s, list[i%len(list)]) {
						b.Fatal("wrong answer")
					}
				}
			})
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range sizes {
		list := manyRules(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compile(list, testAnchors)
			}
		})
	}
}

func BenchmarkBashWithMarks(b *testing.B) {
	s := compile(b, "deny Bash(git push --force *)", "deny Bash(* --no-verify)", "deny Bash(git * main)", "deny Bash(rm:*)")
	for b.Loop() {
		s.Bash(Deny, "git commit -m \xff --amend")
	}
}

// The common lookups must not allocate, however many rules there are.
func TestLookupsDoNotAllocate(t *testing.T) {
	for _, n := range sizes[:2] {
		s := Compile(manyRules(t, n), testAnchors)
		for _, l := range lookups {
			text := texts(l.form, l.first, n)[0]
			if !l.hits(s, text) {
				t.Errorf("%s with %d rules: wrong answer for %s", l.name, n, text)
			}
			if allocs := testing.AllocsPerRun(100, func() { l.hits(s, text) }); allocs != 0 {
				t.Errorf("%s with %d rules: %v allocations", l.name, n, allocs)
			}
		}
	}
}

// A set of 100,000 rules has room in 64 MB.
func TestCompiledSetIsSmall(t *testing.T) {
	const limit = 64 << 20
	list := manyRules(t, 100_000)
	before := liveHeap()
	s := compiled(list, testAnchors)
	s.Path("/x") // which makes the index of the paths
	for _, b := range []Behavior{Allow, Ask, Deny} {
		s.Bash(b, "x")
	}
	if used := liveHeap() - before; used > limit {
		t.Errorf("the set keeps %d MB alive", used>>20)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(list)
}

func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
