package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assent-dev/assent/tool"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Options are how the servers of a set are used.
type Options struct {
	Limits
	// Dir is where programs run; "" means here.
	Dir string
	// Env is the environment of programs, to which each server's own is added; nil means
	// ours.
	Env []string
	// Host reaches the servers inside of the host; without it they fail.
	Host SendFunc
	// Roots are the working directories that servers may ask for. They are read at each
	// request. Nil means that servers are not told.
	Roots func() []string
	// Elicit puts a server's question to the person. Nil declines all. It returns when
	// its context ends.
	Elicit func(context.Context, Elicitation) (Answer, error)
	// Warn is told what a person should know. Nil means nobody.
	Warn func(string)
	// Version is ours, for servers to see.
	Version string
}

func (o Options) warn(text string) {
	if o.Warn != nil {
		o.Warn(text)
	}
}

// Set is a number of servers. It is safe for concurrent use.
type Set struct {
	mu       sync.Mutex
	servers  []*server
	end      context.CancelCauseFunc
	starts   sync.WaitGroup
	revision atomic.Uint64
}

// Open starts to connect to all servers at once and returns; [Set.Wait] waits for them.
// The end of the context breaks off what is not connected by then, nothing else. Of two
// servers with one name the first counts.
func Open(ctx context.Context, servers []Server, options Options) *Set {
	options.Limits = options.orDefaults()
	life, end := context.WithCancelCause(context.Background())
	set := &Set{end: end}
	for _, config := range servers {
		if set.server(config.Name) != nil {
			continue
		}
		s := newServer(life, config, options, func() { set.revision.Add(1) })
		set.servers = append(set.servers, s)
		set.starts.Go(func() { s.start(ctx) })
	}
	return set
}

// all are the servers that are there now.
func (set *Set) all() []*server {
	set.mu.Lock()
	defer set.mu.Unlock()
	return slices.Clone(set.servers)
}

func (set *Set) server(name string) *server {
	for _, s := range set.all() {
		if s.config.Name == name {
			return s
		}
	}
	return nil
}

// Revision is another number whenever the tools or the state of a server may have
// changed.
func (set *Set) Revision() uint64 { return set.revision.Load() }

// Wait waits until each server is connected or has failed, or the context ends. Servers
// that are late are pending and turn up by themselves.
func (set *Set) Wait(ctx context.Context) {
	for _, s := range set.all() {
		select {
		case <-s.done:
		case <-ctx.Done():
			return
		}
	}
}

// Refresh picks up the changed lists of tools. It costs nothing when nothing has changed.
// Call it before a request to the model.
func (set *Set) Refresh(ctx context.Context) {
	var all sync.WaitGroup
	for _, s := range set.all() {
		if s.stale.Load() {
			all.Go(func() { s.refresh(ctx) })
		}
	}
	all.Wait()
}

// Reconnect connects to a server anew, whatever its state: what a person asks for need
// not wait for the end of a pause.
func (set *Set) Reconnect(ctx context.Context, name string) error {
	s := set.server(name)
	if s == nil {
		return fmt.Errorf("there is no MCP server %q", name)
	}
	return s.reconnect(ctx)
}

// Tools are those that the servers have listed last, in the order of the servers. A
// server that has ended keeps its tools: the next call starts it again.
func (set *Set) Tools() []tool.Runner {
	var all []tool.Runner
	for _, s := range set.all() {
		s.mu.Lock()
		for _, t := range s.tools {
			all = append(all, t)
		}
		s.mu.Unlock()
	}
	return all
}

// Status is how the servers do, in their order.
func (set *Set) Status() []Status {
	var all []Status
	for _, s := range set.all() {
		all = append(all, s.status())
	}
	return all
}

// Deliver is for messages that a server inside of the host sends of its own accord: a
// notification, or a request, whose response goes out through Options.Host.
func (set *Set) Deliver(ctx context.Context, name string, message []byte) error {
	s := set.server(name)
	if s == nil || s.config.Kind != SDK {
		return fmt.Errorf("there is no MCP server %q in the host", name)
	}
	decoded, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return fmt.Errorf("that is no JSON-RPC message: %w", err)
	}
	if _, isRequest := decoded.(*jsonrpc.Request); !isRequest {
		return errors.New("a response is the answer to a request of ours, not a message of its own")
	}
	conn := s.alive()
	if conn == nil {
		return fmt.Errorf("the MCP server %q is not connected", name)
	}
	return conn.link.(*inHost).deliver(ctx, decoded)
}

// Drop ends one server and forgets it; its tools fail from then on.
func (set *Set) Drop(ctx context.Context, name string) {
	s := set.server(name)
	if s == nil {
		return
	}
	set.mu.Lock()
	set.servers = slices.DeleteFunc(set.servers, func(have *server) bool { return have == s })
	set.mu.Unlock()
	set.revision.Add(1)
	s.end(errRemoved)
	<-s.done // a start that is under way is broken off
	s.close(ctx)
}

// Close ends all servers, side by side, and returns when nothing of them is left. They
// get a moment to end by themselves, but not beyond the end of the context.
func (set *Set) Close(ctx context.Context) {
	set.end(errSession)
	set.starts.Wait()
	var all sync.WaitGroup
	for _, s := range set.all() {
		all.Go(func() { s.close(ctx) })
	}
	all.Wait()
}
