//go:build unix

package mcp_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

// What a server has said before it ends counts, however soon it ends.
func TestAnAnswerBeforeTheEndCounts(t *testing.T) {
	for range 5 {
		set := open(t, mcp.Options{}, program(t, "s", "answers and ends"))
		call := find(t, set, "mcp__s__go")
		var all sync.WaitGroup
		for range manyCalls {
			all.Go(func() { want(t, run(t.Context(), call, `{}`), tool.Succeeded, "done") })
		}
		all.Wait()
	}
}

// A server that is started again leaves nothing behind, also if it was still dying.
func TestNothingIsLeftOfAServerThatWasDying(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	set := open(t, mcp.Options{}, program(t, "s", "lingers", mcp.Pair{Name: "PIDS", Value: file}))
	call := find(t, set, "mcp__s__go")
	want(t, run(t.Context(), call, `{}`), tool.Succeeded, "done")
	mcp.AwaitEnd(set, "s")
	want(t, run(t.Context(), call, `{}`), tool.Succeeded, "done") // by another one
	set.Close(t.Context())
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if runs(string(pid)) {
		t.Errorf("%s is still there", pid)
	}
}
