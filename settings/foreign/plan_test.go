package foreign

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// world is a home directory with a project, both empty.
type world struct {
	*testing.T
	Options
}

func newWorld(t *testing.T, agents ...Agent) *world {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, Options: Options{
		Places: Places{Home: filepath.Join(top, "home"), Dir: filepath.Join(top, "proj")},
		Agents: agents, Program: testProgram, Runs: found, StateDir: filepath.Join(top, "state"),
	}}
	for _, dir := range []string{w.Home, w.Dir} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) write(path, text string) {
	w.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o640)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) link(target, path string) {
	w.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(target, path)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) read(path string) string {
	w.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// snapshot lists every file and directory below home and project with its content.
func (w *world) snapshot() map[string]string {
	w.Helper()
	all := map[string]string{}
	for _, top := range []string{w.Home, w.Dir} {
		err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				all[path] = w.read(path)
			} else {
				all[path] = e.Type().String()
			}
			return err
		})
		if err != nil {
			w.Fatal(err)
		}
	}
	return all
}

func (w *world) do(plan func(Options) (*Plan, error)) *Plan {
	w.Helper()
	p, err := plan(w.Options)
	if err != nil {
		w.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		w.Fatal(err)
	}
	return p
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if other, ok := b[k]; !ok || other != v {
			return false
		}
	}
	return true
}

// For every agent, in both scopes, with and without the policy: there and back leaves
// no trace, and twice is once.
func TestThereAndBack(t *testing.T) {
	for _, scope := range []Scope{User, Project} {
		for _, policy := range []Policy{Starter, NoPolicy} {
			for _, agents := range append([][]Agent{Agents}, []Agent{Claude}, []Agent{Codex}, []Agent{Gemini}, []Agent{Cursor}, []Agent{Copilot}) {
				w := newWorld(t, agents...)
				w.Scope, w.Policy = scope, policy
				w.write(filepath.Join(w.Home, ".claude", "settings.json"), "{\r\n\t\"model\": \"x\"\r\n}") // there already
				before := w.snapshot()
				first := w.do(Wiring)
				if len(first.Changes) < len(agents) {
					t.Fatalf("%v: %d changes", agents, len(first.Changes))
				}
				for _, a := range agents {
					if text := w.read(w.file(a, scope)); !strings.Contains(text, "assent hook --agent "+a.String()) {
						t.Errorf("%v: not wired:\n%s", a, text)
					}
				}
				wired := w.snapshot()
				if second := w.do(Wiring); len(second.Changes) > 0 || !equal(wired, w.snapshot()) {
					t.Errorf("%v: a second time changed %v", agents, second.Changes)
				}
				w.do(Undoing)
				if after := w.snapshot(); !equal(before, after) {
					t.Errorf("%v, %v: left %v, was %v", agents, scope, after, before)
				}
				if again := w.do(Undoing); len(again.Changes) > 0 {
					t.Errorf("%v: undoing twice changed %v", agents, again.Changes)
				}
			}
		}
	}
}

// One agent goes, the others and the policy stay.
func TestUndoOne(t *testing.T) {
	w := newWorld(t, Agents...)
	w.do(Wiring)
	w.Agents, w.Policy = []Agent{Claude}, NoPolicy
	w.do(Undoing)
	text := w.read(w.policyFile(User))
	if strings.Contains(text, "hooks") || !strings.Contains(text, `"permissions"`) {
		t.Errorf("got\n%s", text)
	}
	if !strings.Contains(w.read(w.file(Codex, User)), "assent hook") {
		t.Error("another agent lost its guard")
	}
	w.Agents, w.Policy = Agents, Starter
	w.do(Undoing)
	if left := w.snapshot(); len(left) != 2 { // the two directories
		t.Errorf("left %v", left)
	}
}

