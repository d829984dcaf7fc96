package hook

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// lingerTime is how long others may hold the output of a hook whose main process
	// has ended. A script that sends its output through `tee` needs a moment for the
	// last words, and those may be a denial.
	lingerTime = 500 * time.Millisecond
	// settleTime is how long a hook that says it goes on may take to end at once all
	// the same. One that then fails, or blocks, has meant something else.
	settleTime = 20 * time.Millisecond
	// killTime is how long a killed process may take to be gone before nobody waits
	// for it any more.
	killTime = 2 * time.Second
	// groupPoll is when we look for the first time whether the last process of a hook
	// in the background has ended, and slowPoll is the longest time between two looks.
	groupPoll = 10 * time.Millisecond
	slowPoll  = 250 * time.Millisecond
)

// process is a command that runs, with everything it started: they form a group, and
// the group ends as one.
type process struct {
	cmd            *exec.Cmd
	stdin          *os.File
	stdout, stderr *stream
	fed            chan struct{} // closed when the input is written or nobody reads it
	closed         chan struct{} // closed when nobody holds its output any more
	exited         chan struct{} // closed when the main process has ended
	reap           func()        // waits for the main process and frees its number
	// async is closed when it said that it goes on in the background, for asyncTime;
	// that is [DefaultTimeout] when it named none.
	async     chan struct{}
	asyncTime time.Duration
	// lastWords is how a hook ended that went on in the background.
	lastWords Reply
}

// start runs cmd with input on its stdin.
func start(cmd *exec.Cmd, input []byte) (*process, error) {
	p := &process{
		cmd: cmd, fed: make(chan struct{}), closed: make(chan struct{}), exited: make(chan struct{}), async: make(chan struct{}),
	}
	p.reap = sync.OnceFunc(func() { _ = cmd.Wait() })
	if err := p.launch(); err != nil {
		return nil, err
	}
	p.feed(input)
	p.listen()
	go func() {
		awaitExit(p)
		close(p.exited)
	}()
	return p, nil
}

