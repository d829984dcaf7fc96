//go:build unix

package builtin

import (
	"os"
	"syscall"
	"testing"
)

// A pipe or a socket is no file to find, and never makes a search wait.
func TestSearch_Pipes(t *testing.T) {
	root := tree(t, files{"a": "x"})
	if err := syscall.Mkfifo(root+"/pipe", 0o644); err != nil {
		t.Skip(err)
	}
	if got := below(root, runTool(t, newGlob(Options{}), root, input{"pattern": "*"})); got != "a" {
		t.Errorf("got %q", got)
	}
	if got := runTool(t, newGrep(Options{}), root, input{"pattern": "x", "glob": "*"}); got != "a" {
		t.Errorf("got %q", got)
	}
	failTool(t, newGrep(Options{}), root, input{"pattern": "x", "path": "pipe"}, "pipe")
}

// Directories and files directly below the root are found like any other.
func TestSearch_BelowTheRoot(t *testing.T) {
	for path, want := range map[string][2]string{"/a": {"/", "a"}, "/a/b": {"/a", "b"}, "/a/b/c": {"/a/b", "c"}, "/": {"/", ""}} {
		if parent, name := splitLast(path); parent != want[0] || name != want[1] {
			t.Errorf("%s: %q and %q", path, parent, name)
		}
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Skip(err)
	}
	if got := runTool(t, newGrep(Options{}), "/", input{"pattern": "root", "path": "/etc", "glob": "/etc/passwd"}); got != "etc/passwd" {
		t.Errorf("Grep: %q", got)
	}
	entries, err := os.ReadDir("/")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			path := "/" + e.Name()
			if got := runTool(t, newGlob(Options{}), "/tmp", input{"pattern": path}); got != path {
				t.Errorf("Glob %s: %q", path, got)
			}
			return
		}
	}
	t.Log("there is no file directly below the root")
}
