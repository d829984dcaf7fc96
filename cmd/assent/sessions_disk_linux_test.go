package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/session"
)

// diskVariable makes a test the process that has a disk of its own.
const diskVariable = "ASSENT_TEST_OWN_DISK"

// onDisk is a counter whose state lies on a small disk that only this process sees. The
// test goes on in a process that may make one; ok is false in the one that has started it.
func onDisk(t *testing.T) (w *counterTest, ok bool) {
	t.Helper()
	if os.Getenv(diskVariable) == "" {
		aloneOnDisk(t)
		return nil, false
	}
	dir := t.TempDir()
	if err := syscall.Mount("assent", dir, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		t.Skipf("this system does not let tests have a disk of their own: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	w = newCounter(t)
	w.state = dir
	t.Setenv("ASSENT_HOME", dir)
	w.sessions = session.NewStore(filepath.Join(dir, "sessions"))
	return w, true
}

// aloneOnDisk runs a test again in a process of its own that may mount a disk.
func aloneOnDisk(t *testing.T) {
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

// exhaust fills the disk to its last byte.
func (w *counterTest) exhaust() {
	w.t.Helper()
	f, err := os.Create(filepath.Join(w.state, "ballast"))
	w.check(err)
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
}

// looks tries what only looks, which works, and what answers, which says why it cannot.
func (w *counterTest) looks(approved, hint string) {
	w.t.Helper()
	w.run(0, "sessions", "list")
	w.says(approved, "approved  Bash  deploy", "pending  Bash  refund", "assent: warning: the tickets in ", hint)
	w.run(0, "sessions", "list", "--json")
	w.says(`"tickets_problem": "the tickets in `, `"state": "approved"`)
	w.run(0, "sessions", "show", firstID)
	w.says("approved by ", hint)
	w.run(0, "sessions", "show", approved)
	w.says("History", "approved by ")
	file := filepath.Join(w.home, "it.session")
	w.run(0, "sessions", "export", firstID, "-o", file)
	w.run(0, "sessions", "import", "--state", filepath.Join(w.home, "other"), file)
	w.check(os.RemoveAll(filepath.Join(w.home, "other")))
	w.check(os.Remove(file))
	for _, args := range [][]string{{"approve", secondID}, {"deny", secondID, "--reason", "no"}} {
		w.run(2, args...)
		w.says("the tickets in ", hint)
	}
}

// On a full disk what waits can be seen and exported, and old sessions can be removed,
// which makes room.
func TestD7_SessionsOnAFullDisk(t *testing.T) {
	w, ok := onDisk(t)
	if !ok {
		return
	}
	a, b := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, a)
	w.park(secondID, b)
	name := w.ticket(firstID, a, 0)
	w.ticket(secondID, b, 0)
	w.run(0, "approve", name)
	w.park(oldID)
	w.ticket(oldID, a, 0) // of a call that the session has gone on without
	w.write(oldID, session.Noted, strings.Repeat("x", 100_000))
	w.age(oldID, 31)
	w.exhaust()
	w.looks(name, "see that the disk is not full")
	w.run(0, "sessions", "prune")
	w.says("removed "+oldID, "warning: the tickets in ")
	if w.there(oldID) {
		t.Error("it is still there")
	}
	w.run(0, "sessions", "list")
	w.says("!warning", "!"+oldID)
	if w.stateOf(oldID, "a") != "pending" || len(w.sessions.Discarded()) != 1 {
		t.Errorf("the ticket is %s, left over %v: the test is wrong", w.stateOf(oldID, "a"), w.sessions.Discarded())
	}
	w.run(0, "sessions", "prune")
	if w.stateOf(oldID, "a") != "no ticket" || len(w.sessions.Discarded()) != 0 {
		t.Errorf("the ticket is %s, left over %v", w.stateOf(oldID, "a"), w.sessions.Discarded())
	}
}

// On a disk that cannot be written what waits can be seen and exported.
func TestD7_SessionsOnAReadOnlyDisk(t *testing.T) {
	w, ok := onDisk(t)
	if !ok {
		return
	}
	a, b := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, a)
	w.park(secondID, b)
	name := w.ticket(firstID, a, 0)
	w.ticket(secondID, b, 0)
	w.run(0, "approve", name)
	dead := w.bash("c", "ship")
	w.park(oldID, dead)
	lost := w.ticket(oldID, dead, 0)
	w.claim(oldID, dead)
	if err := syscall.Mount("assent", w.state, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	w.looks(name, "can be written")
	w.run(0, "sessions", "list")
	w.says(lost+"   unknown  Bash  ship", "!running")
}
