package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// world is a home, a project and an administrator's file in a temporary
// directory.
type world struct {
	t *testing.T
	Options
	root string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, Options: Options{
		Dir: filepath.Join(root, "work"), Home: filepath.Join(root, "home"), StateDir: filepath.Join(root, "state"),
		ManagedFiles: []string{filepath.Join(root, "etc", "managed.json")},
	}}
	for _, d := range []string{w.Dir, w.Home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) path(s rule.Source) string {
	switch s {
	case rule.UserSettings:
		return filepath.Join(w.Home, ".claude", "settings.json")
	case rule.ProjectSettings:
		return filepath.Join(w.Dir, ".claude", "settings.json")
	case rule.LocalSettings:
		return filepath.Join(w.Dir, ".claude", "settings.local.json")
	case rule.FlagSettings:
		return filepath.Join(w.root, "flag.json")
	case rule.PolicySettings:
		return w.ManagedFiles[0]
	}
	w.t.Fatalf("%v has no file", s)
	return ""
}

func (w *world) put(s rule.Source, text string) {
	w.t.Helper()
	if s == rule.FlagSettings {
		w.Flag = w.path(s)
	}
	w.write(w.path(s), text)
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(path string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) load() *Settings {
	w.t.Helper()
	s, err := Load(w.Options)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// trusted is the same world with --trust-workspace.
func (w *world) trusted() *world {
	w.TrustWorkspace = true
	return w
}

// rules shows the rules in force as "source behavior text".
func rules(s *Settings) []string {
	var all []string
	for _, r := range s.Config().Rules {
		all = append(all, r.Origin.Source.String()+" "+r.Behavior.String()+" "+r.Text)
	}
	slices.Sort(all)
	return all
}

// dirs shows the directories in force as "source path".
func dirs(s *Settings) []string {
	var all []string
	for _, d := range s.Config().Directories {
		all = append(all, d.Source.String()+" "+d.Path)
	}
	slices.Sort(all)
	return all
}

func kinds(reports []Report) []string {
	var all []string
	for _, r := range reports {
		all = append(all, r.Kind.String())
	}
	slices.Sort(all)
	return all
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %s\n want %s", what, strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

func find(t *testing.T, reports []Report, k Kind) Report {
	t.Helper()
	i := slices.IndexFunc(reports, func(r Report) bool { return r.Kind == k })
	if i < 0 {
		t.Fatalf("no report of kind %v in %v", k, reports)
	}
	return reports[i]
}

// contextLines shows what a context knows.
func contextLines(c *permission.Context) []string {
	all := []string{"mode " + c.Mode().String()}
	for _, r := range c.Rules() {
		all = append(all, r.Origin.Source.String()+" "+r.Behavior.String()+" "+r.String())
	}
	for _, d := range c.Directories() {
		all = append(all, d.Source.String()+" "+d.Path)
	}
	slices.Sort(all)
	return all
}
