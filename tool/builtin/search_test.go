package builtin

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// files are the content of a tree by path. A name that ends in a slash is an empty
// directory, a content that starts with "->" a link.
type files map[string]string

// tree makes the files in a new directory and returns its real path.
func tree(t testing.TB, all files) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range all {
		plant(t, filepath.Join(root, name), name, content)
	}
	return root
}

func plant(t testing.TB, path, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	switch target, link := strings.CutPrefix(content, "->"); {
	case strings.HasSuffix(name, "/"):
		err = os.MkdirAll(path, 0o755)
	case link:
		err = os.Symlink(target, path)
	default:
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// input is the input of a call.
type input map[string]any

// jobFor is a call of a tool as it comes out of the engine.
func jobFor(t testing.TB, runner tool.Runner, cwd string, in input) tool.Job {
	t.Helper()
	text, err := strictjson.Marshal(map[string]any(in))
	if err != nil {
		t.Fatal(err)
	}
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := permission.NewContext(permission.Config{Cwd: cwd, Home: "/home/nobody"})
	if err != nil {
		t.Fatal(err)
	}
	call, err := permission.NewEngine(set, diskLinks{}).Validate(ctx, permission.Request{Tool: runner.Name(), Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return tool.Job{Call: call, Input: text, ToolUseID: "toolu_1", Cwd: cwd}
}

// runTool makes a call and wants it to succeed.
func runTool(t testing.TB, runner tool.Runner, cwd string, in input) string {
	t.Helper()
	result := runner.Run(t.Context(), jobFor(t, runner, cwd, in))
	if result.Outcome != tool.Succeeded {
		t.Fatalf("%s %v failed: %s", runner.Name(), in, result.Text)
	}
	return result.Text
}

// failTool makes a call and wants it to fail with words.
func failTool(t testing.TB, runner tool.Runner, cwd string, in input, words string) {
	t.Helper()
	result := runner.Run(t.Context(), jobFor(t, runner, cwd, in))
	if result.Outcome != tool.Failed || !strings.Contains(result.Text, words) {
		t.Errorf("%s %v: outcome %d, text %q, want a failure with %q", runner.Name(), in, result.Outcome, result.Text, words)
	}
}

// denying is a MayRead that refuses what lies at or below the paths.
func denying(paths ...string) func(string) bool {
	return func(path string) bool {
		for _, denied := range paths {
			if path == denied || strings.HasPrefix(path, denied+"/") {
				return false
			}
		}
		return true
	}
}

// wantInterrupted wants a run with a context that has ended to say so.
func wantInterrupted(t *testing.T, runner tool.Runner, job tool.Job) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result := runner.Run(ctx, job); result.Outcome != tool.NothingDone {
		t.Errorf("%s: outcome %d, text %q, want that it was interrupted and has done nothing", runner.Name(), result.Outcome, result.Text)
	}
}

// leavesNothing wants that everything the test starts has ended with it, what its own
// clean-up ends included. It is called first.
func leavesNothing(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}
