package approval

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A process may open the tickets twice: a server, and an agent that runs in it. The system
// gives up all locks of a process on a file when the process closes that file, however often
// it has it open. Without its lock another process could put the log of changes away under
// this one, and with it what was acknowledged.
func TestA2_OpeningTwiceKeepsTheLocks(t *testing.T) {
	c := newStore(t)
	c.park(deploy("one"))
	before := locksOn(t, c.path)
	if before == 0 {
		t.Fatal("the database holds no lock on its file")
	}
	second, err := Open(filepath.Dir(c.path))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got := locksOn(t, c.path); got < before {
		t.Errorf("%d locks are left of %d", got, before)
	}
}

// locksOn is how many locks this process holds on a file.
func locksOn(t *testing.T, path string) (n int) {
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
