// Package hookcmd is the command line of the guard. Two programs have it: `assent
// hook`, and assent-hook, which holds nothing else and so starts faster.
package hookcmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/settings"
)

// blocks is the exit status that most agents take for "do not run it". It is all that
// is left where the agent is not known, or cannot be written to.
const blocks = 2

// Run is the whole command. It returns the exit status, unless the deadline passes:
// then it ends the process with it. The tickets are for calls that are held; database is that
// of the environment.
func Run(args []string, in io.Reader, out, errOut io.Writer, tickets Tickets, database string) int {
	o, named, err := options(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		if _, err := io.WriteString(out, Help); err != nil {
			return refuse(errOut, err)
		}
		return 0
	case err != nil:
		err = fmt.Errorf("%w (see `assent hook --help`)", err)
		agent := agentIn(args)
		if agent == dialect.Claude {
			return refuse(errOut, err)
		}
		return write(dialect.Failure(dialect.Event{Agent: agent}, fmt.Errorf("hook: %w", err)), out, errOut)
	}
	o.Stdin = in
	if dir := stateDir(o.Settings); dir != "" {
		at := Place{Dir: dir, Database: cmp.Or(named, database)}
		o.Hold, o.Record = Holder(context.Background(), at, tickets), record(dir)
	}
	reply := guard.RunHere(o, func(late dialect.Reply) { os.Exit(write(late, out, errOut)) })
	return write(reply, out, errOut)
}

// write gives the answer to the agent and returns the exit status.
func write(reply dialect.Reply, out, errOut io.Writer) int {
	if len(reply.Stderr) > 0 {
		_, _ = errOut.Write(reply.Stderr) // the status says as much
	}
	if len(reply.Stdout) == 0 {
		return reply.Exit
	}
	if goesNowhere(out) {
		return refuse(errOut, errors.New("the answer cannot be written: standard output is closed or goes nowhere"))
	}
	if _, err := out.Write(reply.Stdout); err != nil {
		return refuse(errOut, fmt.Errorf("the answer cannot be written: %w", err))
	}
	return reply.Exit
}

// goesNowhere: nobody would read what is written. A standard output that is closed
// has been opened on the null device when a program of Go starts.
func goesNowhere(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	there, err := file.Stat()
	switch {
	case err != nil:
		return true
	case there.Mode()&os.ModeCharDevice == 0: // as the null device is
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(there, null)
}

// agentIn is the agent of a command line that cannot be read as a whole: whoever made
// the mistake, it is that agent which reads the answer. It is the default if no agent
// can be made out.
func agentIn(args []string) dialect.Agent {
	found := dialect.Claude
	for i, arg := range args {
		name, value, inOne := strings.Cut(arg, "=")
		if name != "--agent" && name != "-agent" {
			continue
		}
		if !inOne && i+1 < len(args) {
			value = args[i+1]
		}
		if agent, err := dialect.ParseAgent(value); err == nil {
			found = agent
		}
	}
	return found
}

func refuse(errOut io.Writer, err error) int {
	fmt.Fprintf(errOut, "assent: hook: %v\n", err)
	return blocks
}

// options reads the flags. It is the standard library's reader: making the commands
// of the big program takes longer than a decision.
func options(args []string) (o guard.Options, database string, err error) {
	var (
		agent, project string
		set            = flag.NewFlagSet("hook", flag.ContinueOnError)
	)
	set.SetOutput(io.Discard)
	set.StringVar(&agent, "agent", dialect.Claude.String(), "")
	set.Func("deadline", "", func(text string) (err error) {
		if o.Deadline, err = time.ParseDuration(text); err == nil && o.Deadline < time.Millisecond {
			err = errors.New("want at least 1ms, for example 5s")
		}
		return err
	})
	set.Func("wait", "", func(text string) (err error) {
		if o.Wait, err = time.ParseDuration(text); err == nil && o.Wait < 0 {
			err = errors.New("want a time like 50s, or 0s to deny at once")
		}
		o.WaitGiven = true
		return err
	})
	set.Var((*something)(&database), "database", "")
	set.Var((*something)(&project), "project", "")
	set.Var((*something)(&o.Settings.Flag), "settings", "")
	set.BoolVar(&o.Settings.TrustWorkspace, "trust-workspace", false, "")
	if err := set.Parse(args); err != nil {
		return o, "", err
	}
	switch o.Agent, err = dialect.ParseAgent(agent); {
	case err != nil:
		return o, "", fmt.Errorf("--agent: %w", err)
	case set.NArg() > 0:
		return o, "", fmt.Errorf("the argument %q is too many", set.Arg(0))
	}
	o.Links = osLinks{}
	o.Settings.Home, o.Settings.StateDir, o.Settings.LoginShell = os.Getenv("HOME"), os.Getenv("ASSENT_HOME"), os.Getenv("SHELL")
	o.Settings.ConfigDir = os.Getenv(settings.ConfigDirVariable)
	o.Cwd, _ = os.Getwd() // a directory that is gone matters only to an event that names none
	o.Project = projectOf(o.Agent)
	if project != "" {
		if o.Settings.Dir, err = filepath.Abs(project); err != nil {
			return o, "", fmt.Errorf("--project: %w", err)
		}
	}
	return o, database, nil
}

// stateDir is where tickets and records are kept; empty when nobody can say.
func stateDir(o settings.Options) string {
	switch {
	case o.StateDir != "":
		return o.StateDir
	case o.Home != "":
		return filepath.Join(o.Home, ".assent")
	}
	return ""
}

// something is the value of a flag that cannot be empty: a script whose variable is
// not set must not get another policy than the one it names.
type something string

func (s *something) String() string { return string(*s) }

func (s *something) Set(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	*s = something(text)
	return nil
}

// projectOf is the project as the agent names it to its hooks. The directory that an
// event names is where the agent stands at that moment: after a `cd` the settings of
// the project would no longer be found there.
func projectOf(agent dialect.Agent) string {
	switch agent {
	case dialect.Claude:
		return os.Getenv("CLAUDE_PROJECT_DIR")
	case dialect.Gemini:
		return os.Getenv("GEMINI_PROJECT_DIR")
	case dialect.Cursor:
		return os.Getenv("CURSOR_PROJECT_DIR")
	case dialect.Codex, dialect.Copilot:
		return ""
	}
	return ""
}
