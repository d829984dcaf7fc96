//go:build unix

package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// script writes a program. The lock keeps every other test from forking meanwhile: a
// child that inherits the open file would make it "busy".
func script(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func shell(t *testing.T, line string) Command {
	t.Helper()
	c, err := ShellCommand(line)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func program(t *testing.T, path string, args ...string) Command {
	t.Helper()
	c, err := ExecCommand(path, args...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestH11_ACommandAnswersWithItsExitStatusAndOutput(t *testing.T) {
	env := noLeaks(t)
	large := []byte(`{"prompt":"` + strings.Repeat("x", 900_000) + `"}`)
	tests := []struct {
		name   string
		line   string
		input  []byte
		exit   int
		stdout string
		stderr string
	}{
		{name: "says nothing", line: "true"},
		{name: "prints what it was told", line: "cat", input: []byte(`{"tool_name":"Bash"}`), stdout: `{"tool_name":"Bash"}` + "\n"},
		{name: "one line can be read as a line", line: `read -r line && echo "got $line"`, input: []byte(`{}`), stdout: "got {}\n"},
		{name: "does not read its input", line: "echo '{}'", input: large, stdout: "{}\n"},
		{name: "closes its input", line: "exec 0<&-; echo '{}'", input: large, stdout: "{}\n"},
		{name: "reads a large input", line: "wc -c | tr -d ' '", input: large, stdout: fmt.Sprintln(len(large) + 1)},
		{name: "blocks", line: "echo 'too risky' >&2; exit 2", exit: 2, stderr: "too risky\n"},
		{name: "fails", line: "echo out; echo err >&2; exit 1", exit: 1, stdout: "out\n", stderr: "err\n"},
		{name: "both outputs are large", line: "head -c 1048576 /dev/zero | tr '\\0' a; head -c 1048576 /dev/zero | tr '\\0' b >&2", stdout: strings.Repeat("a", MaxOutput), stderr: strings.Repeat("b", MaxOutput)},
		{name: "not even a line feed", line: "printf '{}'", stdout: "{}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := shell(t, test.line).Handle(t.Context(), Invocation{JSON: test.input, Dir: t.TempDir(), Env: env})
			if reply.Failure != nil || reply.Exit == nil || *reply.Exit != test.exit || string(reply.Text) != test.stdout || string(reply.Stderr) != test.stderr {
				t.Errorf("got %s", show(reply))
			}
			if reply.Background != nil || len(reply.Notes) > 0 {
				t.Errorf("nothing goes on and nothing is to be said: %s", show(reply))
			}
		})
	}
}

func TestH11_ACommandRunsInItsDirectoryWithItsEnvironment(t *testing.T) {
	env := noLeaks(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSENT_STATE", "of another session")
	t.Setenv("ASSENT_TOKEN", "of the inbox")
	t.Setenv("FROM_OUTSIDE", "kept")
	t.Setenv("CHANGED", "before")
	line := `printf '%s|' "$PWD" "$(pwd -P)" "$CLAUDE_PROJECT_DIR" "$ASSENT_PROJECT_DIR" "$FROM_OUTSIDE" "$CHANGED" "${ASSENT_TOKEN-none}" "${ASSENT_STATE-unset}"`
	call := Invocation{JSON: []byte("{}"), Dir: dir, Env: append(env, "CHANGED=after", "ASSENT_TOKEN=of the settings", "CLAUDE_PROJECT_DIR=/elsewhere")}
	want := strings.Join([]string{dir, dir, dir, dir, "kept", "after", "none", "unset", ""}, "|")
	if reply := shell(t, line).Handle(t.Context(), call); string(reply.Text) != want {
		t.Errorf("got  %s\nwant %s", show(reply), want)
	}
	call.State = &fakeState{address: "/run/state.json"}
	want = strings.Replace(want, "unset", "/run/state.json", 1)
	if reply := shell(t, line).Handle(t.Context(), call); string(reply.Text) != want {
		t.Errorf("with a state: got  %s\nwant %s", show(reply), want)
	}
	call.Dir = ""
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if reply := shell(t, `echo "$CLAUDE_PROJECT_DIR"`).Handle(t.Context(), call); string(reply.Text) != here+"\n" {
		t.Errorf("without a directory: got %s, want %s", show(reply), here)
	}
}

func TestH11_AProgramRunsWithoutAShell(t *testing.T) {
	env := noLeaks(t)
	dir := filepath.Join(t.TempDir(), "a dir with blanks")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	script(t, dir, "check it.sh", "#!/bin/sh\nprintf '[%s]' \"$@\"\n", 0o755)
	call := Invocation{JSON: []byte("{}"), Dir: dir, Env: env}
	args := []string{"$HOME", "a b", "", ";false", "${CLAUDE_PROJECT_DIR}/x", "${ASSENT_PROJECT_DIR}"}
	want := "[$HOME][a b][][;false][" + dir + "/x][" + dir + "]"
	for _, path := range []string{"./check it.sh", filepath.Join(dir, "check it.sh"), "${CLAUDE_PROJECT_DIR}/check it.sh"} {
		if reply := program(t, path, args...).Handle(t.Context(), call); string(reply.Text) != want || reply.Failure != nil {
			t.Errorf("%s: got %s\nwant %s", path, show(reply), want)
		}
	}
	if reply := program(t, "printf", "%s", "found in PATH").Handle(t.Context(), call); string(reply.Text) != "found in PATH" {
		t.Errorf("got %s", show(reply))
	}
}

func TestH11_EveryFailureOfACommandIsNamed(t *testing.T) {
	env := noLeaks(t)
	dir := t.TempDir()
	script(t, dir, "plain.sh", "#!/bin/sh\nexit 0\n", 0o644)
	script(t, dir, "bad interpreter.sh", "#!/no/such/interpreter\nexit 0\n", 0o755)
	script(t, dir, "env.sh", "#!/usr/bin/env no-such-program-here\n", 0o755)
	script(t, dir, "nothing.bin", "\x01\x02\x03", 0o755)
	tests := []struct {
		name string
		hook Handler
		dir  string
		kind FailureKind
		text string
	}{
		{"shell: not found", shell(t, "no-such-program-here"), dir, CannotStart, "127"},
		{"shell: a path with a blank", shell(t, filepath.Join(dir, "bad interpreter.sh")), dir, CannotStart, "quotes around one with a blank"},
		{"shell: not executable", shell(t, "./plain.sh"), dir, CannotStart, "chmod +x"},
		{"shell: an interpreter that is not there", shell(t, "'./bad interpreter.sh'"), dir, CannotStart, "exit status 12"},
		{"program: not found", program(t, "no-such-program-here"), dir, CannotStart, "not found"},
		{"program: arguments in the path", program(t, "./plain.sh --strict"), dir, CannotStart, `"args"`},
		{"program: not executable", program(t, "./plain.sh"), dir, CannotStart, "chmod +x"},
		{"program: a directory", program(t, dir), dir, CannotStart, "executable bit"},
		{"program: an interpreter that is not there", program(t, "./bad interpreter.sh"), dir, CannotStart, "first line (#!)"},
		{"program: env does not find the interpreter", program(t, "./env.sh"), dir, CannotStart, "127"},
		{"program: not a program", program(t, "./nothing.bin"), dir, CannotStart, "#!/bin/sh"},
		{"the directory is missing", shell(t, "true"), filepath.Join(dir, "gone"), CannotStart, "does not exist"},
		{"the directory is a file", shell(t, "true"), filepath.Join(dir, "plain.sh"), CannotStart, "not a directory"},
		{"made by hand and empty", Command{}, dir, CannotStart, "empty"},
		{"a signal", shell(t, "kill -SEGV $$"), dir, Crashed, "signal 11 (SIGSEGV)"},
		{"killed", shell(t, "kill -KILL $$"), dir, Crashed, "SIGKILL"},
		{"too much on stdout", shell(t, "yes"), dir, TooMuch, "1048576 bytes"},
		{"too much on stderr", shell(t, "yes >&2"), dir, TooMuch, "1048576 bytes"},
		{"one byte too much", shell(t, "head -c 1048577 /dev/zero"), dir, TooMuch, "1048576 bytes"},
		{"too much with a success", shell(t, "trap '' PIPE; head -c 3000000 /dev/zero; exit 0"), dir, TooMuch, "1048576 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := test.hook.Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: test.dir, Env: env})
			wantFailure(t, reply, test.kind, test.text)
			if len(reply.Text) > MaxOutput || len(reply.Stderr) > MaxOutput {
				t.Errorf("kept %d and %d bytes", len(reply.Text), len(reply.Stderr))
			}
		})
	}
}

func TestH11_ATimeoutEndsTheCommandAndItsChildren(t *testing.T) {
	lines := map[string]string{
		"it sleeps":              "sleep 60",
		"its child sleeps":       "sleep 60 & wait",
		"it ignores signals":     "trap '' TERM INT HUP; sleep 60 & wait; sleep 60",
		"a child outlives it":    "sh -c 'sleep 60 & sleep 60' & wait",
		"it prints all the time": "while :; do echo x; sleep 0.01; done",
		"it closed its output":   "exec >&- 2>&-; sleep 60",
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			reply := shell(t, line).Handle(short(t), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
			wantFailure(t, reply, TimedOut, `"timeout"`)
			if reply.Background != nil {
				t.Error("something goes on")
			}
		})
	}
}

func TestH11_ACancelledCommandIsNotATimeout(t *testing.T) {
	env := noLeaks(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	replies := make(chan Reply)
	go func() {
		replies <- shell(t, "touch started; sleep 60").Handle(ctx, Invocation{JSON: []byte("{}"), Dir: dir, Env: env})
	}()
	eventually(t, "the hook starts", exists(filepath.Join(dir, "started")))
	cancel()
	wantFailure(t, <-replies, Cancelled, "nobody")
	reply := shell(t, "touch again").Handle(ctx, Invocation{JSON: []byte("{}"), Dir: dir, Env: env})
	wantFailure(t, reply, Cancelled, "nobody")
	if exists(filepath.Join(dir, "again"))() {
		t.Error("a hook started although nobody needed it any more")
	}
}

func exists(path string) func() bool {
	return func() bool {
		_, err := os.Stat(path)
		return err == nil
	}
}

// A hook that leaves a process behind is answered when its main process ends, and the
// process ends with it.
func TestH11_WhatACommandLeavesBehindEndsWithIt(t *testing.T) {
	tests := map[string]struct {
		line  string
		noted bool
	}{
		"with its output":        {"sleep 60 & echo '{}'", true},
		"with stderr only":       {"sleep 60 >/dev/null & echo '{}'", true},
		"without its output":     {"sleep 60 >/dev/null 2>&1 & echo '{}'", false},
		"ignoring polite orders": {"(trap '' TERM HUP; sleep 60; sleep 60) & echo '{}'", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			began := time.Now()
			reply := shell(t, test.line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
			if reply.Failure != nil || string(reply.Text) != "{}\n" || reply.Exit == nil || *reply.Exit != 0 {
				t.Errorf("got %s", show(reply))
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("the answer took %v", took)
			}
			if noted := len(reply.Notes) > 0; noted != test.noted {
				t.Errorf("notes are %q", reply.Notes)
			}
		})
	}
}

// A process that left the group cannot be killed with it, but nobody waits for it.
func TestH11_AnEscapedChildDoesNotHoldUpTheAnswer(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Fatal("no setsid: it is part of util-linux")
	}
	noLeaks(t)
	dir := t.TempDir()
	line := `setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 60' & while ! test -e pid; do :; done; echo '{}'`
	t.Cleanup(func() {
		var pid int
		text, _ := os.ReadFile(filepath.Join(dir, "pid"))
		if _, err := fmt.Sscan(string(text), &pid); err != nil {
			t.Fatalf("the child did not start: %v", err)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	})
	reply := shell(t, line).Handle(t.Context(), Invocation{JSON: []byte(strings.Repeat(" ", 200_000) + "{}"), Dir: dir})
	if reply.Failure != nil || string(reply.Text) != "{}\n" || len(reply.Notes) != 1 {
		t.Errorf("got %s", show(reply))
	}
}

// The last words of a script that sends its output through another process come after
// its end. They may be a denial.
func TestH11_LastWordsCount(t *testing.T) {
	env := noLeaks(t)
	line := `(sleep 0.01; echo '{"decision":"block"}') & exit 0`
	reply := shell(t, line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
	if reply.Failure != nil || string(reply.Text) != `{"decision":"block"}`+"\n" || len(reply.Notes) > 0 {
		t.Errorf("got %s", show(reply))
	}
}

func TestH11_NonsenseIsRefusedWithAHint(t *testing.T) {
	tests := map[string]struct {
		make func() (Command, error)
		want string
	}{
		"no line":         {func() (Command, error) { return ShellCommand(" \n") }, "empty"},
		"no path":         {func() (Command, error) { return ExecCommand("") }, "empty"},
		"NUL in a line":   {func() (Command, error) { return ShellCommand("a\x00b") }, "NUL"},
		"NUL in argument": {func() (Command, error) { return ExecCommand("a", "b", "c\x00") }, "argument 2"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := test.make()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error is %v, want %q", err, test.want)
			}
			wantFailure(t, c.Handle(t.Context(), Invocation{}), CannotStart, test.want)
		})
	}
	wantFailure(t, Command{Line: "echo", Args: []string{"x"}}.Handle(t.Context(), Invocation{}), CannotStart, "no arguments")
}

func TestH11_CommandsAreNamedAndTold(t *testing.T) {
	same := shell(t, "a b")
	others := []Command{shell(t, "a  b"), program(t, "a b"), program(t, "a", "b"), program(t, "a", "b", ""), program(t, "a", "b c"), program(t, "a", "b", "c")}
	if same.Key() != shell(t, "a b").Key() || same.Key() == "" {
		t.Error("the same command has two keys")
	}
	seen := map[string]Command{same.Key(): same}
	for _, other := range others {
		if twin, ok := seen[other.Key()]; ok {
			t.Errorf("%+v and %+v have one key", twin, other)
		}
		seen[other.Key()] = other
	}
	names := map[string]Command{
		"command ./check.sh --strict":               program(t, "./check.sh", "--strict"),
		"command true  rm -rf / x":                  shell(t, "true\n\u202erm -rf /\u200bx"),
		"command " + strings.Repeat("é", 112) + "…": shell(t, strings.Repeat("é", 200)),
	}
	for want, c := range names {
		if got := c.Name(); got != want {
			t.Errorf("name is %q, want %q", got, want)
		}
	}
}
