package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// protocol is the version we start with; servers may answer with an older one. The next
// one begins with a request that older servers do not know, and some never answer what
// they do not know.
const protocol = "2025-11-25"

// connection is one conversation with a server, from its start to its end.
type connection struct {
	link    link
	session *sdk.ClientSession

	life context.Context // ends with the conversation
	end  context.CancelFunc
	// closing ends when we end the conversation. When the server does, a call that it has
	// answered before has its answer, and the others fail by themselves.
	closing  context.Context
	shut     context.CancelFunc
	hurry    context.CancelFunc // makes the end come at once
	patience context.Context

	over  chan struct{} // closed when nothing of it is left
	last  ending        // to be read after over
	fault error
	gone  bool // over is closed or about to be; guarded by the mutex of the server
}

// dial makes a connection. When it fails, nothing is left of it.
func (s *server) dial(ctx context.Context) (*connection, error) {
	link := s.newLink()
	detach := context.AfterFunc(ctx, link.cut)
	session, err := s.client.Connect(ctx, link, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	if !detach() && err == nil {
		err = ctx.Err()
		_ = session.Close()
	}
	if err != nil {
		link.cut()
		return nil, s.explain(ctx, link, err, link.finish(ctx))
	}
	c := &connection{link: link, session: session, over: make(chan struct{})}
	c.life, c.end = context.WithCancel(context.Background())
	c.closing, c.shut = context.WithCancel(context.Background())
	c.patience, c.hurry = context.WithCancel(context.Background())
	go c.watch(s)
	return c, nil
}

// watch waits for the end and cleans up.
func (c *connection) watch(s *server) {
	defer close(c.over)
	c.fault = c.session.Wait()
	if c.life.Err() == nil { // nobody has closed it: the server is dying, or of no use
		defer time.AfterFunc(dyingTime, c.hurry).Stop()
	}
	c.end()
	c.last = c.link.finish(c.patience)
	c.hurry()
	s.lost(c)
}

// close ends the connection: in peace as long as that takes no time, then by force.
func (c *connection) close(ctx context.Context) ending {
	c.end()
	c.shut() // calls and questions that are under way
	peace, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	defer context.AfterFunc(peace, c.link.cut)()
	defer context.AfterFunc(ctx, c.hurry)()
	_ = c.session.Close()
	<-c.over
	return c.last
}

// isEnd reports whether an error means that the connection has ended, or is about to.
func isEnd(err error) bool {
	for _, end := range []error{io.EOF, io.ErrClosedPipe, errBroken, sdk.ErrConnectionClosed, sdk.ErrSessionMissing} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// awaitEnd waits for the end that an error has announced, and reports whether it came.
func (c *connection) awaitEnd(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*dyingTime)
	defer cancel()
	select {
	case <-c.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// obituary says why a connection is no more.
func (c *connection) obituary() string {
	switch {
	case c.fault != nil && !errors.Is(c.fault, io.EOF):
		return ending{"the connection has ended: " + plain(c.fault.Error()), c.last.words}.String()
	case c.last != ending{}:
		return "it has ended: " + c.last.String()
	}
	return "the connection has ended"
}

// explain says why a server cannot be used.
func (s *server) explain(ctx context.Context, l link, err error, end ending) error {
	f := &failure{state: Failed}
	remote, isRemote := l.(*remote)
	switch {
	case isRemote && remote.denied.Load():
		f.state = NeedsAuth
		f.reason = "the server wants somebody to log in (HTTP 401); put an Authorization header into its configuration"
	case s.life.Err() != nil || errors.Is(ctx.Err(), context.Canceled):
		f.reason = "its start was broken off"
	case ctx.Err() != nil:
		f.reason = ending{fmt.Sprintf("it did not answer within %s (MCP_TIMEOUT sets the limit)", s.options.Start), end.words}.String()
	case isEnd(err) && !errors.Is(err, errBroken) && end.how != "":
		f.reason = ending{"it has ended: " + end.how, end.words}.String()
	default:
		f.reason = ending{plain(err.Error()), end.words}.String()
	}
	return f
}
