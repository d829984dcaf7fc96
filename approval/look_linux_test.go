package approval

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// diskVariable makes a test the process that has a disk of its own.
const diskVariable = "ASSENT_TEST_OWN_DISK"

// ownDisk is a small disk that only this process sees. The test goes on in a process that
// may make one; ok is false in the one that has started it.
func ownDisk(t *testing.T) (dir string, ok bool) {
	t.Helper()
	if os.Getenv(diskVariable) == "" {
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
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOCOVERDIR=") }), diskVariable+"=1")
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

func readOnly(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("assent", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}

// exhaust fills a disk to its last byte.
func exhaust(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	must(t, err)
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
}

// On a disk that is full or cannot be written the tickets can be looked at, and what keeps
// them from being changed is said.
func TestA2_TicketsOnASickDisk(t *testing.T) {
	disk, ok := ownDisk(t)
	if !ok {
		return
	}
	ctx := context.Background()
	parked := func(name string) (dir string) {
		dir = filepath.Join(disk, name)
		s, err := Open(dir)
		must(t, err)
		_, err = s.Park(ctx, Parking{Call: deploy("s1"), By: "hook"})
		must(t, errors.Join(err, s.Close()))
		return dir
	}
	closed := parked("closed")
	// A process that died has left changes beside the database, and its locks.
	left := parked("left")
	s, err := Open(left)
	must(t, err)
	_, err = s.Park(ctx, Parking{Call: deploy("s2"), By: "hook"})
	must(t, err)
	died := filepath.Join(disk, "died")
	must(t, os.CopyFS(died, os.DirFS(left)))
	bare := filepath.Join(disk, "bare") // without the locks what is beside it cannot be read
	must(t, os.CopyFS(bare, os.DirFS(left)))
	must(t, os.Remove(filepath.Join(bare, fileName+"-shm")))
	must(t, s.Close())

	look := func(dir, hint string, want int) {
		t.Helper()
		_, err := Open(dir)
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: opened: %v", dir, err)
		}
		l, err := Look(dir, err)
		if want < 0 {
			if err == nil {
				t.Errorf("%s: it is shown, and not as it is", dir)
				_ = l.Close()
			}
			return
		}
		must(t, err)
		defer l.Close()
		if all, err := l.List(ctx, Query{}); err != nil || len(all) != want {
			t.Errorf("%s: %d tickets, %v", dir, len(all), err)
		}
	}
	exhaust(t, disk)
	look(closed, "see that the disk is not full", 1)
	must(t, os.Remove(filepath.Join(disk, "ballast")))
	readOnly(t, disk)
	look(closed, "can be written", 1)
	look(died, "can be written", 2)
	look(bare, "can be written", -1)
	look(filepath.Join(disk, "none"), "can be written", -1)
}
