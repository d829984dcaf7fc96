package testdisk

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Locks is how many locks this process holds on a file.
func Locks(t testing.TB, path string) (n int) {
	t.Helper()
	var info syscall.Stat_t
	if err := syscall.Stat(path, &info); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(all)) {
		if fields := strings.Fields(line); len(fields) > 5 && fields[4] == fmt.Sprint(os.Getpid()) && strings.HasSuffix(fields[5], fmt.Sprintf(":%d", info.Ino)) {
			n++
		}
	}
	return n
}

// LockedDatabase makes a file on which this process has a lock, as it has on a database that
// it has open.
func LockedDatabase(t testing.TB, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_RDLCK, Len: 1}); err != nil {
		t.Fatal(err)
	}
	if Locks(t, path) == 0 {
		t.Fatal("there is no lock")
	}
}
