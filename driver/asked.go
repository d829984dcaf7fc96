package driver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// maxQuestions is how many questions of the program may be open at once.
const maxQuestions = 256

// asked is what is open between the program and us: requests of ours that it has not
// answered, and questions of it that we have not.
type asked struct {
	mu        sync.Mutex
	next      int
	requests  map[string]chan wire.Control
	questions map[string]*question
}

// question is what the program wants to know. Its context ends when it does not any more.
type question struct {
	wire.Control
	ctx    context.Context
	cancel context.CancelFunc
}

// expect makes a place for the answer to a request.
func (a *asked) expect() (id string, answer chan wire.Control) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next++
	id, answer = "driver_"+strconv.Itoa(a.next), make(chan wire.Control, 1)
	if a.requests == nil {
		a.requests = map[string]chan wire.Control{}
	}
	a.requests[id] = answer
	return id, answer
}

func (a *asked) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.requests, id)
}

// waits: somebody here waits for an answer.
func (a *asked) waits() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.requests) > 0
}

// deliver hands an answer to who waits for it. One that nobody waits for is too late.
func (a *asked) deliver(c wire.Control) {
	a.mu.Lock()
	answer := a.requests[c.ID]
	delete(a.requests, c.ID)
	a.mu.Unlock()
	if answer != nil {
		answer <- c
	}
}

// take takes a question down.
func (a *asked) take(life context.Context, c wire.Control) (*question, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.questions[c.ID]; open {
		return nil, fmt.Errorf("a request with the id %q is open already", c.ID)
	}
	if len(a.questions) >= maxQuestions {
		return nil, fmt.Errorf("%d requests are open already", maxQuestions)
	}
	q := &question{Control: c}
	q.ctx, q.cancel = context.WithCancel(life)
	if a.questions == nil {
		a.questions = map[string]*question{}
	}
	a.questions[c.ID] = q
	return q, nil
}

// withdraw ends the context of a question.
func (a *asked) withdraw(id string) {
	a.mu.Lock()
	q := a.questions[id]
	a.mu.Unlock()
	if q != nil {
		q.cancel()
	}
}

func (a *asked) settled(q *question) {
	q.cancel()
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.questions, q.ID)
}

type requestLine struct {
	Type    string         `json:"type"`
	ID      string         `json:"request_id"`
	Request map[string]any `json:"request"`
}

// request asks something of the program and waits for its answer.
func (d *Driver) request(ctx context.Context, subtype string, members map[string]any) (strictjson.Raw, error) {
	body := map[string]any{"subtype": subtype}
	for name, value := range members {
		body[name] = value
	}
	id, answer := d.asked.expect()
	defer d.asked.forget(id)
	signal(d.in.room) // whoever waits for room need not, now that somebody waits for an answer
	if err := d.out.send(requestLine{"control_request", id, body}); err != nil && !errors.Is(err, errUnsent) {
		return nil, err
	}
	c, err := d.await(ctx, answer)
	switch {
	case err != nil:
		return nil, err
	case c.Kind == wire.Refused:
		return nil, &RequestError{subtype, c.Failure}
	}
	return c.Body, nil
}

// await waits for an answer. It may be the last thing that the program has said.
func (d *Driver) await(ctx context.Context, answer <-chan wire.Control) (wire.Control, error) {
	select {
	case c := <-answer:
		return c, nil
	case <-ctx.Done():
		return wire.Control{}, context.Cause(ctx)
	case <-d.gone:
	}
	select {
	case c := <-answer:
		return c, nil
	default:
	}
	d.mu.Lock()
	known := d.reported
	d.mu.Unlock()
	if known {
		return wire.Control{}, ErrClosed
	}
	return wire.Control{}, d.exited()
}
