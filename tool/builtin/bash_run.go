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
	// left: it left processes behind.
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
	// Where nobody of the group is left the output is about to be closed, unless somebody
	// has taken it elsewhere: a busy machine is given more time to do it.
	for _, patience := range []time.Duration{lingerTime, strangerTime} {
		linger := time.NewTimer(patience)
		select {
		case <-r.group.Closed():
			linger.Stop()
			return finished
		case <-linger.C:
		case <-ctx.Done(): // the command itself had ended by then
			linger.Stop()
			return heldOpen
		}
		if r.group.Others() {
			break
		}
	}
	return heldOpen
}

// leavesOthers reports whether processes go on after a command that has ended. Those of
// a substitution end by themselves, a moment after it.
func (r *run) leavesOthers() bool {
	r.group.Wait() // then it takes one call to see that nobody is left
	if !r.group.Others() {
		return false
	}
	linger := time.NewTimer(lingerTime)
	defer linger.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-linger.C:
			return r.group.Others()
		case <-look.C:
			if !r.group.Others() {
				return false
			}
		}
	}
}

// end kills what is left and frees everything. gone is false for a process that does
// not die, because it belongs to somebody else or hangs in the kernel: it must not hold
// up the agent.
func (r *run) end(why ending) (exit exitState, gone bool) {
	r.left = why == heldOpen || why == finished && r.leavesOthers()
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
