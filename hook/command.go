package hook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/assent-dev/assent/internal/process"
)

// Command is a hook that is a process: the input comes as JSON on its stdin, the
// answer is its exit status and what it prints. It runs in [Invocation.Dir] with the
// environment of this process and in addition
//
//	CLAUDE_PROJECT_DIR, ASSENT_PROJECT_DIR  the directory
//	ASSENT_STATE                            where the hooks of a session share values
//
// The process and its children end together: when it takes too long, and when the
// main process has ended. They are a group of processes, and one that has left the group
// (setsid, or a shell with job control) goes on: nobody can find it. Only a hook that
// prints {"async":true} as its first line goes on in the background.
type Command struct {
	// Line is a line for the shell, or with Exec the path of a program.
	Line string
	// Exec runs the program without a shell, with Args as its arguments.
	// ${CLAUDE_PROJECT_DIR} and ${ASSENT_PROJECT_DIR} stand for the directory in both.
	Exec bool
	Args []string
}

// ShellCommand runs a line with /bin/sh.
func ShellCommand(line string) (Command, error) {
	c := Command{Line: line}
	return c, c.check()
}

// ExecCommand runs a program without a shell: no quoting, blanks in the path do not
// matter.
func ExecCommand(path string, args ...string) (Command, error) {
	c := Command{Line: path, Exec: true, Args: args}
	return c, c.check()
}

func (c Command) check() error {
	switch {
	case strings.TrimSpace(c.Line) == "":
		return errors.New(`the command is empty: put the program to run into "command"`)
	case strings.ContainsRune(c.Line, 0):
		return errors.New("the command contains a NUL character, which no program can be given: remove it")
	case !c.Exec && len(c.Args) > 0:
		return errors.New("a shell line takes no arguments: write them into the line, or run the program without a shell")
	}
	for i, arg := range c.Args {
		if strings.ContainsRune(arg, 0) {
			return fmt.Errorf("argument %d contains a NUL character, which no program can be given: remove it", i+1)
		}
	}
	return nil
}

// Name is the command.
func (c Command) Name() string {
	return oneLine("command " + strings.Join(append([]string{c.Line}, c.Args...), " "))
}

// Key is equal for the same program with the same arguments.
func (c Command) Key() string {
	form := "shell"
	if c.Exec {
		form = "exec"
	}
	return strings.Join(slices.Concat([]string{form, c.Line}, c.Args), "\x00")
}

// Handle runs the command.
func (c Command) Handle(ctx context.Context, call Invocation) Reply {
	if err := c.check(); err != nil {
		return failed(CannotStart, err.Error())
	}
	if ctx.Err() != nil {
		return Reply{Failure: contextEnded(ctx)}
	}
	dir, err := directory(call.Dir)
	if err != nil {
		return failed(CannotStart, err.Error())
	}
	cmd := c.command(dir)
	cmd.Dir, cmd.Env = dir, environment(dir, call)
	p, err := start(cmd, call.JSON)
	if err != nil {
		return failed(CannotStart, whyNotStarted(cmd, err))
	}
	return p.answer(ctx)
}

func (c Command) command(dir string) *exec.Cmd {
	if !c.Exec {
		return exec.Command(shellProgram(), "-c", c.Line)
	}
	expand := strings.NewReplacer("${CLAUDE_PROJECT_DIR}", dir, "${ASSENT_PROJECT_DIR}", dir)
	args := make([]string, len(c.Args))
	for i, arg := range c.Args {
		args[i] = expand.Replace(arg)
	}
	return exec.Command(expand.Replace(c.Line), args...)
}

// shellProgram runs the shell form of a command. On Windows it comes with Git.
func shellProgram() string {
	if runtime.GOOS == "windows" {
		return "sh"
	}
	return "/bin/sh"
}

// directory is where a command runs, as an absolute path.
func directory(dir string) (string, error) {
	abs, err := filepath.Abs(dir) // of "": where this process is
	if err != nil {
		return "", fmt.Errorf("no working directory: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the directory %s, where it should run, does not exist", oneLine(abs))
	case err != nil:
		return "", fmt.Errorf("the directory where it should run: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("%s, where it should run, is not a directory", oneLine(abs))
	}
	return abs, nil
}

// environment of a hook; where a name occurs twice the last one counts.
func environment(dir string, call Invocation) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		// The state of a session around this one is none of the hook's business.
		return strings.HasPrefix(entry, "ASSENT_STATE=")
	})
	env = process.HandedOn(append(env, call.Env...))
	env = append(env, "PWD="+dir, "CLAUDE_PROJECT_DIR="+dir, "ASSENT_PROJECT_DIR="+dir)
	if call.State != nil {
		env = append(env, "ASSENT_STATE="+call.State.Address())
	}
	return env
}

// The exit status that blocks, and what a shell says about a program that it cannot run.
const (
	exitBlocks    = 2
	exitCannotRun = 126
	exitNotFound  = 127
)

const (
	hintExecutable = "is the executable bit set (chmod +x), and is the program of its first line (#!) there?"
	hintNotFound   = "check the path, put quotes around one with a blank, and see that everything it calls is installed"
)

// whyNotStarted says it with a hint, for the person who wrote the command.
func whyNotStarted(cmd *exec.Cmd, err error) string {
	program := oneLine(cmd.Path)
	switch {
	case errors.Is(err, exec.ErrDot):
		return program + " was found in the current directory, which is not searched: write ./ in front of it"
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(inDir(cmd.Dir, cmd.Path)); statErr == nil {
			return program + " names a program in its first line (#!) that does not exist: correct that line or install it"
		}
		if strings.ContainsAny(cmd.Path, " \t") {
			return program + ": not found; if the blank separates arguments, put them into \"args\""
		}
		return program + ": not found; check the path"
	case errors.Is(err, fs.ErrPermission):
		return program + " cannot be executed: is it a file, and is its executable bit set (chmod +x)?"
	case errors.Is(err, syscall.ENOEXEC):
		return program + " is no program: a script needs a first line such as #!/bin/sh"
	}
	return err.Error()
}

func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
