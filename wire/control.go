package wire

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
)

// ErrHostGone: the host can answer no more.
var ErrHostGone = errors.New("the host is gone: its input has ended")

// HostError is an answer of the host that says that it failed.
type HostError struct{ Text string }

func (e *HostError) Error() string { return "the host answered with an error: " + e.Text }

// Host is the host's end of the control protocol. It is safe for concurrent use.
type Host struct {
	out    *Output
	handle Handler

	mu      sync.Mutex
	next    int
	pending map[string]chan response
	prompts prompts
	errands errands
	ended   bool
	fault   error // why it has ended, if not because the host had nothing more to say
	wake    chan struct{}
	gone    chan struct{} // closed when the input has ended
}

// NewHost is the host that reads out. Serve lets it speak.
func NewHost(out *Output, handle Handler) *Host {
	return &Host{out: out, handle: handle, pending: map[string]chan response{}, wake: make(chan struct{}, 1), gone: make(chan struct{})}
}

// Serve reads what the host says until it ends; the error is an *InputError if a line
// cannot be read. Afterwards nobody answers any more.
func (h *Host) Serve(r io.Reader) error {
	err := read(r, h.take)
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

// deliver hands an answer to who waits for it. One that nobody waits for is too late.
func (h *Host) deliver(r response) {
	h.mu.Lock()
	waiting := h.pending[r.RequestID]
	delete(h.pending, r.RequestID)
	h.mu.Unlock()
	if waiting != nil {
		waiting <- r
	}
}

// Ask sends a control request to the host and waits for its answer. If the context
// ends first the request is withdrawn (control_cancel_request). The error is a
// *HostError when the host answers with one, [ErrHostGone] when it can answer no more.
func (h *Host) Ask(ctx context.Context, request any) (strictjson.Raw, error) {
	id, answer, err := h.expect()
	if err != nil {
		return nil, err
	}
	if err := h.out.control(ctx, controlRequest{Type: "control_request", RequestID: id, Request: request}); err != nil {
		h.forget(id)
		return nil, err
	}
	defer h.forget(id)
	select {
	case r := <-answer:
		return r.read()
	case <-ctx.Done():
		_ = h.out.reply(controlCancel{Type: "control_cancel_request", RequestID: id})
		return nil, ctx.Err()
	case <-h.gone:
		select { // the answer may have been the last thing the host said
		case r := <-answer:
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

func (h *Host) expect() (string, chan response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return "", nil, ErrHostGone
	}
	h.next++
	id, answer := "assent_"+strconv.Itoa(h.next), make(chan response, 1)
	h.pending[id] = answer
	return id, answer, nil
}

func (h *Host) forget(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pending, id)
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
