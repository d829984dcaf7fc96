package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/internal/strictjson"
)

// proofPatience is how long a server may take to prove itself.
const proofPatience = 10 * time.Second

// dial opens connections.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// proved is a dial after which the other end of every connection has shown, on that connection,
// that it knows the token. Whoever has taken the port of a server that is down is never sent it.
func (c *Client) proved(open dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := open(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if err := c.askProof(conn); err != nil {
			_ = conn.Close() // there is nothing more to say to it
			return nil, err
		}
		return conn, nil
	}
}

// askProof lets the other end of a connection prove itself, and leaves the connection as it was.
func (c *Client) askProof(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(proofPatience)); err != nil {
		return err
	}
	digest := proof.Digest(c.token)
	question := proof.Ask(digest)
	answer, err := c.exchange(conn, question)
	if err != nil {
		return err
	}
	if !answer.Proves(question, digest, c.base.Host) {
		return c.unproved()
	}
	return conn.SetDeadline(time.Time{})
}

func (c *Client) exchange(conn net.Conn, question proof.Question) (answer proof.Answer, err error) {
	text, err := strictjson.Marshal(question)
	if err != nil {
		return answer, err
	}
	r, err := http.NewRequest(http.MethodPost, c.base.String()+proof.At, bytes.NewReader(text))
	if err != nil {
		return answer, err
	}
	r.Header.Set("Content-Type", "application/json")
	if err := r.Write(conn); err != nil {
		return answer, err
	}
	const most = 64 << 10 // of an answer of a stranger
	in := bufio.NewReader(io.LimitReader(conn, most))
	resp, err := http.ReadResponse(in, r)
	if err != nil {
		return answer, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusInternalServerError {
		return answer, readError(resp)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer, err
	}
	if resp.StatusCode != http.StatusOK || strictjson.Unmarshal(data, &answer) != nil {
		return answer, c.unproved()
	}
	if resp.Close || in.Buffered() > 0 {
		return answer, errors.New("it does not keep the connection on which it has proved itself")
	}
	return answer, nil
}

// unproved is the error for somebody who does not know the token. It is what a server says that
// has another one, because it cannot be told from one that has none.
func (c *Client) unproved() error {
	return &Error{Status: http.StatusUnauthorized, Code: Forbidden, Message: fmt.Sprintf("what answers at %s does not prove that it knows the token, so the token was not sent "+
		"(the server has another token since it was started anew, or the token has ended; if it should be the right one, look whether another program has taken the port)", c.base)}
}

// provesItself: the token goes to this machine without TLS, where nothing else says who is asked.
func (c *Client) provesItself() bool { return c.base.Scheme == "http" && loopback(c.base.Hostname()) }

// proving is a transport whose connections are proved. One that is no [*http.Transport] makes its
// connections in its own way, and is left alone.
func (c *Client) proving(t http.RoundTripper) http.RoundTripper {
	if t == nil {
		t = http.DefaultTransport
	}
	usual, ok := t.(*http.Transport)
	if !ok {
		return t
	}
	own := usual.Clone()
	open := own.DialContext
	if open == nil {
		open = (&net.Dialer{}).DialContext
	}
	own.DialContext = c.proved(open)
	return own
}
