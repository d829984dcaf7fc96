//go:build !windows

package session

import (
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
