package process

import (
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Group is a process and what it has started.
type Group struct {
	cmd            *exec.Cmd
	stdout, stderr *pipe
	exited, closed chan struct{}
	wait           func() *os.ProcessState
	waited         atomic.Bool // the number of the group is ours only while it has a member
	gone           atomic.Bool // it had none: the number is somebody else's, or will be
	survived       atomic.Bool // something goes on after Release
}

// Start runs cmd as the first process of a group of its own. Every piece of its output
// goes to stdout or stderr, which must not keep it; each is called by one goroutine at a
// time, and also during Release. The input must be a file or nil: for anything else
// package exec starts goroutines that wait for whoever inherits it.
func Start(cmd *exec.Cmd, stdout, stderr func(piece []byte)) (*Group, error) {
	out, outWriter, err := newPipe(stdout)
	if err != nil {
		return nil, err
	}
	defer outWriter.Close()
	errs, errWriter, err := newPipe(stderr)
	if err != nil {
		out.discard()
		return nil, err
	}
	defer errWriter.Close()
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = outWriter, errWriter, ownGroup()
	g := &Group{cmd: cmd, stdout: out, stderr: errs, exited: make(chan struct{}), closed: make(chan struct{})}
	g.wait = sync.OnceValue(func() *os.ProcessState {
		_ = cmd.Wait()
		g.waited.Store(true)
		return cmd.ProcessState
	})
	if err := all.start(g); err != nil {
		out.discard()
		errs.discard()
		return nil, err
	}
	g.watch()
	return g, nil
}

func (g *Group) watch() {
	go func() {
		awaitExit(g)
		close(g.exited)
	}()
	g.stdout.read()
	g.stderr.read()
	go func() {
		<-g.stdout.done
		<-g.stderr.done
		close(g.closed)
	}()
}

// Exited is closed when the main process has ended. Others of the group may go on.
func (g *Group) Exited() <-chan struct{} { return g.exited }

// Closed is closed when nobody holds the output any more, or after Release.
func (g *Group) Closed() <-chan struct{} { return g.closed }

// StdoutClosed is Closed for stdout alone.
func (g *Group) StdoutClosed() <-chan struct{} { return g.stdout.done }

// Wait waits for the main process, frees its number and returns how it ended. The rest
// of the group may go on, and can still be killed.
func (g *Group) Wait() *os.ProcessState {
	<-g.exited // whoever watches its number must have seen the end before it is freed
	return g.wait()
}

// Kill kills all that is left of the group.
func (g *Group) Kill() {
	if g.waited.Load() && g.isGone() {
		return
	}
	killGroup(g.cmd.Process)
}

// Others reports whether the group has a running member beside its main process, as
// far as the system can tell. It can tell more after Wait.
func (g *Group) Others() bool {
	waited := g.waited.Load()
	if waited && g.isGone() {
		return false
	}
	member, running := membersOf(g.cmd.Process.Pid)
	// After Wait a group that is there has a member. One that cannot be seen may run.
	return running || waited && !member
}

// isGone reports whether the group has no member, not even one that has ended; its main
// process was waited for. What was gone once stays so: its number may be given to a
// stranger, who would look like a member.
func (g *Group) isGone() bool {
	if !g.gone.Load() && groupGone(g.cmd.Process.Pid) {
		g.gone.Store(true)
	}
	return g.gone.Load()
}

// Release kills what is left, waits for the end of the main process, takes what is in
// the pipes already and frees everything. It returns how that process ended.
func (g *Group) Release() *os.ProcessState {
	g.Kill()
	<-g.exited
	g.Kill() // a child that was born while the main process died
	state := g.Wait()
	ended := g.awaitOthers()
	g.stdout.stop()
	g.stderr.stop()
	g.survived.Store(!ended || g.stdout.held() || g.stderr.held())
	all.remove(g)
	return state
}

// deathTime is how long killed members may take to be gone.
const deathTime = time.Second

// awaitOthers waits until the members that were killed have ended, which closes what
// they hold of the output. It reports whether they have.
func (g *Group) awaitOthers() bool {
	if !g.Others() {
		return true
	}
	end := time.NewTimer(deathTime)
	defer end.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-end.C:
			return !g.Others()
		case <-look.C:
			if !g.Others() {
				return true
			}
		}
	}
}

// Survived reports whether something that the main process had started goes on after
// Release, as far as that can be seen: a member that could not be killed, or somebody
// outside of the group who holds the output. Whoever has left the group and holds
// nothing of it is not seen.
func (g *Group) Survived() bool { return g.survived.Load() }

// Signal names the signal that ended a process; "" when it ended by itself.
func Signal(state *os.ProcessState) string { return signalOf(state) }
