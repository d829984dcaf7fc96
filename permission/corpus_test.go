package permission_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// row is a labelled case of testdata/corpus.
type row struct {
	ID       string
	Rules    struct{ Allow, Ask, Deny []string }
	Mode     string
	Command  string
	Tool     string
	Cwd      string
	Path     string
	Symlinks map[string]string
	Expect   string
	Also     []string
	Class    string
	Why      string
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	file, err := os.Open("../testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []row
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

// world is the place a row describes.
func (r row) world(t testing.TB) *world {
	w := newWorld(t, lists{Allow: r.Rules.Allow, Ask: r.Rules.Ask, Deny: r.Rules.Deny}, func(c *permission.Config) {
		if r.Cwd != "" {
			c.Cwd = r.Cwd
		}
		if mode, err := permission.ParseMode(r.Mode); err == nil {
			c.Mode = mode
		}
	})
	w.engine = engine(linkMap(r.Symlinks))
	return w
}

// call validates the row's call; nil when its input is invalid, which asks.
func (r row) call(w *world) *permission.Call {
	input := map[string]any{"command": r.Command}
	name := "Bash"
	if r.Tool != "" {
		name, input = r.Tool, fileInput(r.Tool, r.Path)
	}
	data, err := json.Marshal(input)
	if err != nil {
		w.t.Fatal(err)
	}
	call, err := w.engine.Validate(w.ctx, permission.Request{Tool: name, Input: data})
	if err != nil {
		return nil
	}
	return call
}

func (r row) decide(t testing.TB) permission.Decision {
	w := r.world(t)
	call := r.call(w)
	if call == nil {
		return permission.Decision{Behavior: permission.Ask}
	}
	return w.engine.Decide(w.ctx, call)
}

type linkMap map[string]string

func (m linkMap) Readlink(path string) (string, error) { return m[path], nil }

func (m linkMap) List(dir string, _ int) (permission.Listing, error) {
	var found permission.Listing
	for link := range m {
		below, ok := strings.CutPrefix(link, strings.TrimSuffix(dir, "/")+"/")
		if !ok {
			continue
		}
		if name, rest, _ := strings.Cut(below, "/"); rest == "" {
			found.Links = append(found.Links, name)
		} else {
			found.Dirs = append(found.Dirs, name)
		}
	}
	return found, nil
}

func TestS14_CorpusRules(t *testing.T) { score(t, "rules.jsonl", 0.97) }

func TestP16_CorpusPaths(t *testing.T) { score(t, "paths.jsonl", 0.98) }

// The cases of the reviewers are held to the same bars.
func TestS14_ReviewRules(t *testing.T) { score(t, "../review/rules.jsonl", 0.97) }

func TestP16_ReviewPaths(t *testing.T) { score(t, "../review/paths.jsonl", 0.98) }

// score holds the corpus to its bar: nothing unsafe, and nearly all exact.
func score(t *testing.T, name string, least float64) {
	rows := corpus(t, name)
	exact := 0
	for _, r := range rows {
		d := r.decide(t)
		got := d.Behavior.String()
		switch {
		case got == r.Expect || slices.Contains(r.Also, got):
			exact++
		case got == "allow":
			t.Errorf("UNSAFE %s: %q allowed (%s), want %s: %s", r.ID, r.Command+r.Path, d.Message(), r.Expect, r.Why)
		default:
			t.Logf("%s: %q got %s (%s), want %s: %s", r.ID, r.Command+r.Path, got, d.Message(), r.Expect, r.Why)
		}
	}
	share := float64(exact) / float64(len(rows))
	t.Logf("%s: %d of %d exact (%.1f %%)", name, exact, len(rows), 100*share)
	if share < least {
		t.Errorf("%.1f %% exact, want at least %.1f %%", 100*share, 100*least)
	}
}

// TestP19_CorpusSuggestions: applying a suggestion allows the call it was made for,
// and turns no denied and no dangerous row into an allowed one.
func TestP19_CorpusSuggestions(t *testing.T) {
	dangerous := slices.DeleteFunc(corpus(t, "danger.jsonl"), func(r row) bool { return r.Expect != "dangerous" })
	offered := 0
	for _, r := range slices.Concat(corpus(t, "rules.jsonl"), corpus(t, "paths.jsonl")) {
		w := r.world(t)
		call := r.call(w)
		if call == nil {
			continue
		}
		d := w.engine.Decide(w.ctx, call)
		updates := w.engine.Suggest(w.ctx, call, d)
		if len(updates) == 0 {
			continue
		}
		offered++
		if d.Behavior != permission.Ask || d.Reason.Kind == permission.BySafety || d.Reason.Kind == permission.ByUnreadable {
			t.Errorf("%s: a suggestion for %v by %v", r.ID, d.Behavior, d.Reason.Kind)
		}
		before := *w
		w.apply(updates...)
		if after := w.engine.Decide(w.ctx, call); after.Behavior != permission.Allow {
			t.Errorf("%s: %q still %v after %v", r.ID, r.Command, after.Behavior, updates)
		}
		if r.Tool != "" {
			continue
		}
		for _, bad := range dangerous {
			if before.bash(bad.Command).Behavior != permission.Allow && w.bash(bad.Command).Behavior == permission.Allow {
				t.Errorf("%s: %v, suggested for %q, allows %q", r.ID, updates, r.Command, bad.Command)
			}
		}
	}
	t.Logf("%d suggestions", offered)
	if offered < 60 {
		t.Errorf("only %d rows get a suggestion", offered)
	}
}

// TestP19_SuggestionsKeepDenials: no suggestion overrules a denial of any row.
func TestP19_SuggestionsKeepDenials(t *testing.T) {
	rows := corpus(t, "rules.jsonl")
	var suggested []permission.Update
	for _, r := range rows {
		w := r.world(t)
		if call := r.call(w); call != nil {
			suggested = append(suggested, w.engine.Suggest(w.ctx, call, w.engine.Decide(w.ctx, call))...)
		}
	}
	for _, r := range rows {
		if r.Expect != "deny" {
			continue
		}
		w := r.world(t)
		w.apply(suggested...)
		if d := w.engine.Decide(w.ctx, r.call(w)); d.Behavior == permission.Allow {
			t.Errorf("%s: %q is allowed once suggestions are applied", r.ID, r.Command)
		}
	}
}

// TestCorpusMetamorphic: what does not change the meaning of a command, or only
// wraps it, never turns a denial into an allow.
func TestCorpusMetamorphic(t *testing.T) {
	variants := map[string]func(string) string{
		"spaces":      func(c string) string { return "  " + c + "  " },
		"group":       func(c string) string { return "{ " + c + "\n}" },
		"subshell":    func(c string) string { return "(" + c + "\n)" },
		"and":         func(c string) string { return "true && {\n" + c + "\n}" },
		"if":          func(c string) string { return "if true; then\n" + c + "\nfi" },
		"background":  func(c string) string { return "{\n" + c + "\n} &" },
		"negated":     func(c string) string { return "! {\n" + c + "\n}" },
		"function":    func(c string) string { return "zz() {\n" + c + "\n}; zz" },
		"substituted": func(c string) string { return "echo $(\n" + c + "\n)" },
		"loop":        func(c string) string { return "for zz in 1 2; do\n" + c + "\ndone" },
		"sh -c":       func(c string) string { return "bash -c '" + strings.ReplaceAll(c, "'", `'\''`) + "'" },
		"eval":        func(c string) string { return "eval '" + strings.ReplaceAll(c, "'", `'\''`) + "'" },
		"many before": func(c string) string { return strings.Repeat("true; ", 60) + "\n" + c },
	}
	for _, r := range corpus(t, "rules.jsonl") {
		if r.Expect != "deny" || strings.Contains(r.Command, "<<") {
			continue
		}
		w := r.world(t)
		for name, variant := range variants {
			if d := w.bash(variant(r.Command)); d.Behavior == permission.Allow {
				t.Errorf("%s, %s: %q is allowed (%s)", r.ID, name, variant(r.Command), d.Message())
			}
		}
	}
}

// TestCorpusIsClean keeps the corpus honest about its own paths.
func TestCorpusIsClean(t *testing.T) {
	for _, r := range corpus(t, "paths.jsonl") {
		if r.Cwd != path.Clean(r.Cwd) {
			t.Errorf("%s: cwd %q", r.ID, r.Cwd)
		}
		for _, text := range slices.Concat(r.Rules.Allow, r.Rules.Ask, r.Rules.Deny) {
			if _, err := rule.Parse(text); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
	}
}