// A policy that somebody has changed is theirs; so is the file of its tests.
func TestUndoKeepsAChangedPolicy(t *testing.T) {
	w := newWorld(t, Claude)
	w.do(Wiring)
	for _, path := range []string{w.policyFile(User), w.testFile(User)} {
		text := strings.Replace(w.read(path), "npm publish", "npm unpublish", 1)
		w.write(path, text)
	}
	p := w.do(Undoing)
	if text := w.read(w.policyFile(User)); !strings.Contains(text, "npm unpublish") || strings.Contains(text, "hooks") {
		t.Errorf("got\n%s", text)
	}
	if !strings.Contains(w.read(w.testFile(User)), "npm unpublish") {
		t.Error("the tests are gone")
	}
	var notes []string
	for _, r := range p.Results {
		notes = append(notes, r.Notes...)
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "so it stays") || !strings.Contains(notes[1], "so it stays") {
		t.Errorf("notes: %q", notes)
	}
	if again := w.do(Undoing); len(again.Changes) > 0 {
		t.Errorf("undoing again changed %v", again.Changes)
	}
}

// Without a record, as on a colleague's machine, the guard is found all the same.
func TestUndoWithoutRecord(t *testing.T) {
	w := newWorld(t, Agents...)
	w.Scope, w.Policy = Project, NoPolicy
	w.do(Wiring)
	if err := os.Remove(recordsFile(w.StateDir)); err != nil {
		t.Fatal(err)
	}
	w.do(Undoing)
	for _, a := range Agents {
		text, err := os.ReadFile(w.file(a, Project))
		switch {
		case a == Copilot && errors.Is(err, fs.ErrNotExist):
		case a == Cursor && string(text) == "{\n  \"version\": 1\n}\n":
		case a != Copilot && a != Cursor && string(text) == "{}\n":
		default:
			t.Errorf("%v: %q, %v", a, text, err)
		}
	}
}

// The tests of a policy are not taken from somebody who has changed only the policy,
// not the second time either. Once the policy is gone they go.
func TestUndoKeepsTestsOfAChangedPolicy(t *testing.T) {
	w := newWorld(t, Claude)
	w.do(Wiring)
	tests := w.read(w.testFile(User))
	w.write(w.policyFile(User), strings.Replace(w.read(w.policyFile(User)), "npm publish", "npm unpublish", 1))
	for range 2 {
		p := w.do(Undoing)
		if got := w.read(w.testFile(User)); got != tests {
			t.Errorf("the tests are\n%s", got)
		}
		last := p.Results[len(p.Results)-1]
		if last.Subject != Tests || last.Outcome != Missing || len(last.Notes) != 1 || last.Notes[0] != "it belongs to the policy, so it stays" {
			t.Errorf("got %+v", last)
		}
	}
	w.write(w.policyFile(User), "{}")
	w.do(Undoing)
	if _, err := os.Stat(w.testFile(User)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the tests stay without a policy: %v", err)
	}
}

// Existing permissions are never touched, not even empty ones.
func TestPolicyIsNeverOverwritten(t *testing.T) {
	for _, text := range []string{`{"permissions": {"deny": ["Bash"]}}`, `{"permissions": {}}`, `{"permissions": {"defaultMode": "plan"}}`} {
		w := newWorld(t)
		w.write(w.policyFile(User), text)
		if p := w.do(Wiring); len(p.Changes) > 0 || p.Results[0].Outcome != Present {
			t.Errorf("%s: %v", text, p.Results)
		}
	}
}

// A link stays, and the file behind it is changed, with its permissions.
func TestLinksAreFollowed(t *testing.T) {
	w := newWorld(t, Claude)
	dotfile := filepath.Join(w.Home, "dotfiles", "claude.json")
	w.write(dotfile, "{}\n")
	path := w.policyFile(User)
	w.link(dotfile, path)
	w.do(Wiring)
	if target, err := os.Readlink(path); err != nil || target != dotfile {
		t.Errorf("the link is %q, %v", target, err)
	}
	if info, err := os.Stat(dotfile); err != nil || info.Mode().Perm() != 0o640 || !strings.Contains(w.read(dotfile), "assent hook") {
		t.Errorf("%v, %v", info, err)
	}
	w.do(Undoing)
	if text := w.read(dotfile); text != "{}\n" {
		t.Errorf("got %q", text)
	}
}

