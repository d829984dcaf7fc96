package policy

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// row is a case of the corpus about rules or paths.
type row struct {
	ID       string            `json:"id"`
	Rules    Permissions       `json:"rules"`
	Mode     string            `json:"mode"`
	Command  string            `json:"command"`
	Tool     string            `json:"tool"`
	Path     string            `json:"path"`
	Cwd      string            `json:"cwd"`
	Symlinks map[string]string `json:"symlinks"`
	Expect   string            `json:"expect"`
	Also     []string          `json:"also"`
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range bytes.Lines(text) {
		var r row
		if err := strictjson.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, r)
	}
	if len(rows) < 50 {
		t.Fatalf("%s has only %d rows", name, len(rows))
	}
	return rows
}

func (r row) query(t testing.TB) Query {
	t.Helper()
	q := Query{Cwd: r.Cwd, Home: "/home/dev", Permissions: &r.Rules, Symlinks: r.Symlinks}
	content := r.Path
	if q.Tool = r.Tool; q.Tool == "" {
		q.Tool, q.Cwd, content = "Bash", "/home/dev/proj", r.Command
	}
	if q.Symlinks == nil {
		q.Symlinks = map[string]string{}
	}
	call, err := NewCall(q.Tool, content)
	if err != nil {
		t.Fatal(err)
	}
	q.Input = call.Input
	return q
}

func newTestChecker(t testing.TB) *Checker {
	t.Helper()
	tools, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	return &Checker{Tools: tools, Links: permission.NoLinks{}, Settings: settings.Options{Dir: "/home/dev/proj", Home: "/home/dev"}}
}

func judged(t testing.TB, c *Checker, q Query) *Judgement {
	t.Helper()
	j, err := c.Judge(q)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// shortCall is a judgement under some rules, for tests that want one call.
func shortCall(t testing.TB, call string, p Permissions) *Judgement {
	t.Helper()
	parsed, err := ParseCall(call)
	if err != nil {
		t.Fatal(err)
	}
	return judged(t, newTestChecker(t), Query{Tool: parsed.Tool, Input: parsed.Input, Permissions: &p, Symlinks: map[string]string{}})
}
