package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// inProcess runs the program with a home directory of its own.
func inProcess(t *testing.T, in string, args ...string) (status int, out, errOut string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("ASSENT_HOME", "")
	var stdout, stderr bytes.Buffer
	status = run(args, strings.NewReader(in), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// The example policy passes its own tests, and lint has nothing against it.
func TestExamplePolicy(t *testing.T) {
	dir := filepath.Join("..", "..", "examples", "policy")
	status, out, errOut := inProcess(t, "", "test", "--cwd", dir, "--setting-sources", "project", "--trust-workspace", filepath.Join(dir, "policy.test.json"))
	if status != 0 || !strings.Contains(out, " 0 failed") || strings.HasPrefix(out, "0 tests") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	status, out, errOut = inProcess(t, "", "lint", "--cwd", dir, "--trust-workspace")
	if status != 0 {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
