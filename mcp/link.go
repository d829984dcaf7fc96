package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// link is the way to one server, for one connection.
type link interface {
	sdk.Transport
	// cut ends the connection at once: whatever waits for the server returns. It may be
	// called more than once.
	cut()
	// finish frees everything that the link holds and says how the server ended. Until the
	// context ends the server may end by itself.
	finish(ctx context.Context) ending
}

// ending is what is known of the end of a server; both may be "".
type ending struct {
	how   string // "exit status 1"
	words string // the last it has written to stderr
}

// String is for a person.
func (e ending) String() string {
	if e.words == "" {
		return e.how
	}
	return strings.TrimPrefix(e.how+"; its last words: "+e.words, "; ")
}

// newLink is a fresh way to a server.
func (s *server) newLink() link {
	switch s.config.Kind {
	case Stdio:
		return newProgram(s.config, s.options)
	case HTTP:
		return newRemote(s.config)
	case SDK:
		return newInHost(s.config.Name, s.options.Host)
	}
	panic("mcp: a kind of server without a link")
}
