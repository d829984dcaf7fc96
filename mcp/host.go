package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// SendFunc carries one JSON-RPC message to a server inside of the host and returns what
// the host answers: the response to a request; anything, which nobody looks at, for a
// notification or a response. It returns when the context ends.
type SendFunc func(ctx context.Context, server string, message []byte) ([]byte, error)

// cancelTime is what a host gets to take the news that a call was cancelled.
const cancelTime = time.Second

// inHost is the link to a server inside of the host.
type inHost struct {
	name string
	send SendFunc

	life     context.Context
	stop     context.CancelFunc
	incoming chan jsonrpc.Message

	mu    sync.Mutex
	calls map[jsonrpc.ID]context.CancelFunc
	ended bool
	tasks sync.WaitGroup
}

func newInHost(name string, send SendFunc) *inHost {
	life, cut := context.WithCancel(context.Background())
	return &inHost{name: name, send: send, life: life, stop: cut, incoming: make(chan jsonrpc.Message), calls: map[jsonrpc.ID]context.CancelFunc{}}
}

// Connect needs nothing but a host.
func (h *inHost) Connect(context.Context) (sdk.Connection, error) {
	if h.send == nil {
		return nil, errors.New("it lives in a host, and no host is there")
	}
	return h, nil
}

func (h *inHost) cut() { h.stop() }

func (h *inHost) finish(context.Context) ending {
	h.cut()
	h.mu.Lock()
	h.ended = true
	h.mu.Unlock()
	h.tasks.Wait()
	return ending{}
}

// SessionID is "": a host has one session for each server.
func (h *inHost) SessionID() string { return "" }

// Close ends the connection. It does not wait.
func (h *inHost) Close() error {
	h.cut()
	return nil
}

// Read returns the next message from the server.
func (h *inHost) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message := <-h.incoming:
		return message, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.life.Done():
		return nil, io.EOF
	}
}

// deliver hands a message to whoever reads; it is lost when the connection ends.
func (h *inHost) deliver(ctx context.Context, message jsonrpc.Message) error {
	select {
	case h.incoming <- message:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-h.life.Done():
		return fmt.Errorf("the MCP server %q is not connected", h.name)
	}
}

// Write carries a message to the host. The answer to a request comes later; everything
// else is waited for, so that the host gets things in order.
func (h *inHost) Write(ctx context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if h.life.Err() != nil {
		return io.ErrClosedPipe
	}
	request, isRequest := message.(*jsonrpc.Request)
	switch {
	case isRequest && request.IsCall():
		return h.call(request.ID, data)
	case isRequest && request.Method == "notifications/cancelled":
		h.cancelled(request.Params, data)
	default:
		h.tell(ctx, data)
	}
	return nil
}

// tell sends what has no answer. Whether the host could make something of it is its own
// business: a host that is gone shows at the next request.
func (h *inHost) tell(ctx context.Context, data []byte) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.life, cancel)()
	_, _ = h.send(ctx, h.name, data)
}

// cancelled tells the host that nobody waits for an answer, and stops waiting. Who has
// cancelled does not wait for the host either.
func (h *inHost) cancelled(params, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return
	}
	h.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(h.life, cancelTime)
		defer cancel()
		h.tell(ctx, data)
		var what struct {
			RequestID any `json:"requestId"`
		}
		if strictjson.Unmarshal(params, &what) != nil {
			return
		}
		if id, err := jsonrpc.MakeID(what.RequestID); err == nil {
			h.forget(id)
		}
	})
}

func (h *inHost) forget(id jsonrpc.ID) {
	h.mu.Lock()
	cancel := h.calls[id]
	delete(h.calls, id)
	h.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (h *inHost) call(id jsonrpc.ID, data []byte) error {
	ctx, cancel := context.WithCancel(h.life)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		cancel()
		return io.ErrClosedPipe
	}
	h.calls[id] = cancel
	h.tasks.Go(func() {
		defer h.forget(id)
		_ = h.deliver(ctx, h.answer(ctx, id, data))
	})
	return nil
}

// answer is the host's response to a request, or one that says what went wrong.
func (h *inHost) answer(ctx context.Context, id jsonrpc.ID, data []byte) *jsonrpc.Response {
	failed := func(err error) *jsonrpc.Response { return &jsonrpc.Response{ID: id, Error: err} }
	reply, err := h.send(ctx, h.name, data)
	if err != nil {
		return failed(err)
	}
	if len(reply) > maxMessage {
		return failed(fmt.Errorf("the host answered with %d bytes, more than the limit of %d", len(reply), maxMessage))
	}
	message, err := jsonrpc.DecodeMessage(reply)
	if err != nil {
		return failed(fmt.Errorf("the host's answer is no JSON-RPC message: %w", err))
	}
	response, ok := message.(*jsonrpc.Response)
	if !ok || response.ID != id {
		return failed(errors.New("the host's answer is not the response to the request"))
	}
	return response
}
