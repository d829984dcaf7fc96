package durable

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it.lock")
	synctest.Test(t, func(t *testing.T) {
		unlock, err := Lock(path, "the thing", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = Lock(path, "the thing", time.Minute)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute {
			t.Fatalf("a second lock after %v: %v", time.Since(start), err)
		}
		if text := err.Error(); !strings.HasPrefix(text, "cannot lock the thing: ") || !strings.Contains(text, "may be stuck; "+path) {
			t.Errorf("the error does not help: %s", text)
		}

		// Whoever waits gets it when it is given back.
		got := make(chan error, 1)
		go func() {
			second, err := Lock(path, "the thing", time.Minute)
			if err == nil {
				second()
			}
			got <- err
		}()
		synctest.Wait()
		unlock()
		if err := <-got; err != nil {
			t.Error(err)
		}
	})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the lock file: %v, %v", info, err)
	}
}

func TestLockNeedsAFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                             "is not a regular file (remove it)",
		link:                            "is not a regular file (remove it)",
		filepath.Join(dir, "no", "dir"): "no such file or directory",
	} {
		if _, err := Lock(path, "it", time.Minute); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
		t.Error("the lock was made where the link leads")
	}
}

// The names stay what they are: a process of another version takes the same lock.
func TestLockName(t *testing.T) {
	for path, want := range map[string]string{
		"":                                "6c62272e07bb014262b821756295c58d.lock",
		"/home/dev/.claude/settings.json": "dc931662ceed2de22de83bdcaa0bbce2.lock",
	} {
		if got := LockName(path); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}
