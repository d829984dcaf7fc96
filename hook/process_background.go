package hook

import (
	"fmt"
	"sync"
	"time"
)

// answerAsync is for a process that says that it goes on in the background.
func (p *running) answerAsync() Reply {
	if p.failedAtOnce() {
		p.release()
		reply := Reply{Text: p.stdout.bytes(), Stderr: p.stderr.bytes()}
		p.judgeExit(&reply)
		return reply
	}
	reply := Reply{Text: p.stdout.firstLine(), Ended: func() Reply { return p.lastWords }}
	reply.Background, reply.Abandon = p.goOn()
	return reply
}

// goOn lets the process and its children run for a while longer.
func (p *running) goOn() (done <-chan struct{}, abandon func()) {
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
		case <-unneeded:
			why = abandoned
		}
		p.release()
		p.lastWords = p.endOfBackground(why)
	}()
	return gone, sync.OnceFunc(func() { close(unneeded) })
}

// endOfBackground is how a hook ended that went on.
func (p *running) endOfBackground(why ending) Reply {
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

// awaitGroup waits for the children of a main process that has ended. No call waits
// for processes that are not our own children, so it looks now and then.
func (p *running) awaitGroup(late <-chan time.Time, unneeded <-chan struct{}) (why ending) {
	p.group.Wait()
	for pause := groupPoll; p.group.Others(); pause = min(2*pause, slowPoll) {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
			continue
		case <-late:
			why = overdue
		case <-unneeded:
			why = abandoned
		}
		timer.Stop()
		return why
	}
	return finished
}

// failedAtOnce: the main process has ended already, and not with exit status 0.
func (p *running) failedAtOnce() bool {
	return isClosed(p.exited) && !p.group.Wait().Success()
}
