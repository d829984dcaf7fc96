package inbox

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxConnections is how many connections there are at once. Files that are open are few, and
// the guards of other agents need some of them.
const maxConnections = 2048

// connections counts those that are open, so that one program that opens many does not keep
// everybody else away.
type connections struct {
	log  *slog.Logger
	mu   sync.Mutex
	open map[net.Conn]http.ConnState
	// refused are those for which there was no room.
	refused strangers
}

// changed is told what becomes of a connection. Where there are too many, one on which
// nothing happens makes room, or else the new one goes, which the log is told now and then.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	if c.note(conn, state) != conn {
		return
	}
	if n := c.refused.count(time.Now()); n > 0 {
		c.log.Warn("new connections were closed, because too many are open", "most", maxConnections, "last", conn.RemoteAddr().String(), "connections", n)
	}
}

// note keeps what has become of a connection, and returns the one that was closed for it, if
// any.
func (c *connections) note(conn net.Conn, state http.ConnState) (closed net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
		return nil
	case http.StateNew, http.StateActive, http.StateIdle:
	}
	if c.open == nil {
		c.open = map[net.Conn]http.ConnState{}
	}
	if state == http.StateNew && len(c.open) >= maxConnections {
		closed = c.leastUsed(conn)
		_ = closed.Close() // the server notices, and says so here
	}
	c.open[conn] = state
	return closed
}

// leastUsed is a connection that nobody uses at the moment, or else the new one.
func (c *connections) leastUsed(new net.Conn) net.Conn {
	for conn, state := range c.open {
		if state == http.StateIdle {
			return conn
		}
	}
	return new
}
