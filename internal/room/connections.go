package room

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Connections limits those of a web server. It has two rooms, so that clients without a sign-in
// never take what belongs to people, nor the other way round.
type Connections struct {
	// Log is told when one is closed for another, at most once a minute for each room, and Closed of
	// each; nil means nobody.
	Log    *slog.Logger
	Closed func(Kind)

	silent, busy *Room[*connection]
	told         map[Kind]*Tally

	mu   sync.Mutex
	open map[net.Conn]*connection
}

// Kind is what somebody had too many of.
type Kind string

const (
	// Silent are connections on which no person asks for anything: those that have not said
	// anything yet, that wait for the next request, and those whose request has no sign-in. They are
	// shared by the addresses from which they come.
	Silent Kind = "silent"
	// Requests are connections on which a request of a person is under way. They are shared by
	// people.
	Requests Kind = "requests"
	// Streams are requests of a person who follows what happens.
	Streams Kind = "streams"
)

// Kinds are all of them.
var Kinds = []Kind{Silent, Requests, Streams}

// Told is how often the log is told that something was closed for another, at most.
const Told = time.Minute

// connection is one that is open. Only its own goroutine changes it, and the one that accepts it.
type connection struct {
	net.Conn
	of    *Connections
	from  string
	place *Place[*connection]
}

type connectionKey struct{}

// NewConnections makes the rooms: for so many silent connections, and requests of people.
func NewConnections(silent, requests int) *Connections {
	return &Connections{
		silent: New[*connection](silent), busy: New[*connection](requests),
		told: map[Kind]*Tally{Silent: {}, Requests: {}}, open: map[net.Conn]*connection{},
	}
}

// Limit makes the connections of a server take places. One connection must be one request at a
// time, so there is no HTTP/2.
func (c *Connections) Limit(web *http.Server) {
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	web.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		one := &connection{Conn: conn, of: c, from: Network(conn.RemoteAddr().String())}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[conn] = one
		return context.WithValue(ctx, connectionKey{}, one)
	}
	web.ConnState = c.changed
}

// Known says that the request of a context is that of a person.
func Known(ctx context.Context, who string) {
	if one, ok := ctx.Value(connectionKey{}).(*connection); ok && one.place.Leave() {
		one.enter(one.of.busy, Requests, who)
	}
}

// changed is told what becomes of a connection. One on which a request has begun or ended is
// younger than those on which nothing has happened.
func (c *Connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	one := c.open[conn]
	if state == http.StateClosed || state == http.StateHijacked {
		delete(c.open, conn)
	}
	c.mu.Unlock()
	switch {
	case one == nil:
	case state == http.StateNew:
		one.enter(c.silent, Silent, one.from)
	case one.place.Leave() && (state == http.StateActive || state == http.StateIdle):
		one.enter(c.silent, Silent, one.from)
	}
}

// enter takes a place, for which another connection may have to go.
func (one *connection) enter(room *Room[*connection], kind Kind, who string) {
	mine, gone := room.Enter(who, one)
	if one.place = mine; gone == nil {
		return
	}
	gone.What.cut() // its server notices
	c := one.of
	if c.Closed != nil {
		c.Closed(kind)
	}
	if n := c.told[kind].Count(time.Now(), Told); n > 0 && c.Log != nil {
		c.Log.Warn("connections were closed to make room for new ones", "kind", string(kind), "most", room.most, "last", gone.Who, "closed", n)
	}
}

// cut closes the connection without a word: TLS would wait for a client that does not read.
func (one *connection) cut() {
	conn := one.Conn
	if sealed, ok := conn.(*tls.Conn); ok {
		conn = sealed.NetConn()
	}
	_ = conn.Close()
}
