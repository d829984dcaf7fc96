package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

const kit = "../../conformance"

// sdks are the releases of the official Agent SDK that scripts/setup installs.
var sdks = []string{"0.2.89", "0.3.327"}

// agentSDK is where a release is.
func agentSDK(t *testing.T, release string) string {
	t.Helper()
	dir, err := filepath.Abs("../../.tools/agent-sdk/node_modules/agent-sdk-" + release)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sdk.mjs")); err != nil {
		t.Fatalf("the Agent SDK %s is missing: scripts/setup installs it (%v)", release, err)
	}
	return dir
}

// nodeProgram is the program that runs the kit and the SDKs.
func nodeProgram(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: scripts/setup installs it")
	}
	return node
}

// TestConformance runs the scenarios of the conformance kit against the real program:
// what comes out on the wire, what hooks and the model are told, what really ran; and
// those that drive it through the official SDK with each of its releases.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Log("the kit takes a minute or two")
	}
	program := raceProgram(t)
	run := func(name string, atLeast int, args ...string) {
		t.Run(name, func(t *testing.T) {
			verdicts := runKit(t, program, args...)
			if len(verdicts) < atLeast {
				t.Errorf("the kit ran %d scenarios, want %d at least", len(verdicts), atLeast)
			}
			for _, v := range verdicts {
				if v.word == "FAIL" {
					t.Errorf("%s:\n%s", v.name, v.details)
				}
			}
		})
	}
	run("command line", 200, "--dir", filepath.Join(kit, "scenarios"))
	for _, release := range sdks {
		run("SDK "+release, 19, "--dir", filepath.Join(kit, "sdk"), "--sdk", agentSDK(t, release))
	}
}

// runKit runs the kit and returns what became of each scenario.
func runKit(t *testing.T, program string, args ...string) []verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	args = append([]string{filepath.Join(kit, "run.mjs"), "--bin", program, "--golden", "assent", "--jobs", "4"}, args...)
	cmd := exec.CommandContext(ctx, nodeProgram(t), args...)
	cmd.Env = append(os.Environ(), "GORACE="+noSleep)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	verdicts := readVerdicts(out)
	switch {
	case ctx.Err() != nil:
		t.Fatalf("the kit did not end in time:\n%s", out)
	case len(verdicts) == 0:
		t.Fatalf("the kit ran nothing: %v\n%s%s", err, out, stderr.Bytes())
	}
	return verdicts
}

type verdict struct{ word, name, details string }

func readVerdicts(out []byte) []verdict {
	var list []verdict
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch name, _, _ := strings.Cut(strings.TrimSpace(rest), " "); {
		case word == "ok" || word == "FAIL" || word == "skip":
			list = append(list, verdict{word: word, name: strings.TrimSuffix(name, ":")})
		case len(list) > 0 && strings.HasPrefix(lines.Text(), "   "):
			list[len(list)-1].details += lines.Text() + "\n"
		}
	}
	return list
}

// raceProgram is assent with the race detector: a race in any scenario fails it. The test's own
// binary is that, see TestMain, unless the tests run without the detector.
func raceProgram(t *testing.T) string {
	t.Helper()
	info, _ := debug.ReadBuildInfo() // none: it is built
	if info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		program, err := exec.LookPath("assent")
		if err != nil {
			t.Fatal(err)
		}
		return program
	}
	program := filepath.Join(t.TempDir(), "assent")
	if out, err := exec.Command("go", "build", "-race", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
