package hook

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/assent-dev/assent/internal/process"
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

// running is a command that runs, with everything it started.
type running struct {
	group          *process.Group
	exited         <-chan struct{} // closed when the main process has ended
	stdin          *os.File
	fed            chan struct{} // closed when the input is written or nobody reads it
	stdout, stderr *limited
	// async is closed when it said that it goes on in the background, for asyncTime;
	// that is [DefaultTimeout] when it named none.
	async     chan struct{}
	asyncTime time.Duration
	looking   bool // for the line that says so
	// lastWords is how a hook ended that went on in the background.
	lastWords Reply
}

// start runs cmd with input on its stdin.
func start(cmd *exec.Cmd, input []byte) (*running, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &running{
		stdin: ours, fed: make(chan struct{}), async: make(chan struct{}), looking: true,
		stdout: newLimited(MaxOutput), stderr: newLimited(MaxOutput),
	}
	cmd.Stdin = theirs
	p.group, err = process.Start(cmd, p.hear, func(piece []byte) { p.stderr.take(piece) })
	shut(theirs)
	if err != nil {
		shut(ours)
		return nil, err
	}
	p.exited = p.group.Exited()
	go p.feed(input)
	return p, nil
}

func shut(files ...*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

// feed writes the input. A hook that does not read it has every right to.
func (p *running) feed(input []byte) {
	defer close(p.fed)
	_, _ = p.stdin.Write(append(input[:len(input):len(input)], '\n'))
	shut(p.stdin)
}

// hear takes a piece of stdout and looks whether the first line is complete.
func (p *running) hear(piece []byte) {
	if !p.stdout.take(piece) || !p.looking {
		return
	}
	line := p.stdout.firstLine()
	if line == nil {
		return
	}
	p.looking = false
	if limit, ok := asyncLine(line); ok {
		if limit <= 0 {
			limit = DefaultTimeout
		}
		p.asyncTime = limit
		close(p.async)
	}
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
func (p *running) wait(ctx context.Context) ending {
	exited := p.exited
	var closed <-chan struct{}
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
			exited, closed, linger = nil, p.group.Closed(), time.After(lingerTime)
		case <-closed:
			return p.completed()
		case <-linger:
			return heldOpen
		case <-ctx.Done():
			switch {
			case !isClosed(p.exited):
				return overdue
			case isClosed(p.group.Closed()):
				return p.completed()
			}
			return heldOpen
		}
	}
}

// settle gives a hook that goes on the time to end at once.
func (p *running) settle(ctx context.Context) {
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
func (p *running) completed() ending {
	switch {
	case isClosed(p.async):
		return wentAsync
	case p.printedTooMuch():
		return excessive
	}
	return finished
}

func (p *running) printedTooMuch() bool {
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
func (p *running) end() <-chan struct{} {
	p.group.Kill()
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

// release kills what is left, takes what is in the pipes and frees everything.
func (p *running) release() {
	p.group.Release()
	shut(p.stdin) // wakes a feed that nobody reads
	<-p.fed
}

// answer waits for the process and makes a reply of how it ended.
func (p *running) answer(ctx context.Context) Reply {
	why := p.wait(ctx)
	if why == wentAsync {
		return p.answerAsync()
	}
	more := !isClosed(p.group.StdoutClosed()) // before those who hold it are ended
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
		if p.printedTooMuch() { // with the rest of the output
			why = excessive
		}
	}
	tooMuch := fmt.Sprintf("it printed more than %d bytes", MaxOutput)
	switch why {
	case overdue:
		reply.Failure = contextEnded(ctx)
		if remains == nil && p.group.Wait().ExitCode() == exitBlocks { // before it could be killed
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
func (p *running) judgeExit(reply *Reply) {
	state := p.group.Wait()
	if signal := process.Signal(state); signal != "" {
		reply.Failure = &Failure{Kind: Crashed, Text: "ended by " + signal}
		return
	}
	code := state.ExitCode()
	reply.Exit = &code
	switch code {
	case exitCannotRun:
		reply.Failure = &Failure{Kind: CannotStart, Text: "exit status 126: found, but it cannot be run; " + hintExecutable}
	case exitNotFound:
		reply.Failure = &Failure{Kind: CannotStart, Text: "exit status 127: a command was not found; " + hintNotFound}
	}
}