// Two paths to one file are one file: neither the policy nor a guard gets lost, and
// the way back finds both.
func TestM9_TwoPathsToOneFile(t *testing.T) {
	for name, before := range map[string]string{"there": "{\n  \"model\": \"x\"\n}\n", "not there": ""} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Claude, Gemini)
			real := filepath.Join(w.Home, "dotfiles", "claude")
			if before != "" {
				w.write(filepath.Join(real, "settings.json"), before)
			} else if err := os.MkdirAll(real, 0o755); err != nil {
				t.Fatal(err)
			}
			w.link(real, filepath.Join(w.Home, ".claude"))
			w.link(real, filepath.Join(w.Home, ".gemini"))
			w.Getenv = func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": real}[name] }
			was := w.snapshot()
			p := w.do(Wiring)
			for i, want := range []string{w.policyFile(User), w.testFile(User), w.file(Claude, User), w.file(Gemini, User)} {
				if r := p.Results[i]; r.File != want || r.Outcome != Added {
					t.Errorf("got %+v, want %s", r, want)
				}
			}
			text := w.read(w.policyFile(User))
			for _, want := range []string{`"permissions"`, "--agent claude", "--agent gemini"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s is lost:\n%s", want, text)
				}
			}
			if again := w.do(Wiring); len(again.Changes) > 0 {
				t.Errorf("a second time changed %v", again.Changes)
			}
			w.do(Undoing)
			if after := w.snapshot(); !equal(was, after) {
				t.Errorf("left %v, was %v", after, was)
			}
		})
	}
}

// New files are private, those of a project are for everybody.
func TestModes(t *testing.T) {
	for scope, want := range map[Scope][2]fs.FileMode{User: {0o600, 0o700}, Project: {0o644, 0o755}} {
		w := newWorld(t, Codex)
		w.Scope = scope
		w.do(Wiring)
		file := w.file(Codex, scope)
		for i, path := range []string{file, filepath.Dir(file)} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want[i] {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
}

// Links to what is not this user's business, or nowhere, are refused.
func TestLinksAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		scope Scope
		make  func(*world, string)
		want  string
	}{
		"nowhere":             {User, func(w *world, path string) { w.link(filepath.Join(w.Home, "nothing"), path) }, "create what the link leads to"},
		"out of the project":  {Project, func(w *world, path string) { w.link(w.Home, filepath.Dir(path)) }, "outside of the project"},
		"to the user's file":  {Project, func(w *world, path string) { w.write(w.file(Codex, User), "{}"); w.link(w.file(Codex, User), path) }, "outside of the project"},
		"to a directory":      {User, func(w *world, path string) { w.link(w.Home, path) }, "not a regular file"},
		"to somebody else's":  {User, somebodyElses, "belongs to another user"},
		"in a circle":         {User, func(w *world, path string) { w.link(path, path) }, "cannot be used"},
		"a directory instead": {User, func(w *world, path string) { w.write(filepath.Join(path, "x"), "") }, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Codex)
			w.Scope, w.Policy = c.scope, NoPolicy
			c.make(w, w.file(Codex, c.scope))
			before := w.snapshot()
			_, err := Wiring(w.Options)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if !equal(before, w.snapshot()) {
				t.Error("something was changed")
			}
		})
	}
}

// somebodyElses makes path a link to a file of another user. Root can give one away;
// everybody else finds one.
func somebodyElses(w *world, path string) {
	target := "/etc/passwd"
	if os.Geteuid() == 0 {
		target = filepath.Join(w.Home, "theirs")
		w.write(target, "{}")
		if err := os.Chown(target, 12345, 12345); err != nil {
			w.Fatal(err)
		}
	}
	w.link(target, path)
}

