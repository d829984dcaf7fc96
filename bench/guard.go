package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// guardRules is how many rules the settings of the guard hold.
const guardRules = 1_000

// process is a hook as a process, started once for every call.
type process struct {
	what    string
	program string // that must be installed; empty for what is built here
	command []string
	seconds float64 // median
	err     error   // why there is no figure
}

// guardRounds is how often hyperfine goes over all programs. It measures once each time
// what the shell costs, and subtracts it: a single round has that error in every figure.
const guardRounds = 5

// compareGuard starts the guard and what does its job elsewhere, in rounds of hyperfine,
// with the same event on standard input.
func compareGuard(runs int) ([]process, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all, err := prepareGuards(dir)
	if err != nil {
		return nil, err
	}
	hyperfine, err := exec.LookPath("hyperfine")
	if err != nil {
		for i := range all {
			all[i].err = errors.New("hyperfine is not installed")
		}
		return all, nil
	}
	rounds := make([][]float64, len(all))
	for range guardRounds {
		if err := timeGuards(hyperfine, dir, all, max(runs/guardRounds, 2)); err != nil {
			return nil, err
		}
		for i, p := range all {
			rounds[i] = append(rounds[i], p.seconds)
		}
	}
	for i := range all {
		slices.Sort(rounds[i])
		all[i].seconds = rounds[i][guardRounds/2]
	}
	return all, nil
}

// prepareGuards builds the programs, and writes the policy and an event.
func prepareGuards(dir string) ([]process, error) {
	for name, source := range map[string]string{"bare": "./bare", "assent-hook": "../cmd/assent-hook", "assent": "../cmd/assent"} {
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, name), ".")
		build.Dir, build.Env = source, append(os.Environ(), "CGO_ENABLED=0")
		if text, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("cannot build %s: %w\n%s", name, err, text)
		}
		if err := install(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	options, err := writeSettings(dir, nil)
	if err != nil {
		return nil, err
	}
	if err := writeGuardPolicy(options.Home); err != nil {
		return nil, err
	}
	event, err := json.Marshal(map[string]any{
		"session_id": "2f1c", "transcript_path": "/dev/null", "cwd": options.Dir, "permission_mode": "default",
		"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": "git status"}, "tool_use_id": "t1",
	})
	if err != nil {
		return nil, err
	}
	hooks, err := filepath.Abs("hooks")
	if err != nil {
		return nil, err
	}
	all := []process{
		{what: "a bare Go program", command: []string{filepath.Join(dir, "bare")}},
		{what: "assent-hook, " + thousands(guardRules) + " rules", command: []string{filepath.Join(dir, "assent-hook")}},
		{what: "assent hook, " + thousands(guardRules) + " rules", command: []string{filepath.Join(dir, "assent"), "hook"}},
		{what: "bash and jq, one rule", program: "jq", command: []string{"bash", filepath.Join(hooks, "hook.sh")}},
		{what: "python, one rule", program: "python3", command: []string{"python3", filepath.Join(hooks, "hook.py")}},
		{what: "node, one rule", program: "node", command: []string{"node", filepath.Join(hooks, "hook.js")}},
	}
	return all, os.WriteFile(filepath.Join(dir, "event.json"), event, 0o600)
}

// install copies a program over itself: what people run has been copied, and a file fresh
// from the linker lies differently in memory.
func install(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o755)
}

// writeGuardPolicy writes rules of all kinds, as an organisation with many tools has.
func writeGuardPolicy(home string) error {
	lists := map[string][]string{}
	add := func(list, format string, n int) {
		for i := range n {
			lists[list] = append(lists[list], fmt.Sprintf(format, i))
		}
	}
	add("allow", "Bash(tool%d run:*)", guardRules*3/10)
	add("allow", "Read(//srv/data%d/**)", guardRules/5)
	add("allow", "mcp__server%d__get_*", guardRules/10)
	add("ask", "Bash(tool%d deploy *)", guardRules/10)
	add("deny", "Bash(tool%d drop:*)", guardRules/10)
	add("deny", "Edit(secrets/%d/**)", guardRules/5)
	data, err := json.MarshalIndent(map[string]any{"permissions": lists}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, ".claude", "settings.json"), data, 0o600)
}

// timeGuards runs hyperfine over everything that is installed.
func timeGuards(hyperfine, dir string, all []process, runs int) error {
	result := filepath.Join(dir, "result.json")
	args := []string{
		"--shell", "sh", "--warmup", "5", "--runs", strconv.Itoa(runs), "--export-json", result, "--style", "none",
		"--output", "pipe", // the guard does not answer into nothing
	}
	var timed []*process
	for i := range all {
		p := &all[i]
		if p.program != "" {
			if _, err := exec.LookPath(p.program); err != nil {
				p.err = fmt.Errorf("%s is not installed", p.program)
				continue
			}
		}
		timed = append(timed, p)
		// The shell only connects the input; hyperfine subtracts what it costs.
		args = append(args, "exec "+strings.Join(p.command, " ")+" <"+filepath.Join(dir, "event.json"))
	}
	run := exec.Command(hyperfine, args...)
	run.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "ASSENT_HOME="+filepath.Join(dir, "home", ".assent"))
	if text, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("hyperfine: %w\n%s", err, text)
	}
	data, err := os.ReadFile(result)
	if err != nil {
		return err
	}
	var found struct{ Results []struct{ Median float64 } }
	if err := json.Unmarshal(data, &found); err != nil || len(found.Results) != len(timed) {
		return fmt.Errorf("hyperfine gave %d figures, want %d: %w", len(found.Results), len(timed), err)
	}
	for i, p := range timed {
		p.seconds = found.Results[i].Median
	}
	return nil
}

func (r *results) writeGuard(b *strings.Builder) {
	b.WriteString("\n## The guard as a process\n\n" +
		"The guard is started for every call of another agent: it reads the event, loads the settings, decides and answers. `assent-hook` is a\n" +
		"program of its own that starts faster than `assent hook`, which does the same. Beside them a Go program that only reads\n" +
		"its input (= 1), and hooks that compare the command with one text. Medians of five rounds of hyperfine, in one run.\n\n")
	row(b, "hook", "time", "ratio")
	row(b, "---", "--:", "--:")
	for _, p := range r.guard {
		if p.err != nil {
			row(b, p.what, p.err.Error(), "")
			continue
		}
		row(b, p.what, fmt.Sprintf("%.2f ms", p.seconds*1e3), times(p.seconds/r.guard[0].seconds))
	}
}

// guardBars are about the first two rows.
func (r *results) guardBars() []bar {
	if len(r.guard) < 2 || r.guard[0].err != nil || r.guard[1].err != nil {
		return nil
	}
	ratio := r.guard[1].seconds / r.guard[0].seconds
	return []bar{{
		fmt.Sprintf("the guard with %s rules ≤ 2.0× a bare Go program", thousands(guardRules)), fmt.Sprintf("%.2f×", ratio), ratio <= mostGuard,
	}}
}
