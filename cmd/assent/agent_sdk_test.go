package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The example with the official Agent SDK does what its description says, with each
// release.
func TestW6_TheSDKExample(t *testing.T) {
	t.Parallel()
	const example = "../../examples/sdk"
	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```text\n")
	want, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the description does not say what the example prints")
	}
	for _, release := range sdks {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			got := driveWithSDK(t, release, example, "support.mjs")
			if got != want {
				t.Errorf("it prints\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// What the official Agent SDK can ask for besides is answered in its own words.
func TestW5_RequestsOfTheSDK(t *testing.T) {
	t.Parallel()
	for _, release := range sdks {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			got := driveWithSDK(t, release, "testdata/sdk", "requests.mjs")
			want, err := os.ReadFile("testdata/sdk/requests.txt")
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("it prints\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// driveWithSDK runs a program beside a release of the SDK and returns what it prints.
func driveWithSDK(t *testing.T, release, from, program string) string {
	t.Helper()
	p := newPlace(t)
	if err := os.CopyFS(p.dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	sdk := agentSDK(t, release)
	modules := filepath.Join(p.dir, "node_modules")
	if err := os.MkdirAll(filepath.Join(modules, "@anthropic-ai"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"@anthropic-ai/claude-agent-sdk": sdk, "zod": filepath.Join(filepath.Dir(sdk), "zod")} {
		if err := os.Symlink(target, filepath.Join(modules, name)); err != nil {
			t.Fatal(err)
		}
	}
	assent, err := exec.LookPath("assent") // the test's own binary, see TestMain
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patienceOfTests)
	defer cancel()
	cmd := exec.CommandContext(ctx, nodeProgram(t), program)
	cmd.Dir, cmd.WaitDelay = p.dir, time.Second
	cmd.Env = p.env("ASSENT="+assent, "TMPDIR="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.Bytes())
	}
	return string(out)
}
