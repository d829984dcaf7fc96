//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/tool"
)

// A tool runs in the process that may have the tickets open, and opening them would cost it
// its locks. So no tool does, by whatever name.
func TestA2_NoToolOpensTheTickets(t *testing.T) {
	root := tree(t, files{"w/other.txt": "needle\n", "state.db": "needle\n", "state.db-wal": "needle\n", "book.ipynb": book})
	for from, to := range map[string]string{"state.db": "w/hard.txt", "state.db-wal": "w/log.txt", "book.ipynb": "w/book.ipynb"} {
		if err := os.Link(filepath.Join(root, from), filepath.Join(root, to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("hard.txt", filepath.Join(root, "w", "soft.txt")); err != nil {
		t.Fatal(err)
	}
	box := newToolbox()
	dir := filepath.Join(root, "w")
	for _, name := range []string{"hard.txt", "log.txt"} { // what was read before may be changed
		runTool(t, box.read, dir, input{"file_path": name})
	}
	for _, name := range []string{"state.db", "book.ipynb"} {
		kept, err := durable.Keep(filepath.Join(root, name), "-wal")
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Release()
	}
	for _, name := range []string{"hard.txt", "soft.txt", "log.txt"} {
		for _, call := range []struct {
			runner tool.Runner
			in     input
		}{
			{box.read, input{"file_path": name}},
			{box.edit, input{"file_path": name, "old_string": "needle", "new_string": "x"}},
			{box.write, input{"file_path": name, "content": "x"}},
			{box.notebook, input{"notebook_path": filepath.Join(dir, "book.ipynb"), "cell_id": "calc", "new_source": "x"}},
			{newGrep(Options{}), input{"pattern": "needle", "path": name}},
		} {
			r := call.runner.Run(t.Context(), jobFor(t, call.runner, dir, call.in))
			if r.Outcome != tool.Failed || !strings.Contains(r.Text, durable.ErrKept.Error()) {
				t.Errorf("%s %s: %v %s", call.runner.Name(), name, r.Outcome, r.Text)
			}
		}
	}
	text := runTool(t, newGrep(Options{}), dir, input{"pattern": "needle", "output_mode": "files_with_matches"})
	if !strings.Contains(text, "other.txt") || strings.Contains(text, "hard.txt") || strings.Contains(text, "log.txt") {
		t.Errorf("%s", text)
	}
}
