package clerk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testdisk"
)

// Showing what a call would do to a file must not cost the tickets their locks, whatever
// file a model names: without them another process puts away what was acknowledged.
func TestA2_ShowingAChangeKeepsTheLocks(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	_, err := p.MakeTickets(t.Context())
	p.check(err)
	for _, ending := range []string{"", "-wal", "-shm"} {
		file := filepath.Join(p.dir, "state.db"+ending)
		hard, soft := filepath.Join(p.cwd, "hard"+ending), filepath.Join(p.cwd, "soft"+ending)
		p.check(errors.Join(os.Link(file, hard), os.Symlink(file, soft)))
		before := testdisk.Locks(t, file)
		if before == 0 && ending != "-wal" { // which is locked through its index
			t.Fatalf("there is no lock on %s", file)
		}
		for _, name := range []string{file, hard, soft} {
			for _, tool := range []string{"Write", "Edit"} {
				input, err := strictjson.Marshal(map[string]string{"file_path": name, "content": "x", "old_string": "a", "new_string": "b"})
				p.check(err)
				got := Change(approval.Call{Tool: tool, Input: input, Cwd: p.cwd})
				if got == nil || !strings.Contains(got.Note, "it belongs to the tickets that this process has open") {
					t.Errorf("%s %s: %+v", tool, name, got)
				}
				if after := testdisk.Locks(t, file); after < before {
					t.Fatalf("%s %s: %d locks are left of %d", tool, name, after, before)
				}
			}
		}
	}
}
