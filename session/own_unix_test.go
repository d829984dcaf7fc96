//go:build !windows

package session

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// A command that another goroutine starts has all open files for a moment, and with them
// their locks. A session that is closed is free all the same.
func TestAClosedSessionIsFreeWhateverStarts(t *testing.T) {
	s := newStore(t)
	var file owned
	s.through = func(f chain.File) chain.File { file = f.(owned); return f }
	tr := create(t, s, one)
	twin, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(twin)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := s.Resume(one)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

// A pipe in the place of a lock keeps nobody waiting for somebody at its other end.
func TestALockIsNoPipe(t *testing.T) {
	for _, depot := range []Depot{nil, &far{text: transcriptOf(t, "noted")}} {
		s := newStore(t)
		if err := create(t, s, one).Close(); err != nil {
			t.Fatal(err)
		}
		s.Depot = depot
		path := filepath.Join(s.path(one), lockName)
		_ = os.Remove(path)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		other, err := os.OpenFile(path, os.O_RDWR, 0) // so that it is seen who opens it, and he does not hang
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = other.Close(), os.Remove(path) })
		if _, err := s.Resume(one); err == nil || !strings.Contains(err.Error(), "lock "+path+": it is not a regular file (remove it)") {
			t.Errorf("%T: %v", depot, err)
		}
	}
}
