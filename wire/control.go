package wire

import (
	"context"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// ErrHostGone: the host can answer no more.
var ErrHostGone error = gone("the host is gone: its input has ended")

// gone is an error that says that nobody is there. Hooks know it as [hook.ErrGone].
type gone string

func (g gone) Error() string { return string(g) }

// Is tells what kind of error it is.
func (gone) Is(target error) bool { return target == hook.ErrGone }

// HostError is an answer of the host that says that it failed.
type HostError struct{ Text string }

func (e *HostError) Error() string { return "the host answered with an error: " + e.Text }

// Host is the host's end of the control protocol. It is safe for concurrent use.
type Host struct {
	out    *Output
	handle Handler

	mu      sync.Mutex
	next    int
	pending []*question
	prompts prompts
	errands errands
	ended   bool
	fault   error // why it has ended, if not because the host had nothing more to say
	wake    chan struct{}
	gone    chan struct{} // closed when the input has ended
}

// NewHost is the host that reads out. Serve lets it speak.
func NewHost(out *Output, handle Handler) *Host {
	return &Host{out: out, handle: handle, wake: make(chan struct{}, 1), gone: make(chan struct{})}
}

// Serve reads what the host says until it ends; the error is an *InputError if a line
// cannot be read. Afterwards nobody answers any more.
func (h *Host) Serve(r io.Reader) error {
	err := read(r, h.hear)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended, h.fault = true, err
	close(h.gone)
	h.nudge()
	return err
}

// Fault is the error of Serve as soon as anybody can notice that the input has ended. Nobody
// knows what the host wanted to say then, and it may have been no.
func (h *Host) Fault() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fault
}

func (h *Host) nudge() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// hear deals with one message, and knows when it came.
func (h *Host) hear(m incoming) error {
	h.heardNow()
	defer h.heardNow() // to deal with it may have taken its time
	return h.take(m)
}

func (h *Host) heardNow() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prompts.opening.heard = time.Now()
}

// take deals with one message. Its error ends the conversation.
func (h *Host) take(m incoming) error {
	switch m.Type {
	case "user":
		prompt, err := m.prompt()
		if err != nil {
			return err
		}
		return h.enqueue(prompt, len(m.Message))
	case "control_response":
		if m.Response != nil {
			h.deliver(*m.Response)
		}
	case "control_request":
		h.answer(m)
	case "control_cancel_request":
		h.errands.cancel(m.RequestID)
	}
	return nil
}

// question is a request of ours that the host has not answered.
type question struct {
	number int
	answer chan response // has room for one
	// working: it is asked for the work on a prompt. Withdrawn: the host was told that
	// nobody needs its answer any more.
	working, withdrawn bool
}

func (q *question) id() string { return "assent_" + strconv.Itoa(q.number) }

// deliver hands an answer to who waits for it. One that nobody waits for is too late.
func (h *Host) deliver(r response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.pending, func(q *question) bool { return q.id() == r.RequestID })
	if i < 0 || h.pending[i].withdrawn {
		return
	}
	h.pending[i].answer <- r
	h.pending = slices.Delete(h.pending, i, i+1)
}

// withdraw takes back the questions about the work on a prompt. Whoever has asked one goes
// on waiting until the work ends. The caller holds the lock.
func (h *Host) withdraw() {
	for _, q := range h.pending {
		if q.working {
			h.takeBack(q)
		}
	}
}

// takeBack tells the host once that nobody needs an answer any more. The caller holds the lock.
func (h *Host) takeBack(q *question) {
	if !q.withdrawn {
		q.withdrawn = true
		_ = h.out.reply(controlCancel{Type: "control_cancel_request", RequestID: q.id()})
	}
}

// asked takes a question back that was withdrawn before there was room for it.
func (h *Host) asked(q *question) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if q.withdrawn {
		q.withdrawn = false
		h.takeBack(q)
	}
}

// Ask sends a control request to the host and waits for its answer. If the context
// ends first the request is withdrawn (control_cancel_request). The error is a
// *HostError when the host answers with one, [ErrHostGone] when it can answer no more.
func (h *Host) Ask(ctx context.Context, request any) (strictjson.Raw, error) {
	q, err := h.expect(ctx)
	if err != nil {
		return nil, err
	}
	defer h.forget(q)
	if err := h.out.control(ctx, controlRequest{Type: "control_request", RequestID: q.id(), Request: request}); err != nil {
		return nil, err
	}
	h.asked(q)
	select {
	case r := <-q.answer:
		return r.read()
	case <-ctx.Done():
		h.mu.Lock()
		defer h.mu.Unlock()
		h.takeBack(q)
		return nil, ctx.Err()
	case <-h.gone:
		select { // the answer may have been the last thing the host said
		case r := <-q.answer:
			return r.read()
		default:
			return nil, ErrHostGone
		}
	case <-h.out.Gone():
		return nil, ErrOutputGone
	}
}

func (r response) read() (strictjson.Raw, error) {
	var subtype string
	_ = strictjson.Unmarshal(r.Subtype, &subtype) // what is no text is none of the words
	switch {
	case subtype == "success":
		return r.Response, nil
	case subtype == "error":
		return nil, &HostError{r.complaint()}
	case missing(r.Subtype):
		return nil, &HostError{"its answer has no subtype, success or error"}
	}
	return nil, &HostError{"the subtype of its answer is neither success nor error: " + excerpt(r.Subtype)}
}

// complaint is what the host says about its error.
func (r response) complaint() string {
	var text string
	switch err := strictjson.Unmarshal(r.Error, &text); {
	case missing(r.Error) || err == nil && text == "":
		return "it does not say why"
	case err != nil:
		return excerpt(r.Error)
	}
	return text
}

func (h *Host) expect(ctx context.Context) (*question, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, ErrHostGone
	}
	h.next++
	q := &question{number: h.next, answer: make(chan response, 1)}
	q.working, _ = ctx.Value(working{}).(bool)
	h.pending = append(h.pending, q)
	return q, nil
}

func (h *Host) forget(q *question) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pending = slices.DeleteFunc(h.pending, func(other *question) bool { return other == q })
}

type controlRequest struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
	Request   any    `json:"request"`
}

type controlCancel struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
}