// launch makes the pipes and starts the process. Its ends of the pipes are files, so
// that package exec starts no goroutines that would wait for whoever inherits them.
func (p *process) launch() (err error) {
	var pipes [3]struct{ r, w *os.File }
	defer func() {
		// The other ends belong to the process now, or to nobody.
		shut(pipes[0].r, pipes[1].w, pipes[2].w)
		if err != nil {
			shut(pipes[0].w, pipes[1].r, pipes[2].r)
		}
	}()
	for i := range pipes {
		if pipes[i].r, pipes[i].w, err = os.Pipe(); err != nil {
			return err
		}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = pipes[0].r, pipes[1].w, pipes[2].w
	p.cmd.SysProcAttr = ownGroup()
	if err = p.cmd.Start(); err != nil {
		return err
	}
	p.stdin = pipes[0].w
	p.stdout = &stream{limited: newLimited(MaxOutput), file: pipes[1].r, done: make(chan struct{})}
	p.stderr = &stream{limited: newLimited(MaxOutput), file: pipes[2].r, done: make(chan struct{})}
	return nil
}

func shut(files ...*os.File) {
	for _, file := range files {
		if file != nil {
			_ = file.Close()
		}
	}
}

// feed writes the input. A hook that does not read it has every right to.
func (p *process) feed(input []byte) {
	go func() {
		defer close(p.fed)
		_, _ = p.stdin.Write(append(input[:len(input):len(input)], '\n'))
		_ = p.stdin.Close()
	}()
}

func (p *process) listen() {
	looking := true
	p.stdout.read(func() {
		if !looking {
			return
		}
		line := p.stdout.firstLine()
		if line == nil {
			return
		}
		looking = false
		if limit, ok := asyncLine(line); ok {
			if limit <= 0 {
				limit = DefaultTimeout
			}
			p.asyncTime = limit
			close(p.async)
		}
	})
	p.stderr.read(func() {})
	go func() {
		<-p.stdout.done
		<-p.stderr.done
		close(p.closed)
	}()
}

// ending is why nobody waits for a process any more. The rule of what counts as the
// end of a hook:
//
//   - The main process has ended and nobody holds its output any more. Its exit status
//     and all of that output are the answer.
//   - The main process has ended and others hold its output. They have lingerTime for
//     their last words; then what is left of the group is killed. While they held
//     stdout there may be a denial that nobody has heard, so where hooks fail closed
//     such an answer is broken, unless it objects.
//   - The first line of its output says that it goes on in the background, and it has
//     not ended with another exit status than 0 when that is noticed or within
//     settleTime. Such an exit status counts, as it always does.
//   - It printed too much. The rest is thrown away, and its exit status is waited for:
//     2 blocks, with any other one there is no answer. Nobody waits for one that has
//     printed so much that it will never end.
//   - The context ended. A main process that has ended before has its exit status;
//     otherwise there is no answer.
type ending uint8

const (
	finished  ending = iota + 1 // it ended, and its output is complete
	heldOpen                    // it ended and left others that hold its output
	wentAsync                   // it goes on in the background
	excessive                   // it printed too much, and may have ended
	overdue                     // its time is up
	abandoned                   // nobody needs it any more
)

// wait waits for the answer.
func (p *process) wait(ctx context.Context) ending {
	exited := p.exited
	var closed chan struct{}
	var linger <-chan time.Time
	for {
		select {
		case <-p.async:
			p.settle(ctx)
			return wentAsync
		case <-p.stdout.endless:
			return excessive
		case <-p.stderr.endless:
			return excessive
		case <-exited:
			exited, closed, linger = nil, p.closed, time.After(lingerTime)
		case <-closed:
			return p.completed()
		case <-linger:
			return heldOpen
		case <-ctx.Done():
			switch {
			case !isClosed(p.exited):
				return overdue
			case isClosed(p.closed):
				return p.completed()
			}
			return heldOpen
		}
	}
}

// settle gives a hook that goes on the time to end at once.
func (p *process) settle(ctx context.Context) {
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// completed is for a process whose output has ended: what it said before counts, in
// whatever order the news arrived.
func (p *process) completed() ending {
	switch {
	case isClosed(p.async):
		return wentAsync
	case p.printedTooMuch():
		return excessive
	}
	return finished
}

func (p *process) printedTooMuch() bool {
	return isClosed(p.stdout.over) || isClosed(p.stderr.over)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// end kills what is left of the group and frees everything. It returns nil when all
// is gone, and otherwise a channel that is closed when it is: a process that belongs
// to somebody else or hangs in the kernel must not hold up the agent.
func (p *process) end() <-chan struct{} {
	killGroup(p.cmd.Process)
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-p.exited
		p.release()
	}()
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return done
	}
}

// release takes what is left in the pipes, and closes them; the process has ended.
func (p *process) release() {
	_ = p.stdin.Close()
	<-p.fed
	p.stdout.stop()
	p.stderr.stop()
	p.reap()
}

// answer waits for the process and makes a reply of how it ended.
func (p *process) answer(ctx context.Context) Reply {
	why := p.wait(ctx)
	if why == wentAsync {
		return p.answerAsync()
	}
	more := !isClosed(p.stdout.done) // before those who hold it are ended
	remains := p.end()
	reply := Reply{Text: p.stdout.bytes(), Stderr: p.stderr.bytes()}
	if remains != nil {
		reply.Background, reply.Abandon = remains, func() {}
		reply.Notes = append(reply.Notes, "it was killed and has not ended: it belongs to another user or hangs in the kernel")
	}
	if why == heldOpen {
		reply.HeldOpen = more
		reply.Notes = append(reply.Notes, "it ended and left processes that hold its output; what they would have printed does not count. "+
			"Those of its group were ended, one that has left the group (setsid) goes on. "+
			`To go on in the background print {"async":true} first`)
		why = p.completed() // the rest of the output may have been too much
	}
	tooMuch := fmt.Sprintf("it printed more than %d bytes", MaxOutput)
	switch why {
	case overdue:
		reply.Failure = contextEnded(ctx)
		if remains == nil && p.cmd.ProcessState.ExitCode() == exitBlocks { // before it could be killed
			reply.Failure = nil
			p.judgeExit(&reply)
		}
		if p.printedTooMuch() {
			reply.Notes = append(reply.Notes, tooMuch+"; the rest was thrown away")
		}
	case excessive:
		if remains == nil {
			p.judgeExit(&reply)
		}
		if reply.Exit == nil || *reply.Exit != exitBlocks {
			reply.Failure = &Failure{Kind: TooMuch, Text: tooMuch}
		}
	case finished, heldOpen, wentAsync, abandoned:
		p.judgeExit(&reply)
	}
	return reply
}

// judgeExit is for a main process that ended by itself.
func (p *process) judgeExit(reply *Reply) {
	if signal := signalOf(p.cmd.ProcessState); signal != "" {
		reply.Failure = &Failure{Kind: Crashed, Text: "ended by " + signal}
		return
	}
	code := p.cmd.ProcessState.ExitCode()
	reply.Exit = &code
	switch code {
	case exitCannotRun:
		reply.Failure = &Failure{Kind: CannotStart, Text: "exit status 126: found, but it cannot be run; " + hintExecutable}
	case exitNotFound:
		reply.Failure = &Failure{Kind: CannotStart, Text: "exit status 127: a command was not found; " + hintNotFound}
	}
}
