package builtin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

const (
	// defaultTimeout and maxTimeout are how long a command may run.
	defaultTimeout = 2 * time.Minute
	maxTimeout     = 10 * time.Minute
	// lingerTime is how long others may hold the output of a command whose main
	// process has ended: `exec > >(tee log)` needs a moment for its last words.
	lingerTime = 100 * time.Millisecond
	// strangerTime is how long they may hold it when none of the group is left to be seen.
	strangerTime = time.Second
	// killTime is how long a killed process may take to be gone before nobody waits
	// for it any more.
	killTime = 2 * time.Second
	// maxCommand is the longest text that Linux hands to a program as one argument.
	maxCommand = 128<<10 - 1
)

// bashTool runs commands. They end with the call, and so does all that they have started
// and that has not left their process group.
type bashTool struct {
	base
	env     []string
	secrets []string // names of variables
}

func newBash(o Options) *bashTool {
	if o.Secrets == nil {
		o.Secrets = modelKeys()
	}
	return &bashTool{newBase("Bash"), o.Env, o.Secrets}
}

// Order is Beside for commands that only read.
func (t *bashTool) Order(call *permission.Call) tool.Order {
	if script := call.Script(); script != nil && script.ReadOnly().Text == "" {
		return tool.Beside
	}
	return tool.Alone
}

// Run runs the command with bash.
func (t *bashTool) Run(ctx context.Context, job tool.Job) tool.Result {
	if ctx.Err() != nil {
		return interrupted()
	}
	command := arguments(job.Call.Input).text("command")
	if arguments(job.Call.Input).flag("run_in_background", false) {
		return tool.Fail("run_in_background is not supported here: a command ends with its call. " +
			"Run it without, with a timeout of at most 600000 ms, or start what has to go on as a service.")
	}
	cmd, err := t.command(command, job.Cwd)
	if err != nil {
		return tool.Fail(err.Error())
	}
	limit := timeoutOf(job.Call.Input)
	run, err := startRun(cmd)
	if err != nil {
		return tool.Fail(whyNotStarted(err))
	}
	return run.result(run.wait(ctx, limit), limit)
}

func interrupted() tool.Result {
	return tool.Result{Text: "It was interrupted before it started; nothing was done.", Outcome: tool.NothingDone}
}

func timeoutOf(input map[string]any) time.Duration {
	milliseconds, _ := input["timeout"].(float64)
	if milliseconds <= 0 {
		return defaultTimeout
	}
	milliseconds = min(max(milliseconds, 1), float64(maxTimeout.Milliseconds()))
	return time.Duration(milliseconds * float64(time.Millisecond))
}

// command prepares the process.
func (t *bashTool) command(command, dir string) (*exec.Cmd, error) {
	switch {
	case strings.ContainsRune(command, 0):
		return nil, errors.New("the command contains a NUL character, which no program can be given: remove it")
	case len(command) > maxCommand:
		return nil, fmt.Errorf("the command has %d bytes, more than a system takes (%d): write it into a file with Write and run that file", len(command), maxCommand)
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("the working directory %s is gone or is no directory: the command was not run", dir)
	}
	bash, err := findBash()
	if err != nil {
		return nil, err
	}
	// No start-up file may change what the command means, and after "--" a command
	// that begins with "-" is not taken for an option.
	cmd := exec.Command(bash, "--noprofile", "--norc", "-c", "--", command)
	cmd.Dir = dir
	cmd.Env = append(t.environment(os.Environ(), dir), SessionMark+"=1")
	return cmd, nil
}

// findBash prefers the places where systems keep it to whatever PATH names first. There
// is no other shell to fall back to: the command was judged as bash reads it, and
// another reads it differently. ((rm x)) is a sum to bash and a command to sh.
func findBash() (string, error) {
	for _, path := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		return "", errors.New("bash was not found, neither in its usual places nor in PATH; commands are judged as bash reads them, so no other shell will do: install bash")
	}
	return path, nil
}

func whyNotStarted(err error) string {
	if errors.Is(err, syscall.E2BIG) {
		return "the command and the environment together are longer than the system takes: write the command into a file with Write and run that file"
	}
	return "the command could not be started: " + err.Error()
}
