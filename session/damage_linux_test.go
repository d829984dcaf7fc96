package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
		ids := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
		alone(t, &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: ids(os.Getuid()), GidMappings: ids(os.Getgid()),
		}, diskVariable)
		return "", false
	}
	dir = t.TempDir()
	if err := syscall.Mount("assent", dir, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("this system does not let tests have a disk of their own: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	return dir, true
}

// fill writes a file of so many pages, or of as many as there is room for.
func fill(t *testing.T, path string, most int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 4096); most > 0; most-- {
		if _, err := f.Write(page); err != nil {
			return
		}
	}
}

// The disk is full for everything: the transcript, its head, its lock.
func TestD8_ADiskThatIsReallyFull(t *testing.T) {
	dir, ok := ownDisk(t)
	if !ok {
		return
	}
	s := NewStore(filepath.Join(dir, "sessions"))
	tr := create(t, s, one)
	fill(t, filepath.Join(dir, "ballast"), 8)
	text := strings.Repeat("x", 3000)
	acknowledged := 1
	var err error
	for err == nil {
		if err = tr.Append(Noted, text); err == nil {
			acknowledged++
		}
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "see that the disk is not full; what was recorded before is safe") {
		t.Fatalf("%v", err)
	}
	fill(t, filepath.Join(dir, "rest"), 1000)
	if _, err := s.Create(two, begin); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a new session: %v", err)
	}
	_ = tr.Close()
	again := resume(t, s, one) // the disk is still full
	if got := lines(t, again); len(got) != acknowledged {
		t.Errorf("%d records were acknowledged, %d are there", acknowledged, len(got))
	}
	if err := again.Append(Noted, text); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	_ = again.Close()
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	last := resume(t, s, one)
	put(t, last, Noted, text)
	if got := lines(t, last); len(got) != acknowledged+1 {
		t.Errorf("%d records, want %d", len(got), acknowledged+1)
	}
	if c := len(list(s)); c != 1 {
		t.Errorf("%d sessions: half of one was made", c)
	}
}

// On a disk that cannot be written a session can be looked at, and not taken up.
func TestD8_AReadOnlyDisk(t *testing.T) {
	dir, ok := ownDisk(t)
	if !ok {
		return
	}
	s := NewStore(filepath.Join(dir, "sessions"))
	tr := create(t, s, one)
	put(t, tr, Parked, waiting("a"))
	torn := resumeless(t, s)
	_ = tr.Close()
	before := slurp(t, tr.Path())
	remount := func(flags uintptr) {
		if err := syscall.Mount("assent", dir, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
			t.Fatal(err)
		}
	}
	remount(syscall.MS_RDONLY)
	c, err := s.Load(one)
	if err != nil || stages(c) != "a:0 " || len(list(s)) != 2 {
		t.Errorf("looked at: %s, %v", stages(c), err)
	}
	for what, try := range map[string]func() error{
		"resume":      func() error { _, err := s.Resume(one); return err },
		"resume torn": func() error { _, err := s.Resume(two); return err },
		"create":      func() error { _, err := s.Create(three, begin); return err },
		"fork":        func() error { _, err := s.Fork(one, three, begin); return err },
	} {
		if err := try(); !errors.Is(err, syscall.EROFS) {
			t.Errorf("%s: %v", what, err)
		}
	}
	remount(0)
	if now := slurp(t, tr.Path()); string(now) != string(before) || string(slurp(t, filepath.Join(s.path(two), transcriptName))) != torn {
		t.Errorf("it was changed: %s", now)
	}
	put(t, resume(t, s, one), Began, Beginning{ToolUseID: "a"})
	put(t, resume(t, s, two), Noted, "on")
}

// resumeless is a session whose last record is torn, so that whoever takes it up has to
// write; it returns the file.
func resumeless(t *testing.T, s *Store) string {
	t.Helper()
	tr := create(t, s, two)
	_ = tr.Close()
	text := fmt.Sprintf(`%s{"n":2,"sha2`, slurp(t, tr.Path()))
	if err := os.WriteFile(tr.Path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return text
}