// A guard that the person has written, and that was mended, is not taken out of a file
// that they have changed since.
func TestM8_UndoKeepsAMendedGuard(t *testing.T) {
	const mine = `{ "type": "command", "command": "assent hook --deadline 3s" /* mine */ }`
	for name, c := range map[string]struct {
		change func(string) string
		want   []string
	}{
		"beside it": {func(text string) string { return strings.Replace(text, `{"hooks"`, `{"x": 1, "hooks"`, 1) }, []string{mine, `"x": 1`}},
		"in it":     {func(text string) string { return strings.Replace(text, "3s", "4s", 1) }, []string{"assent hook --deadline 4s ||"}},
		"twice": {func(text string) string {
			return strings.Replace(text, `"Stop": []`, `"PostToolUse": [{"hooks": [`+mine+`]}]`, 1)
		}, []string{mine}},
		"it is gone": {func(string) string { return `{"x": 1}` }, []string{`{"x": 1}`}},
	} {
		w := newWorld(t, Claude)
		w.Policy = NoPolicy
		path := w.file(Claude, User)
		w.write(path, `{"hooks": {"PreToolUse": [{"hooks": [`+mine+`]}], "Stop": []}}`)
		if p := w.do(Wiring); p.Results[0].Outcome != Mended {
			t.Fatalf("%s: %+v", name, p.Results)
		}
		changed := c.change(w.read(path))
		w.write(path, changed)
		p := w.do(Undoing)
		for _, want := range c.want {
			if text := w.read(path); !strings.Contains(text, want) {
				t.Errorf("%s: got\n%s\nwant %s", name, text, want)
			}
		}
		if notes := strings.Join(p.Results[0].Notes, "\n"); !strings.Contains(notes, "was there before") != (name == "it is gone") {
			t.Errorf("%s: said %q", name, notes)
		}
	}
}

// Codex has another file that switches hooks off.
func TestM7_HooksAreOffElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    false,
		"[features]\nhooks = true\n":          false,
		"[features]\nhooks = false # off\n":   true,
		"[features]\ncodex_hooks=false":       true,
		"[features]\r\n\"hooks\" = false\r\n": true,
		"features.hooks = false":              true,
		"features = { x = 1, hooks = false }": true,
		"[ features ]\nhooks = false\n":       true,
		"# [features]\n# hooks = false\n":     false,
		"[other]\nhooks = false\n":            false,
		"[features]\n[hooks]\nhooks = false":  false,
		"[features]\nhooks_x = false":         false,
		"[features]\nx = \"hooks = false\"\n": false,
	} {
		for _, dir := range []string{"home", "project"} {
			w := newWorld(t, Codex)
			w.Policy = NoPolicy
			path := filepath.Join(w.Home, ".codex", "config.toml")
			if dir == "project" {
				path = filepath.Join(w.Dir, ".codex", "config.toml")
			}
			w.write(path, text)
			p := w.do(Wiring)
			if notes := strings.Join(p.Results[0].Notes, "\n"); strings.Contains(notes, path+" switches hooks off") != want {
				t.Errorf("%q in %s: said %q", text, dir, notes)
			}
			if w.read(path) != text {
				t.Errorf("%q was changed", text)
			}
		}
	}
	w := newWorld(t, Claude)
	w.write(filepath.Join(w.Home, ".codex", "config.toml"), "[features]\nhooks = false\n")
	for _, r := range w.do(Wiring).Results {
		if len(r.Notes) > 0 {
			t.Errorf("said %q", r.Notes)
		}
	}
}

// A file of somebody else that is no link is not called one.
func TestSomebodyElsesFile(t *testing.T) {
	w := newWorld(t)
	path := "/etc/passwd"
	if os.Geteuid() == 0 {
		path = filepath.Join(w.Home, "theirs")
		w.write(path, "{}")
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := w.load(path)
	if err == nil || err.Error() != path+" belongs to another user (run this as that user, or make it yours)" {
		t.Errorf("got %v", err)
	}
}

// What the operating system says about temporary files is not for people.
func TestCause(t *testing.T) {
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: "/state/tmp/.hooks.json123", Err: fs.ErrPermission},
		&os.LinkError{Op: "rename", Old: "/state/tmp/.hooks.json123", New: "/home/hooks.json", Err: fs.ErrPermission},
	} {
		if got := cause(err); got != fs.ErrPermission {
			t.Errorf("got %v", got)
		}
	}
	if hint := permissionHint(&os.LinkError{Err: fs.ErrPermission}, "writable"); hint != " (make the file and its directory writable for you, then run this again)" {
		t.Errorf("got %q", hint)
	}
	if hint := permissionHint(fs.ErrNotExist, "writable"); hint != "" {
		t.Errorf("got %q", hint)
	}
}

