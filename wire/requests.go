package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	// maxErrands is how many requests of a host may be in work at once.
	maxErrands = 64
	// maxID is how long the id of a request may be, and maxError what a host is told about
	// one that failed.
	maxID    = 1 << 10
	maxError = 16 << 10
)

// Request is what a host asks of assent.
type Request struct {
	ID      string
	Subtype string
	// Body is the whole request object.
	Body strictjson.Raw
}

// Handler answers a host's requests, one at a time and in order, and must not wait for
// anything: what the host says next is not read before. What it returns is the response;
// an error is told to the host. A response that takes time is a [Later], one that something
// follows a [Reply].
type Handler func(Request) (any, error)

// Later makes the response to a request that takes time, while the host goes on to be
// heard. Its context ends when the host takes the request back, or nobody listens any
// more.
type Later func(context.Context) (any, error)

// Reply is a response that something follows, once the response is on its way.
type Reply struct {
	Body any
	Then func()
}

// Why a request ends without a response.
var (
	errTakenBack = errors.New("the request was taken back (control_cancel_request)")
	errOver      = errors.New("the session has ended")
)

// answer answers a request of the host.
func (h *Host) answer(m incoming) {
	var request struct {
		Subtype string `json:"subtype"`
	}
	err := checkRequest(m)
	if err == nil {
		err = strictjson.Unmarshal(m.Request, &request)
	}
	if err == nil {
		err = h.errands.check(m.RequestID)
	}
	var body any
	if err == nil {
		body, err = h.handle(Request{ID: m.RequestID, Subtype: request.Subtype, Body: m.Request})
	}
	later, takesTime := body.(Later)
	if err == nil && takesTime {
		err = h.errands.start(m.RequestID, func(ctx context.Context) {
			body, err := later(ctx)
			if ctx.Err() != nil {
				body, err = nil, context.Cause(ctx)
			}
			h.respond(m.RequestID, body, err)
		})
		if err == nil {
			return
		}
	}
	reply, then := body.(Reply)
	if then {
		body = reply.Body
	}
	h.respond(m.RequestID, body, err)
	if then && err == nil {
		reply.Then()
	}
}

// checkRequest refuses what is no request, or could not be told from others.
func checkRequest(m incoming) error {
	switch {
	case len(m.RequestID) > maxID:
		return fmt.Errorf("request_id is longer than %d bytes", maxID)
	case missing(m.Request):
		return errors.New("request is missing: a control_request needs a request object")
	}
	return nil
}

// respond tells the host what came of its request. That nobody reads it is for the output
// to say. What the host has said is repeated to it only in part.
func (h *Host) respond(id string, body any, err error) {
	reply := controlReply{RequestID: clip(id, maxID), Subtype: "success", Response: body}
	if err != nil {
		reply.Subtype, reply.Response, reply.Error = "error", nil, clip(misfit(err).Error(), maxError)
	}
	_ = h.out.reply(controlResponse{Type: "control_response", Response: reply})
}

// clip cuts a text that is too long.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}

// Settle ends the requests that are still in work, each with an answer, and takes no more
// that take time. It returns when all of them are answered.
func (h *Host) Settle() { h.errands.end() }

// Unsupported is the answer to a request that is not known.
func Unsupported(subtype string) error {
	return fmt.Errorf("Unsupported control request subtype: %s", subtype)
}

// errands are the requests of a host that are in work.
type errands struct {
	mu      sync.Mutex
	open    map[string]context.CancelCauseFunc
	running sync.WaitGroup
	over    bool
}

// check refuses an id that is in use: it could not be told from the other, neither in an
// answer nor when it is taken back.
func (e *errands) check(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, inUse := e.open[id]; inUse {
		return fmt.Errorf("a request with the id %q is in work already", id)
	}
	return nil
}

// start begins one, whose id was checked. Requests are read one at a time, so nobody else
// has taken it since.
func (e *errands) start(id string, work func(context.Context)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.over:
		return errOver
	case len(e.open) >= maxErrands:
		return fmt.Errorf("%d requests are in work already (wait for their answers)", maxErrands)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	if e.open == nil {
		e.open = map[string]context.CancelCauseFunc{}
	}
	e.open[id] = cancel
	e.running.Go(func() {
		defer e.finished(id)
		work(ctx)
	})
	return nil
}

func (e *errands) finished(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open[id](nil)
	delete(e.open, id)
}

// cancel takes one back; one that is not in work has been answered already.
func (e *errands) cancel(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if cancel, ok := e.open[id]; ok {
		cancel(errTakenBack)
	}
}

func (e *errands) end() {
	e.mu.Lock()
	e.over = true
	for _, cancel := range e.open {
		cancel(errOver)
	}
	e.mu.Unlock()
	e.running.Wait()
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
