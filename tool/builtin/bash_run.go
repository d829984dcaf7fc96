package builtin

import (
	"context"
	"os/exec"
	"time"

	"github.com/assent-dev/assent/internal/process"
)

// ending is why a command is not waited for any more.
type ending uint8

const (
	finished  ending = iota + 1 // it ended, and so did its output
	heldOpen                    // it ended and left others that hold its output
	overdue                     // its time is up
	cancelled                   // nobody wants it any more
)

// run is a command that runs.
type run struct {
	group          *process.Group
	stdout, stderr capture
	// mayLeave: its text can leave processes behind.
	mayLeave bool
	// left: it did.
	left bool
}

func startRun(cmd *exec.Cmd) (r *run, err error) {
	r = &run{}
	r.group, err = process.Start(cmd, r.stdout.take, r.stderr.take) // and stdin is empty
	return r, err
}

// wait waits for the end and says why it came.
func (r *run) wait(ctx context.Context, limit time.Duration) ending {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return cancelled
	case <-timer.C:
		return overdue
	case <-r.group.Exited():
	}
	linger := time.NewTimer(lingerTime)
	defer linger.Stop()
	select {
	case <-r.group.Closed():
		return finished
	case <-linger.C:
	case <-ctx.Done(): // the command itself had ended by then
	}
	return heldOpen
}

// end kills what is left and frees everything. gone is false for a process that does
// not die, because it belongs to somebody else or hangs in the kernel: it must not hold
// up the agent.
func (r *run) end(why ending) (exit exitState, gone bool) {
	r.left = why == heldOpen || why == finished && r.mayLeave && r.group.Others()
	done := make(chan exitState, 1)
	go func() {
		state := r.group.Release()
		done <- exitState{code: state.ExitCode(), signal: process.Signal(state), survived: r.group.Survived()}
	}()
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case exit = <-done:
		return exit, true
	case <-timer.C:
		return exitState{code: -1}, false
	}
}

// exitState is how the main process ended: by a signal or with a code.
type exitState struct {
	code   int
	signal string
	// survived: something that it had started goes on.
	survived bool
}