// Whoever protects a file against writing is told that it is changed.
func TestWriteProtectedFile(t *testing.T) {
	w := newWorld(t, Codex)
	w.Policy = NoPolicy
	path := w.file(Codex, User)
	w.write(path, "{}\n")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	p := w.do(Wiring)
	if notes := p.Results[0].Notes; len(notes) != 1 || !strings.Contains(notes[0], "write-protected") {
		t.Errorf("said %q", notes)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o444 {
		t.Errorf("%v, %v", info, err)
	}
	if again := w.do(Wiring); len(again.Results[0].Notes) > 0 {
		t.Errorf("nothing is changed, and it says %q", again.Results[0].Notes)
	}
}

// A file that cannot be read, and a file that cannot be written, say what to do.
func TestPermissionHints(t *testing.T) {
	w := newWorld(t, Codex)
	w.Policy = NoPolicy
	path := w.file(Codex, User)
	w.write(path, "{}\n")
	if err := errors.Join(os.Chmod(path, 0), writableForAll(w.StateDir)); err != nil {
		t.Fatal(err)
	}
	var err error
	withoutRights(t, func() { _, err = Wiring(w.Options) })
	if err == nil || err.Error() != path+" cannot be read: permission denied (make the file and its directory readable for you, then run this again)" {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(os.Chmod(path, 0o644), os.Chmod(filepath.Dir(path), 0o555)); err != nil {
		t.Fatal(err)
	}
	p, err := Wiring(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	withoutRights(t, func() { err = p.Apply() })
	if err == nil || err.Error() != path+" cannot be written: permission denied; nothing was changed (make the file and its directory writable for you, then run this again)" {
		t.Errorf("got %v", err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
}

// When one file cannot be written, none is: here a file stands where a directory
// should be made.
func TestAllOrNothing(t *testing.T) {
	w := newWorld(t, Claude, Gemini, Copilot)
	w.write(w.file(Gemini, User), "{}\n")
	p, err := Wiring(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.Home, ".copilot"), "in the way")
	before := w.snapshot()
	if err := p.Apply(); err == nil || !strings.Contains(err.Error(), "assent.json") || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("got %v", err)
	}
	if after := w.snapshot(); !equal(before, after) {
		t.Errorf("left %v, was %v", after, before)
	}
	if known, err := readRecords(w.StateDir); err != nil || len(known.Files) > 0 {
		t.Errorf("the record says %v, %v", known, err)
	}
}

// writableForAll makes a directory that also somebody without rights can use, whom
// the temporary directory of a test does not let in.
func writableForAll(dir string) error {
	top := filepath.Dir(dir)
	return errors.Join(os.MkdirAll(dir, 0o777), os.Chmod(dir, 0o777), os.Chmod(top, 0o755), os.Chmod(filepath.Dir(top), 0o755))
}

// A directory that cannot be written to.
func TestReadOnlyDirectory(t *testing.T) {
	for _, a := range Agents {
		w := newWorld(t, a)
		w.Policy = NoPolicy
		if err := errors.Join(os.Chmod(w.Home, 0o555), writableForAll(w.StateDir)); err != nil {
			t.Fatal(err)
		}
		p, err := Wiring(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		withoutRights(t, func() { err = p.Apply() })
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%v: %v", a, err)
		}
		if err := os.Chmod(w.Home, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// What is written is what was shown.
func TestChangedMeanwhile(t *testing.T) {
	for _, late := range []string{"{\"late\": 1}", ""} {
		w := newWorld(t, Codex)
		p, err := Wiring(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		w.write(w.file(Codex, User), late)
		before := w.snapshot()
		if err := p.Apply(); err == nil || !strings.Contains(err.Error(), "somebody changed it meanwhile; nothing was changed") {
			t.Errorf("got %v", err)
		}
		if !equal(before, w.snapshot()) {
			t.Error("something was changed")
		}
	}
}

// A record that cannot be read stops everything, with a way out.
func TestBrokenRecord(t *testing.T) {
	w := newWorld(t, Codex)
	w.write(recordsFile(w.StateDir), "{")
	for _, plan := range []func(Options) (*Plan, error){Wiring, Undoing} {
		if _, err := plan(w.Options); err == nil || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("got %v", err)
		}
	}
}

// A record that was tampered with cannot reach beyond the text.
func TestStepsAreChecked(t *testing.T) {
	text := []byte("{}")
	for _, s := range []Step{
		{At: -1, Sum: sum(text)},
		{At: 1, Inserted: "xxxx", Sum: sum(text)},
		{At: 0, Inserted: "[", Sum: sum(text)},
		{At: 0, Inserted: "{", Sum: "other"},
	} {
		if _, ok := s.revert(text); ok {
			t.Errorf("%+v was taken back", s)
		}
	}
}

// Somebody who writes "always allow" meanwhile takes the same lock.
func TestLockOfSettings(t *testing.T) {
	locks := func(w *world) []string {
		found, err := filepath.Glob(filepath.Join(w.StateDir, "locks", "*.lock"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	w := newWorld(t)
	want := filepath.Join(w.StateDir, "locks", durable.LockName(w.policyFile(User)))
	w.do(Wiring)
	if got := locks(w); !slices.Contains(got, want) {
		t.Errorf("init takes %q", got)
	}
	if err := os.RemoveAll(w.StateDir); err != nil {
		t.Fatal(err)
	}
	writer := settings.NewWriter(settings.Options{Dir: w.Dir, Home: w.Home, StateDir: w.StateDir, ManagedFiles: []string{}})
	u := permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.UserSettings, Rules: []string{"Bash(ls)"}}
	if err := errors.Join(writer.Queue(u), writer.Close(context.Background())); err != nil {
		t.Fatal(err)
	}
	if got := locks(w); !slices.Contains(got, want) {
		t.Errorf("the writer takes %q", got)
	}
}

func TestDetect(t *testing.T) {
	none := func(string) (string, error) { return "", errors.New("not found") }
	for _, a := range Agents {
		w := newWorld(t)
		if got := w.Detect(none); len(got) > 0 {
			t.Fatalf("found %v", got)
		}
		only := func(program string) (string, error) {
			if slices.Contains(a.programs(), program) {
				return "/bin/" + program, nil
			}
			return none(program)
		}
		if got := w.Detect(only); len(got) != 1 || got[0].Agent != a || !strings.HasPrefix(got[0].Sign, "/bin/") {
			t.Errorf("%v: %v", a, got)
		}
		for _, dir := range []string{w.home(a), w.projectDir(a)} {
			w.write(filepath.Join(dir, "x"), "")
			if got := w.Detect(none); len(got) != 1 || got[0] != (Found{a, dir}) {
				t.Errorf("%v: %v", a, got)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Some agents can be told to live elsewhere. The policy stands where assent reads it.
func TestMovedDirectories(t *testing.T) {
	p := Places{Home: "/home/dev", Dir: "/proj", Getenv: func(name string) string {
		return map[string]string{"CODEX_HOME": "/moved/codex", "CLAUDE_CONFIG_DIR": "/moved/claude"}[name]
	}}
	for got, want := range map[string]string{
		p.file(Codex, User):    "/moved/codex/hooks.json",
		p.file(Claude, User):   "/moved/claude/settings.json",
		p.file(Gemini, User):   "/home/dev/.gemini/settings.json",
		p.file(Codex, Project): "/proj/.codex/hooks.json",
		p.policyFile(User):     "/moved/claude/settings.json",
		p.policyFile(Project):  "/proj/.claude/settings.json",
		p.testFile(User):       "/moved/claude/policy.test.json",
		p.file(Copilot, User):  "/home/dev/.copilot/hooks/assent.json",
	} {
		if got != filepath.FromSlash(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, dir := range []string{"relative", "~/claude"} {
		for variable, agent := range map[string]Agent{"CODEX_HOME": Codex, "CLAUDE_CONFIG_DIR": Gemini} { // the policy is that of all
			p.Getenv = func(name string) string {
				if name == variable {
					return dir
				}
				return ""
			}
			o := Options{Places: p, Agents: []Agent{agent}, StateDir: t.TempDir()}
			for _, plan := range []func(Options) (*Plan, error){Wiring, Undoing} {
				if _, err := plan(o); err == nil || !strings.Contains(err.Error(), variable+" must be an absolute path") {
					t.Errorf("%s=%s: %v", variable, dir, err)
				}
			}
		}
	}
}
