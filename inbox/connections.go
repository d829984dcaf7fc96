package inbox

import (
	"net"
	"net/http"
	"sync"
)

// maxConnections is how many connections there are at once. Files that are open are few, and
// the guards of other agents need some of them.
const maxConnections = 2048

// connections counts those that are open, so that one program that opens many does not keep
// everybody else away.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]http.ConnState
}

// changed is told what becomes of a connection. Where there are too many, one on which
// nothing happens makes room, or else the new one goes.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
		return
	case http.StateNew, http.StateActive, http.StateIdle:
	}
	if c.open == nil {
		c.open = map[net.Conn]http.ConnState{}
	}
	if state == http.StateNew && len(c.open) >= maxConnections {
		_ = c.leastUsed(conn).Close() // the server notices, and says so here
	}
	c.open[conn] = state
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
