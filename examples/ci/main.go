// Ci is a CI job with an approval: an agent works by a policy, stops before a deploy, and
// goes on in another process when somebody has approved it.
//
//	ci run PROMPT        let the agent work
//	ci approve TICKET    approve a call that waits, as `assent approve` does
//	ci resume SESSION    go on where the session stopped
//
// The exit status is 0 when the work is done, 3 when a call waits, 1 when something failed
// and 2 for a wrong command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

// The exit statuses.
const (
	done = iota
	failed
	misused
	waiting
)

func main() { os.Exit(start()) }

func start() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	flags := flag.NewFlagSet("ci", flag.ContinueOnError)
	model := flags.String("model", "", "the model; the environment decides unless given")
	by := flags.String("by", os.Getenv("USER"), "who approves, for the record")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return misused
	}
	state, err := stateDir()
	if err != nil {
		return report(failed, err)
	}
	job := job{state: state, model: *model, out: os.Stdout}
	what, about := flags.Arg(0), flags.Arg(1)
	if flags.NArg() != 2 || about == "" {
		what = ""
	}
	status := failed
	switch what {
	case "run":
		status, err = job.run(ctx, about)
	case "resume":
		status, err = job.resume(ctx, about)
	case "approve":
		status, err = job.approve(ctx, about, *by)
	default:
		return report(misused, errors.New("usage: ci [-model NAME] [-by NAME] run PROMPT | approve TICKET | resume SESSION"))
	}
	return report(status, err)
}

func report(status int, err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, "ci:", err)
	}
	return status
}

// stateDir is where sessions and tickets are kept. A job and whoever approves its calls must
// mean the same place; this is the one of `assent`, too.
func stateDir() (string, error) {
	if dir := os.Getenv("ASSENT_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".assent"), err
}
