package wire

import "time"

// Start is when a session takes up the calls that wait in it, if its host gives no prompt
// before. With the first prompt they are taken up in any case; a host that is gone by then
// has not said that anything is to run.
type Start uint8

// The moments.
const (
	// InSilence: when the host has said nothing for a while.
	InSilence Start = iota + 1
	// WhenReady: when [Host.Ready] is called. The host has something to say before.
	WhenReady
	// WhenAsked: with an empty prompt.
	WhenAsked
	// AtTheEnd: when the input has ended. It is for what no answer is needed to.
	AtTheEnd
)

const (
	// silence is how long a host that says nothing is waited for.
	silence = 500 * time.Millisecond
	// breath is how long after Ready a host that goes on speaking is heard first: a prompt,
	// an interrupt or the end of its input may stand right behind what made it ready.
	breath = 20 * time.Millisecond
)

// opening is the work that a session begins with when calls wait in it. It is a piece of
// work like a prompt: one can wait for it, and interrupt it. The lock of the host guards it.
type opening struct {
	start Start // zero when there is none, or somebody works on it
	ready bool
	// doomed: the host has interrupted it.
	doomed bool
	// alone: it was begun without a prompt, and none has come since. A first prompt that is
	// empty says no more than that it may begin, unless calls wait on after it.
	alone bool
	heard time.Time // when the host has said something last
}

// due is how long it is until the work begins; ok is false when that is up to the host.
func (o *opening) due() (wait time.Duration, ok bool) {
	switch {
	case o.doomed:
		return 0, true
	case o.ready:
		return time.Until(o.heard.Add(breath)), true
	case o.start == InSilence:
		return time.Until(o.heard.Add(silence)), true
	}
	return 0, false
}

// OpensWith says that calls wait in the session, or the model does, and when that is taken
// up. It is called before Serve.
func (h *Host) OpensWith(start Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prompts.opening = opening{start: start, heard: time.Now()}
	h.prompts.leaves = true
}

// StartAt changes when the calls are taken up, unless somebody works on them already, or
// only the model waits.
func (h *Host) StartAt(start Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := &h.prompts.opening; o.start == InSilence || o.start == WhenReady {
		o.start = start
	}
}

// Ready says that the host has said all that is to be known before calls are taken up.
func (h *Host) Ready() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := &h.prompts.opening; o.start == WhenReady {
		o.ready, o.heard = true, time.Now()
		h.nudge()
	}
}

// Leaves says that calls wait, so that a prompt without content may come, which asks for them
// to be taken up. Without such calls it is a mistake. It is called when work has ended that has left
// them.
func (h *Host) Leaves() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prompts.leaves, h.prompts.opening.alone = true, false
}

// open takes the work that the session begins with, if that is to begin now. wait is how
// long it is until it does, if the host says nothing.
func (h *Host) open() (p Prompt, ok bool, wait time.Duration) {
	mine, o := &h.prompts, &h.prompts.opening
	left, timed := o.due()
	switch {
	case o.start == 0:
		return Prompt{}, false, 0
	case o.doomed:
		p.Kind = GoesOn
	case len(mine.queue) > 0 && mine.queue[0].Kind == Said: // which takes up what waits itself
		*o = opening{}
		return Prompt{}, false, 0
	case len(mine.queue) > 0:
		p = mine.dequeue()
	case h.ended && o.start == AtTheEnd:
		p.Kind = GoesOn
	case h.ended:
		p.Kind = Left
	case timed && left <= 0:
		p.Kind = GoesOn
		o.alone = true
	case timed:
		return Prompt{}, false, left
	default:
		return Prompt{}, false, 0
	}
	mine.working, mine.doomed = true, o.doomed || p.doomed
	*o = opening{alone: o.alone}
	return p, true, 0
}
