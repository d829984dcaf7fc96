package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Send hands the server one JSON-RPC message and returns its answer; nil for a
// notification. When the context ends, so does that of the function that was called.
func (f *Functions) Send(ctx context.Context, message []byte) ([]byte, error) {
	if err := strictjson.Valid(message); err != nil { // a key that occurs twice, above all
		return nil, fmt.Errorf("the message for the MCP server %q cannot be read: %w", f.server, err)
	}
	decoded, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return nil, fmt.Errorf("the message for the MCP server %q is none: %w", f.server, err)
	}
	request, ok := decoded.(*jsonrpc.Request)
	if !ok {
		return nil, nil // an answer, and the server asks nothing
	}
	talk, err := f.conversation(request)
	if err != nil {
		return nil, err
	}
	if !request.IsCall() {
		return nil, talk.deliver(ctx, request)
	}
	return talk.ask(ctx, request)
}

// conversation is the one that a message belongs to. A client that introduces itself
// begins a new one, and what goes on in the former ends.
func (f *Functions) conversation(request *jsonrpc.Request) (*conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return nil, fmt.Errorf("the MCP server %q has ended", f.server)
	}
	if f.talk != nil && request.Method != "initialize" {
		return f.talk, nil
	}
	if f.talk != nil {
		go f.talk.close()
	}
	talk := &conversation{incoming: make(chan jsonrpc.Message), asked: map[jsonrpc.ID]chan jsonrpc.Message{}}
	talk.life, talk.end = context.WithCancel(context.Background())
	var err error
	if talk.session, err = f.serve(talk.life).Connect(talk.life, talk, nil); err != nil {
		return nil, err
	}
	f.talk = talk
	return talk, nil
}

// conversation is the connection of one client to the server. Answers find whoever has
// sent the request.
type conversation struct {
	session  *sdk.ServerSession
	incoming chan jsonrpc.Message
	life     context.Context // ends with the conversation
	end      context.CancelFunc

	mu    sync.Mutex
	asked map[jsonrpc.ID]chan jsonrpc.Message
}

var errTalkOver = errors.New("the MCP server has ended")

// deliver hands a message to the server.
func (c *conversation) deliver(ctx context.Context, m jsonrpc.Message) error {
	select {
	case c.incoming <- m:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.life.Done():
		return errTalkOver
	}
}

// ask hands a request to the server and waits for the answer.
func (c *conversation) ask(ctx context.Context, request *jsonrpc.Request) ([]byte, error) {
	answer := make(chan jsonrpc.Message, 1)
	if !c.expect(request.ID, answer) {
		return nil, fmt.Errorf("the request %v is under way already", request.ID.Raw())
	}
	defer c.forget(request.ID)
	if err := c.deliver(ctx, request); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		return jsonrpc.EncodeMessage(m)
	case <-ctx.Done():
		c.cancel(request.ID)
		return nil, context.Cause(ctx)
	case <-c.life.Done():
		return nil, errTalkOver
	}
}

// cancel tells the server that nobody waits for an answer.
func (c *conversation) cancel(id jsonrpc.ID) {
	params, err := strictjson.Marshal(map[string]any{"requestId": id.Raw()})
	if err != nil {
		return // an id is a number or a text
	}
	_ = c.deliver(context.Background(), &jsonrpc.Request{Method: "notifications/cancelled", Params: params}) // its end is good enough, too
}

func (c *conversation) expect(id jsonrpc.ID, answer chan jsonrpc.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked[id] != nil {
		return false
	}
	c.asked[id] = answer
	return true
}

func (c *conversation) forget(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asked, id)
}

// close ends the conversation and what is under way in it.
func (c *conversation) close() {
	c.end()
	_ = c.session.Close()
}

// Connect is for the server, which uses the conversation as its transport.
func (c *conversation) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is "": there is one conversation at a time.
func (c *conversation) SessionID() string { return "" }

// Read is the server's next message.
func (c *conversation) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.life.Done():
		return nil, io.EOF
	}
}

// Write takes what the server says. It asks nothing, and of what it tells by itself nobody
// has asked to hear.
func (c *conversation) Write(_ context.Context, m jsonrpc.Message) error {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.asked[response.ID]; answer != nil {
		answer <- response // there is room: an id is answered once
		delete(c.asked, response.ID)
	}
	return nil
}

// Close ends it from the side of the server.
func (c *conversation) Close() error {
	c.end()
	return nil
}
