//go:build !windows

package durable

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe that nobody writes into is refused, not waited for.
func TestPipesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(pipe, 1); err == nil {
		t.Error("it was read")
	}
	if _, err := Lock(pipe, "it", time.Minute); err == nil {
		t.Error("it was locked")
	}
}
