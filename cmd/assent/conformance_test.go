package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const kit = "../../conformance"

// TestConformance runs the scenarios of the conformance kit against the real program:
// what comes out on the wire, what hooks and the model are told, what really ran. Those
// in conformance/later.txt wait for parts that do not exist yet; one that passes all the
// same has to leave the list.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Log("the kit takes a minute or two")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: scripts/setup installs it")
	}
	program := buildProgram(t)
	later := laterScenarios(t)
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join(kit, "run.mjs"), "--bin", program, "--golden", "assent",
		"--dir", filepath.Join(kit, "scenarios"), "--jobs", "4")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		t.Fatalf("the kit did not end in time:\n%s", out)
	}
	verdicts := readVerdicts(out)
	if len(verdicts) < 200 {
		t.Fatalf("the kit ran %d scenarios: %v\n%s%s", len(verdicts), err, out, stderr.Bytes())
	}
	for _, v := range verdicts {
		why, waits := later[v.name]
		delete(later, v.name)
		switch {
		case waits && v.word == "ok":
			t.Errorf("%s passes now: take it out of conformance/later.txt", v.name)
		case !waits && v.word == "FAIL":
			t.Errorf("%s:\n%s", v.name, v.details)
		case waits:
			t.Logf("%s waits for %s", v.name, why)
		}
	}
	for name := range later {
		t.Errorf("conformance/later.txt names %s, which is no scenario", name)
	}
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

func laterScenarios(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(kit, "later.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, _ := strings.Cut(line, " ")
		list[name] = strings.TrimSpace(why)
	}
	return list
}

// buildProgram builds assent with the race detector: a race in any scenario fails it.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "assent")
	if out, err := exec.Command("go", "build", "-race", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
