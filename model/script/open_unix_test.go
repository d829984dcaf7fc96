//go:build !windows

package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/model/script"
)

// A pipe would be waited for, and these files have no end.
func TestOpenNeitherWaitsNorReadsWithoutEnd(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := pipe + ".yaml"
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link, "/dev/zero"} {
		if _, err := script.Open(path); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
