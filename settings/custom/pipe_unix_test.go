//go:build !windows

package custom

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nobody ever writes to this pipe: who waited for it would wait for ever.
func TestS43_APipeIsNotWaitedFor(t *testing.T) {
	work := t.TempDir()
	dir := filepath.Join(work, ".claude", "commands")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := ReadBelow(work)
	if len(set.Commands) != 1 || set.Commands[0].Fault == nil || !strings.Contains(set.Commands[0].Fault.Error(), "not a regular file") {
		t.Errorf("%+v", set)
	}
}

// Nor is one that stands where a directory should, whoever looks.
func TestS43_APipeIsNoDirectory(t *testing.T) {
	for _, at := range []string{".claude", ".claude/commands", ".claude/agents", ".claude/commands/team"} {
		work := t.TempDir()
		pipe := filepath.Join(work, filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(pipe), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		below, own := ReadBelow(work), Read(filepath.Join(work, ".claude"))
		if strings.HasSuffix(at, "team") { // no Markdown file, so nobody means it
			continue
		}
		for _, set := range []Set{below, own} {
			if len(set.Faults) == 0 || !strings.Contains(set.Faults[0].Error(), "not a directory") {
				t.Errorf("%s: %+v", at, set)
			}
		}
	}
}
