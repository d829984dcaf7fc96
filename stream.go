package assent

import (
	"iter"
	"strings"
	"sync"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// stream hands messages over from a session to the loop of its caller. Whoever tells one
// waits until the body of the loop is done with it, so that a program can react before
// the agent takes its next step. What is told while nobody reads is kept for the next
// loop.
//
// It must never come to a standstill. So nobody waits without a reader, or for one that has
// gone; nobody waits with a message that a call from inside of the loop can cause; and
// whoever waits holds no lock that such a call needs. A call from inside of the loop that
// waits for the agent, as Close does, releases everybody first.
type stream struct {
	hookEvents bool // the loop gets messages about hooks

	mu      sync.Mutex
	waiting []handover
	reader  *reader // nil while nobody reads
	runs    []HookResponse
	// failures are what the model was told about calls that did not go well, by their ids:
	// those of calls that were denied are on the result.
	failures map[string]string
}

type handover struct {
	message Message
	taken   chan struct{}
}

// tell hands a message over. It may be called by several goroutines at once.
func (s *stream) tell(m Message) {
	h := handover{m, make(chan struct{})}
	r := s.put(h)
	if r == nil {
		return
	}
	r.signal()
	if !patient(m) {
		return
	}
	select {
	case <-h.taken:
	case <-r.over:
	}
}

// put queues a message, and says who reads it; nil if nobody does.
func (s *stream) put(h handover) *reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gather(h.message) == beside {
		return nil
	}
	s.waiting = append(s.waiting, h)
	return s.reader
}

// patient: whoever tells the message waits until it is taken. A change of the mode and a
// warning may come out of a call that the loop itself has made.
func patient(m Message) bool {
	switch m.(type) {
	case *wire.Status, *wire.Informational:
		return false
	}
	return true
}

// audience is who a message is for.
type audience uint8

const (
	loop   audience = iota + 1
	beside          // nobody in the loop
)

// gather keeps how hooks did and why calls were denied, for the result of the prompt. Only
// who asked for them gets the messages of hooks, too.
func (s *stream) gather(m Message) audience {
	switch m := m.(type) {
	case *wire.HookStarted:
	case *wire.HookResponse:
		s.runs = append(s.runs, *m)
	case *wire.User:
		s.failed(m.Content)
		return loop
	case *wire.Result:
		m.Hooks, s.runs = s.runs, nil
		for i, d := range m.Denials {
			m.Denials[i].Reason = s.failures[d.ToolUseID]
		}
		s.failures = nil
		return loop
	default:
		return loop
	}
	if s.hookEvents {
		return loop
	}
	return beside
}

// failed keeps what the model is told about calls that did not go well.
func (s *stream) failed(content []model.Block) {
	for _, b := range content {
		if b.Kind != model.ToolResult || !b.IsError {
			continue
		}
		var texts []string
		for _, part := range b.Result {
			if part.Kind == model.Text {
				texts = append(texts, part.Text)
			}
		}
		if s.failures == nil {
			s.failures = map[string]string{}
		}
		s.failures[b.ToolUseID] = strings.Join(texts, "\n")
	}
}

// rest takes what nobody has read.
func (s *stream) rest() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, h := range s.waiting {
		all = append(all, h.message)
	}
	s.waiting = nil
	return all
}

// reader is one loop.
type reader struct {
	stream *stream
	wake   chan struct{} // has room for one
	over   chan struct{} // closed when nobody waits for the loop any more
	once   sync.Once
	// done: the work has ended; seen: and the loop has seen all of it. Both are under the
	// lock of the stream.
	done, seen bool
}

// open begins a loop.
func (s *stream) open() *reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reader = &reader{stream: s, wake: make(chan struct{}, 1), over: make(chan struct{})}
	s.reader.signal()
	return s.reader
}

func (r *reader) signal() {
	select {
	case r.wake <- struct{}{}:
	default: // it is about to look anyway
	}
}

// finish says that the work has ended.
func (r *reader) finish() {
	r.stream.mu.Lock()
	r.done = true
	r.stream.mu.Unlock()
	r.signal()
}

// release lets nobody wait for the loop any more.
func (r *reader) release() { r.once.Do(func() { close(r.over) }) }

// close ends the loop, after the work has. What a loop that was left has not seen is
// dropped: the next one is about another prompt.
func (r *reader) close() {
	r.release()
	r.stream.mu.Lock()
	defer r.stream.mu.Unlock()
	r.stream.reader = nil
	if !r.seen {
		r.stream.waiting, r.stream.runs, r.stream.failures = nil, nil, nil
	}
}

// all yields the messages until the work has ended.
func (r *reader) all() iter.Seq[Message] {
	return func(yield func(Message) bool) {
		for range r.wake {
			for h := range r.ready() {
				if !yield(h.message) {
					return
				}
				close(h.taken)
			}
			if r.isSeen() {
				return
			}
		}
	}
}

// ready takes the messages that are there.
func (r *reader) ready() iter.Seq[handover] {
	return func(yield func(handover) bool) {
		for {
			h, ok := r.next()
			if !ok || !yield(h) {
				return
			}
		}
	}
}

func (r *reader) next() (h handover, ok bool) {
	r.stream.mu.Lock()
	defer r.stream.mu.Unlock()
	if len(r.stream.waiting) == 0 {
		if r.seen = r.done; r.seen {
			r.release() // it does not look again
		}
		return handover{}, false
	}
	h, r.stream.waiting = r.stream.waiting[0], r.stream.waiting[1:]
	return h, true
}

func (r *reader) isSeen() bool {
	r.stream.mu.Lock()
	defer r.stream.mu.Unlock()
	return r.seen
}
