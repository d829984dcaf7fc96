package wire

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Format is how messages are printed.
type Format uint8

// The formats.
const (
	// Plain is the text of the result only.
	Plain Format = iota + 1
	// JSON is one value at the end: the result, or with Verbose a list of all messages.
	JSON
	// StreamJSON is a line for each message, as they come.
	StreamJSON
)

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	switch name {
	case "text":
		return Plain, nil
	case "json":
		return JSON, nil
	case "stream-json":
		return StreamJSON, nil
	}
	return 0, fmt.Errorf("unknown format %q (use text, json or stream-json)", name)
}

// maxQueued is how much may wait for a slow reader. Beyond it whoever prints waits.
const maxQueued = 16 << 20

// ErrOutputGone: nobody reads what is printed any more.
var ErrOutputGone error = gone("the output cannot be written")

// Output prints what happens in a session. It is safe for concurrent use: what one
// goroutine prints comes in its order, and no line in the middle of another. A
// goroutine of its own writes, so that a slow reader holds up whoever prints only when
// a lot is waiting, and never whoever answers a host.
type Output struct {
	session string
	format  Format
	verbose bool

	mu     sync.Mutex
	queue  bytes.Buffer
	urgent int           // what of the queue did not wait for room
	room   chan struct{} // closed when there is room again, and replaced
	closed bool
	err    error
	all    []strictjson.Raw // JSON with Verbose
	last   *Result
	begun  time.Time // of the write that goes on; zero without one
	hurry  sync.Once

	written chan struct{} // closed when the writer has ended
	gone    chan struct{} // closed when writing has failed
	stuck   chan struct{} // closed when a reader was given up
	wake    chan struct{}
}

// NewOutput starts printing to w; Close ends it.
func NewOutput(w io.Writer, session string, format Format, verbose bool) *Output {
	o := &Output{
		session: session, format: format, verbose: verbose, room: make(chan struct{}),
		written: make(chan struct{}), gone: make(chan struct{}), stuck: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	go o.write(w)
	return o
}

// SetSession names the session that messages belong to from now on.
func (o *Output) SetSession(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.session = id
}

// Tell prints a message, or keeps it for the end. It waits while too much is queued.
func (o *Output) Tell(m Message) {
	o.stamp(m)
	if o.format == Plain || o.format == JSON && !o.verbose {
		return
	}
	text, err := Encode(m)
	switch {
	case err != nil:
		o.fail(err)
	case o.format == JSON:
		o.mu.Lock()
		o.all = append(o.all, text)
		o.mu.Unlock()
	default:
		_ = o.tellLine(m, text) // Close returns the error
	}
}

// tellLine prints the line of a message. A change of the mode is mostly the answer to a
// host, and must not keep anybody from reading what that says next.
func (o *Output) tellLine(m Message, text []byte) error {
	if _, ok := m.(*Status); ok {
		return o.pass(text)
	}
	return o.line(context.Background(), text)
}

// stamp says which message of which session it is, and remembers the last result.
func (o *Output) stamp(m Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := m.stamp()
	s.SessionID = o.session
	if s.UUID == "" {
		s.UUID = NewUUID()
	}
	if result, ok := m.(*Result); ok {
		o.last = result
	}
}

// Gone is closed when nobody reads any more: there is no use in going on.
func (o *Output) Gone() <-chan struct{} { return o.gone }

// Close prints what is left and waits until it is written.
func (o *Output) Close() error {
	if text, err := o.ending(); err != nil {
		o.fail(err)
	} else if text != nil {
		_ = o.line(context.Background(), text) // the error is returned below
	}
	o.mu.Lock()
	o.closed = true
	o.makeRoom()
	o.mu.Unlock()
	o.nudge()
	select {
	case <-o.written:
	case <-o.stuck: // the writer waits for somebody who does not come
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// ending is what the formats that print only at the end print. Nil means nothing.
func (o *Output) ending() ([]byte, error) {
	o.mu.Lock()
	last, all := o.last, o.all
	o.mu.Unlock()
	switch {
	case last == nil || o.format == StreamJSON:
		return nil, nil
	case o.format == JSON && o.verbose:
		return strictjson.Marshal(all)
	case o.format == JSON:
		return Encode(last)
	case last.Text == "":
		return nil, nil
	}
	return []byte(last.Text), nil
}

// NewUUID makes an id for a message.
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
