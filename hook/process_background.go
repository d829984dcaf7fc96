package hook

import (
	"fmt"
	"sync"
	"time"
)

// answerAsync is for a process that says that it goes on in the background.
func (p *process) answerAsync() Reply {
	if p.failedAtOnce() {
		p.endReaped()
		reply := Reply{Text: p.stdout.bytes(), Stderr: p.stderr.bytes()}
		p.judgeExit(&reply)
		return reply
	}
	reply := Reply{Text: p.stdout.firstLine(), Ended: func() Reply { return p.lastWords }}
	reply.Background, reply.Abandon = p.goOn()
	return reply
}

// goOn lets the process and its children run for a while longer.
func (p *process) goOn() (done <-chan struct{}, abandon func()) {
	p.stdout.ignore()
	gone, unneeded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		timer := time.NewTimer(p.asyncTime)
		defer timer.Stop()
		var why ending
		select {
		case <-p.exited:
			why = p.awaitGroup(timer.C, unneeded)
		case <-timer.C:
			why = overdue
			killGroup(p.cmd.Process)
		case <-unneeded:
			why = abandoned
			killGroup(p.cmd.Process)
		}
		<-p.exited
		p.release()
		p.lastWords = p.endOfBackground(why)
	}()
	return gone, sync.OnceFunc(func() { close(unneeded) })
}

// endOfBackground is how a hook ended that went on.
func (p *process) endOfBackground(why ending) Reply {
	reply := Reply{Stderr: p.stderr.bytes()}
	switch why {
	case overdue:
		reply.Failure = &Failure{Kind: TimedOut, Text: fmt.Sprintf(`it did not end within %v, its time in the background; if it needs longer, raise its "asyncTimeout"`, p.asyncTime)}
	case abandoned:
		reply.Failure = &Failure{Kind: Cancelled, Text: "it was ended before its time: the session is over"}
	case finished, heldOpen, wentAsync, excessive:
		p.judgeExit(&reply)
	}
	return reply
}

// group is what is left of the processes of a hook.
type group uint8

const (
	groupGone  group = iota + 1 // nothing; its number may be somebody else's
	groupDead                   // processes that have ended; its number is ours
	groupLives                  // a process that runs
)

// awaitGroup waits for the children of a main process that has ended. No call waits
// for processes that are not our own children, so it looks now and then. The number
// of a group is not given away as long as it has a member.
func (p *process) awaitGroup(late <-chan time.Time, unneeded <-chan struct{}) (why ending) {
	p.reap()
	pause := groupPoll
	for {
		switch groupOf(p.cmd.Process) {
		case groupGone:
			return finished
		case groupDead:
			killGroup(p.cmd.Process) // a child that was born while we looked
			return finished
		case groupLives:
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
			pause = min(2*pause, slowPoll)
			continue
		case <-late:
			why = overdue
		case <-unneeded:
			why = abandoned
		}
		timer.Stop()
		killGroup(p.cmd.Process)
		return why
	}
}

// failedAtOnce: the main process has ended already, and not with exit status 0.
func (p *process) failedAtOnce() bool {
	if !isClosed(p.exited) {
		return false
	}
	p.reap()
	return !p.cmd.ProcessState.Success()
}

// endReaped is end for a main process that was waited for: the number of its group may
// be somebody else's, unless it has a member left.
func (p *process) endReaped() {
	now := make(chan struct{})
	close(now)
	p.awaitGroup(nil, now)
	p.release()
}
