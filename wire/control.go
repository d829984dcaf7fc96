package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
)

// maxPrompts is how many prompts of a host may wait, and maxWaiting how large they may
// be together. Reading must never wait for the work, because an answer may come behind
// a prompt.
const (
	maxPrompts = 1024
	maxWaiting = 64 << 20
)

// ErrHostGone: the host can answer no more.
var ErrHostGone = errors.New("the host is gone: its input has ended")

// HostError is an answer of the host that says that it failed.
type HostError struct{ Text string }

func (e *HostError) Error() string { return "the host answered with an error: " + e.Text }

// Request is what a host asks of assent.
type Request struct {
	ID      string
	Subtype string
	// Body is the whole request object.
	Body strictjson.Raw
}

// Handler answers a host's requests, one at a time and in order. What it returns is
// the response; an error is told to the host.
type Handler func(Request) (any, error)

// Host is the host's end of the control protocol. It is safe for concurrent use.
type Host struct {
	out    *Output
	handle Handler

	mu      sync.Mutex
	next    int
	pending map[string]chan response
	queue   []Prompt
	waiting int // bytes of the queue
	ended   bool
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
	defer h.end()
	return read(r, h.take)
}

func (h *Host) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	close(h.gone)
	h.nudge()
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
		return h.answer(m)
	}
	return nil
}

func (h *Host) enqueue(p Prompt, size int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) >= maxPrompts || h.waiting+size > maxWaiting {
		return errors.New("too many prompts are waiting (send the next one after the result of the last)")
	}
	h.queue = append(h.queue, p)
	h.waiting += size
	h.nudge()
	return nil
}

// Next is the next prompt of the host; ok is false when there will be none, or nobody
// wants it worked off any more: ctx has ended.
func (h *Host) Next(ctx context.Context) (p Prompt, ok bool) {
	for {
		if ctx.Err() != nil {
			return Prompt{}, false
		}
		h.mu.Lock()
		if len(h.queue) > 0 {
			p, h.queue = h.queue[0], h.queue[1:]
			if len(h.queue) == 0 {
				h.waiting = 0
			}
			h.mu.Unlock()
			return p, true
		}
		ended := h.ended
		h.mu.Unlock()
		if ended {
			return Prompt{}, false
		}
		select {
		case <-h.wake:
		case <-ctx.Done():
			return Prompt{}, false
		}
	}
}

// Waiting is how many prompts wait for their turn.
func (h *Host) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.queue)
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

// answer answers a request of the host.
func (h *Host) answer(m incoming) error {
	var request struct {
		Subtype string `json:"subtype"`
	}
	reply := controlResponse{Type: "control_response", Response: controlReply{RequestID: m.RequestID, Subtype: "success"}}
	err := strictjson.Unmarshal(m.Request, &request)
	var body any
	if err == nil {
		body, err = h.handle(Request{ID: m.RequestID, Subtype: request.Subtype, Body: m.Request})
	}
	if err != nil {
		reply.Response.Subtype, reply.Response.Error = "error", err.Error()
	} else {
		reply.Response.Response = body
	}
	_ = h.out.reply(reply) // the output says itself that nobody reads it
	return nil
}

// Unsupported is the answer to a request that is not known.
func Unsupported(subtype string) error {
	return fmt.Errorf("Unsupported control request subtype: %s", subtype)
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
	if r.Subtype != "success" {
		return nil, &HostError{r.Error}
	}
	return r.Response, nil
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

type controlResponse struct {
	Type     string       `json:"type"`
	Response controlReply `json:"response"`
}

type controlReply struct {
	Subtype   string `json:"subtype"`
	RequestID string `json:"request_id"`
	Response  any    `json:"response,omitzero"`
	Error     string `json:"error,omitzero"`
}

type controlCancel struct {
	Type      string `json:"type"`
	RequestID string `json:"request_id"`
}
