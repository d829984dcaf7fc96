package testdisk

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// variable makes a test the process that has a disk of its own.
const variable = "ASSENT_TEST_OWN_DISK"

// New is a small disk that only this process sees. The test goes on in a process that may
// make one; ok is false in the one that has started it.
func New(t *testing.T) (dir string, ok bool) {
	t.Helper()
	if os.Getenv(variable) == "" {
		alone(t)
		return "", false
	}
	dir = t.TempDir()
	if err := syscall.Mount("assent", dir, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		t.Skipf("this system does not let tests have a disk of their own: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir, true
}

// alone runs a test again in a process of its own that may mount a disk.
func alone(t *testing.T) {
	t.Helper()
	ids := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOCOVERDIR=") }), variable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: ids(os.Getuid()), GidMappings: ids(os.Getgid()),
	}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), strings.Contains(string(out), "--- SKIP: "+t.Name()):
		t.Skipf("this system does not let tests have a disk of their own: %s", out)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("%v\n%s", err, out)
	}
}

// ReadOnly lets nobody write to a disk any more.
func ReadOnly(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("assent", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

// Exhaust fills a disk to its last byte, with a file named ballast.
func Exhaust(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
}
