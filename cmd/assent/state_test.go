package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
)

// A script ends with the status of the command that failed in it. A state that cannot
// be read, an event that is none and a misspelt flag are faults and not decisions:
// they do not block where only a decision does, and the model is told what is wrong.
func TestH10_StateAndPickThatFailDecideNothing(t *testing.T) {
	for _, line := range []string{
		"assent state get --default 0 count",
		"assent state add count",
		"assent state get --defualt 0 count",
		"echo '{' | assent pick /tool_name",
		"assent pick tool_name",
		"set -e; n=$(assent state get --default 0 count); exit 0",
	} {
		command, err := hook.ShellCommand(line)
		if err != nil {
			t.Fatal(err)
		}
		state, err := hook.OpenState(filepath.Join(t.TempDir(), "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(state.Address(), []byte(`{"count": `), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, shared := range []hook.State{state, nil} {
			runner := hook.NewRunner(hook.Config{
				Entries: []hook.Entry{{Event: hook.PreToolUse, Handler: command}, {Event: hook.Stop, Handler: command}},
				Dir:     t.TempDir(), Env: []string{"GORACE=" + noSleep}, State: shared,
			})
			before := runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{ToolName: "Bash", ToolInput: []byte(`{}`)}})
			if before.Permission.Behavior != permission.Deny || !before.Permission.Broken || !strings.HasPrefix(strings.Join(before.Denials, ""), "hook broken: ") {
				t.Errorf("%s: %+v, %q", line, before.Permission, before.Denials)
			}
			if stop := runner.Run(t.Context(), hook.Occasion{Input: hook.StopInput{}}); stop.Block || stop.Runs[0].Outcome != hook.Broken {
				t.Errorf("%s: blocks: %v, %+v", line, stop.Block, stop.Runs)
			}
			runner.Close(context.Background())
		}
	}
}

// The same holds for a fault of our own.
func TestH10_APanicInsideOfAHookDecidesNothing(t *testing.T) {
	t.Setenv("ASSENT_PROJECT_DIR", t.TempDir())
	if status := run([]string{"--color", "never", "pick", "/a"}, panics{}, io.Discard, io.Discard); status != statusHook {
		t.Errorf("pick: status %d", status)
	}
	// A command that is no part of hooks keeps its status.
	if status := run([]string{"check", "--jsonl", "--home", "/"}, panics{}, io.Discard, io.Discard); status != statusBroken {
		t.Errorf("check: status %d", status)
	}
}
