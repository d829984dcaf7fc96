package hook

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// eventually polls until the condition holds; it is for what other processes do.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !condition(); {
		if time.Now().After(end) {
			t.Fatalf("waited too long: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// closesSoon waits for a channel, but not for ever.
func closesSoon(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("waited too long: %s", what)
	}
}

// noLeaks fails the test when it leaves goroutines or descriptors behind, or processes
// that were started with the environment it returns. Tests that use it do not run side
// by side with others.
func noLeaks(t *testing.T) (env []string) {
	t.Helper()
	// The first pipe of a program opens descriptors that stay: those of the poller.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shut(r, w)
	// The garbage collector would close what was forgotten, and hide the fault.
	collect := debug.SetGCPercent(-1)
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	mark := fmt.Sprintf("ASSENT_TEST_RUN=%d-%s", os.Getpid(), t.Name())
	t.Cleanup(func() {
		defer debug.SetGCPercent(collect)
		eventually(t, "goroutines are left behind", func() bool { return runtime.NumGoroutine() <= goroutines })
		eventually(t, "descriptors are left open", func() bool { return openFiles(t) <= files })
		eventually(t, "processes are left behind", func() bool { return len(processesWith(mark)) == 0 })
		if zombies := zombieChildren(); len(zombies) > 0 {
			t.Errorf("processes %v were never waited for", zombies)
		}
	})
	return []string{mark}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this system does not list the descriptors of a process")
	}
	return len(entries)
}

// processesWith finds the processes that have an entry in their environment. It looks
// at those of all parents: what a hook leaves behind is an orphan.
func processesWith(entry string) []int {
	var found []int
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		// A process that has ended in the meantime has no environment.
		env, _ := os.ReadFile(path)
		for variable := range bytes.SplitSeq(env, []byte{0}) {
			if string(variable) == entry {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
				found = append(found, pid)
			}
		}
	}
	return found
}

// zombieChildren are children of this process that have ended and were not waited for.
func zombieChildren() []string {
	var found []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path)
		// The name in parentheses may contain anything; state and parent follow.
		_, rest, _ := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[0] == "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			found = append(found, filepath.Base(filepath.Dir(path)))
		}
	}
	return found
}
