//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestA1_BrowserWithTheProgram drives a browser on the page of `assent serve`, as people
// start it, with agents and hooks that are processes of their own. ASSENT_BROWSER may hold
// parts of the names of the tests that are to run.
func TestA1_BrowserWithTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes a while")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing, with which the browser is driven: run scripts/setup")
	}
	dir := filepath.Join("..", "..", "inbox", "browser")
	// So that a result is not one of other tests: Go looks only at files that a test itself has read.
	tree(t, dir)
	tree(t, filepath.Join("..", "..", "oidc", "testdata", "provider"))
	cmd := exec.CommandContext(t.Context(), node, append([]string{"run.mjs", "--program"}, strings.Fields(os.Getenv("ASSENT_BROWSER"))...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GORACE="+noSleep, "GOCOVERDIR="+t.TempDir(), "ASSENT_MAX_RETRIES=0")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "DATA RACE") {
		t.Errorf("%v\n%s(if something is missing, run scripts/setup)", err, out)
		return
	}
	t.Log("\n" + string(out))
}
