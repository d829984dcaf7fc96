package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"

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
	// Progress hears of calls that are under way. It must not wait for anything. Nil
	// means that nobody does.
	Progress func(Progress)
	// Version is ours, for servers to see.
	Version string
}

// Set is a number of servers. It is safe for concurrent use.
type Set struct {
	servers []*server
	end     context.CancelFunc
	starts  sync.WaitGroup
}

// Open starts to connect to all servers at once and returns; [Set.Wait] waits for them.
// The end of the context breaks off what is not connected by then, nothing else. Of two
// servers with one name the first counts.
func Open(ctx context.Context, servers []Server, options Options) *Set {
	options.Limits = options.orDefaults()
	life, end := context.WithCancel(context.Background())
	set := &Set{end: end}
	for _, config := range servers {
		if set.server(config.Name) != nil {
			continue
		}
		s := newServer(life, config, options)
		set.servers = append(set.servers, s)
		set.starts.Go(func() { s.start(ctx) })
	}
	return set
}

func (set *Set) server(name string) *server {
	for _, s := range set.servers {
		if s.config.Name == name {
			return s
		}
	}
	return nil
}

// Wait waits until each server is connected or has failed, or the context ends. Servers
// that are late are pending and turn up by themselves.
func (set *Set) Wait(ctx context.Context) {
	for _, s := range set.servers {
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
	for _, s := range set.servers {
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
	for _, s := range set.servers {
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
	all := make([]Status, len(set.servers))
	for i, s := range set.servers {
		all[i] = s.status()
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

// Close ends all servers, side by side, and returns when nothing of them is left. They
// get a moment to end by themselves, but not beyond the end of the context.
func (set *Set) Close(ctx context.Context) {
	set.end()
	set.starts.Wait()
	var all sync.WaitGroup
	for _, s := range set.servers {
		all.Go(func() { s.close(ctx) })
	}
	all.Wait()
}
