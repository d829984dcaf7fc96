//go:build !windows

package session

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// fullVariable makes a test the process that meets the full disk: how large a file may
// become is a property of a process, and others test here as well.
const fullVariable = "ASSENT_TEST_FULL_DISK"

// A disk that is full at any byte: what was acknowledged is there, the rest is refused, and
// the session goes on when there is room again.
func TestD8_AFullDisk(t *testing.T) {
	if os.Getenv(fullVariable) == "" {
		alone(t, nil, fullVariable)
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	var whole syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &whole); err != nil {
		t.Fatal(err)
	}
	room := func(bytes uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: whole.Max}); err != nil {
			t.Fatal(err)
		}
	}
	const most = 1200 // bytes: six records
	failed := 0
	for size := 0; size < most; size += effort(23, 1) {
		s := newStore(t)
		room(uint64(size))
		tr, err := s.Create(one, begin)
		kept := 0
		for n := 1; err == nil && n <= 6; n++ {
			kept = n // with the first record, which Create wrote
			err = tr.Append(Noted, fmt.Sprint("note ", n))
		}
		room(whole.Cur)
		if err == nil {
			t.Fatalf("%d bytes were enough", size)
		}
		if !strings.Contains(err.Error(), "cannot be ") || !errors.Is(err, syscall.EFBIG) {
			t.Fatalf("%d bytes: no clear refusal: %v", size, err)
		}
		failed++
		if tr == nil {
			if _, err := s.Resume(one); !errors.Is(err, ErrUnknown) {
				t.Fatalf("%d bytes: half a session was made: %v", size, err)
			}
			create(t, s, one)
			continue
		}
		if err := tr.Append(Noted, "too late"); err == nil {
			t.Fatalf("%d bytes: it goes on unrecorded", size)
		}
		_ = tr.Close()
		again := resume(t, s, one)
		if got := lines(t, again); len(got) != kept || kept > 1 && got[kept-1] != fmt.Sprintf(`note "note %d"`, kept-1) {
			t.Fatalf("%d bytes: %d records were acknowledged, there are %q", size, kept, got)
		}
		put(t, again, Noted, "there is room again")
	}
	if failed == 0 {
		t.Error("nothing was tried")
	}
}

// alone runs a test again in a process of its own, which knows it by the variable.
func alone(t *testing.T, attributes *syscall.SysProcAttr, variable string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOCOVERDIR=") }), variable+"=1")
	cmd.SysProcAttr = attributes
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && attributes != nil && errors.Is(err, syscall.EPERM):
		t.Skip("this system does not let tests have a disk of their own")
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP: "+t.Name()):
		t.Skip(string(out))
	case !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("the test was not run:\n%s", out)
	}
}
