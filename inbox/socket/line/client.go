package line

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// ErrNoServer is the error when no server listens.
var ErrNoServer = errors.New("no server listens")

// ErrGone is the error when a server went away while a call waited there, and did not come
// back.
var ErrGone = errors.New("the server of the inbox has gone while the call waited there for an answer (start `assent serve` again, then try this call again)")

// slack is how long an answer may be under way beyond the time that its asker waits.
const slack = time.Second

const (
	// comeBack is how long a server that has gone may take to come back. Whoever waits
	// finds the ticket again, because a call that is held keeps it.
	comeBack = 3 * time.Second
	again    = 50 * time.Millisecond
)

// errGone: the server went away before it had answered.
var errGone = errors.New("it went away before it had answered")

// Ask puts a call to the server of a state directory and waits for the answer. A server
// that goes away meanwhile may come back for a moment; a call is never allowed by that.
// When the context ends nobody waits any more, and the call stays in the inbox.
func Ask(ctx context.Context, dir string, h Hold) (Reply, error) {
	until := time.Now().Add(time.Duration(h.WaitMS)*time.Millisecond + slack)
	reply, err := askOnce(ctx, dir, h, until)
	if !errors.Is(err, errGone) {
		return reply, err
	}
	limit := time.Now().Add(comeBack)
	if until.Before(limit) {
		limit = until
	}
	for errors.Is(err, errGone) || errors.Is(err, ErrNoServer) {
		if !time.Now().Before(limit) {
			return Reply{}, ErrGone
		}
		if time.Sleep(again); ctx.Err() != nil {
			return Reply{}, ctx.Err()
		}
		reply, err = askOnce(ctx, dir, h, until)
	}
	return reply, err
}

// askOnce asks over one connection.
func askOnce(ctx context.Context, dir string, h Hold, until time.Time) (Reply, error) {
	c, err := connect(dir)
	if err != nil {
		return Reply{}, err
	}
	defer c.close()
	defer context.AfterFunc(ctx, c.hangUp)()
	if left := time.Until(until) - slack; left < time.Duration(h.WaitMS)*time.Millisecond {
		h.WaitMS = max(0, left.Milliseconds())
	}
	text, err := Request(h)
	if err != nil {
		return Reply{}, err
	}
	if err := c.write(text, until); err != nil {
		return Reply{}, err
	}
	answer, err := c.line(until)
	switch {
	case ctx.Err() != nil: // also if something has come at the last moment
		return Reply{}, ctx.Err()
	case err != nil:
		return Reply{}, err
	}
	return ReadReply(answer)
}

// line reads one line and nothing behind it.
func (c *connection) line(until time.Time) ([]byte, error) {
	var all []byte
	part := make([]byte, 4<<10)
	for {
		n, err := c.read(part, until)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, errGone // also in the middle of an answer
		}
		all = append(all, part[:n]...)
		if end := bytes.IndexByte(all, '\n'); end >= 0 {
			if end != len(all)-1 {
				return nil, errors.New("the answer of the inbox is more than one line")
			}
			return all[:end], nil
		}
		if len(all) > MaxReply {
			return nil, errors.New("the answer of the inbox is too long")
		}
	}
}
