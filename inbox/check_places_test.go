package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Who edits is told where the new input leads, and the explanation of the rules has each of
// these files with whether it lies in the project: the page says so before the yes.
func TestT7_TheCheckSaysWhetherAnEditLeadsOutside(t *testing.T) {
	w, outside := linked(t)
	w.must(os.Symlink(outside, filepath.Join(w.cwd, "away")))
	ticket := w.park(call("Write", map[string]string{"file_path": "d/new.cfg", "content": "x"}))[0]
	for path, want := range map[string]struct {
		place  string
		inside bool
	}{
		"d/new.cfg":    {filepath.Join(w.cwd, "d", "new.cfg"), true},
		"away/new.cfg": {filepath.Join(outside, "new.cfg"), false},
	} {
		var v checkView
		w.post("/api/v1/tickets/"+ticket.ID+"/check", map[string]any{"input": map[string]string{"file_path": path, "content": "y"}}).into(t, &v)
		if !v.Valid || !slices.Equal(v.Places, []string{want.place}) || v.Rules == nil || len(v.Rules.Paths) != 1 {
			t.Fatalf("%s: %+v", path, v)
		}
		if p := v.Rules.Paths[0]; p.Real != want.place || p.Inside != want.inside {
			t.Errorf("%s: %+v", path, p)
		}
	}
}
