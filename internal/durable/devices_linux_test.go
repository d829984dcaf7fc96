package durable

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A temporary directory on another file system is of no use, and no failure.
func TestReplaceAcrossDevices(t *testing.T) {
	dir := t.TempDir()
	other, err := os.MkdirTemp("/dev/shm", "assent-test")
	if err != nil {
		t.Skip("there is no second file system to try it with")
	}
	t.Cleanup(func() { os.RemoveAll(other) })
	if device(t, other) == device(t, dir) {
		t.Skip("there is no second file system to try it with")
	}
	path := filepath.Join(dir, "file")
	if err := Replace(path, []byte("new"), 0o600, other); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
	if len(names(t, dir)) != 1 || len(names(t, other)) != 0 {
		t.Errorf("left %q and %q", names(t, dir), names(t, other))
	}
}

func device(t *testing.T, path string) uint64 {
	t.Helper()
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		t.Fatal(err)
	}
	return uint64(s.Dev)
}
