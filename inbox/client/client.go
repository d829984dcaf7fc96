package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Client asks one server. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
}

// Trust says over which ways the token may be sent.
type Trust uint8

// The ways. The zero value is for everybody who has not thought about it.
const (
	LoopbackOrTLS Trust = iota
	AnyNetwork          // whoever is on the way can read the token and answer calls
)

// Options are for special needs.
type Options struct {
	Trust Trust
	// Transport is what requests are made with, for instance with certificates of one's
	// own; nil means the usual. Without TLS it must be an [*http.Transport] if the server is to
	// prove on every connection that it knows the token.
	Transport http.RoundTripper
}

// New makes a client of the server at an address like http://127.0.0.1:8722.
func New(address, token string) (*Client, error) { return NewWith(address, token, Options{}) }

// NewWith is [New] with options.
func NewWith(address, token string, o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server (want one like http://127.0.0.1:8722)", address)
	}
	if base.User != nil || base.Path != "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("the address of the server is more than scheme, host and port (want one like %s://%s)", base.Scheme, base.Host)
	}
	if base.Scheme == "http" && o.Trust != AnyNetwork && !loopback(base.Hostname()) {
		return nil, fmt.Errorf("the token is not sent to %s without TLS: others could read it and answer calls (use https)", base.Host)
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the token is missing, or is none")
	}
	c := &Client{base: base, token: token, http: &http.Client{
		Transport:     o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token goes nowhere else
	}}
	if c.provesItself() {
		c.http.Transport = c.proving(o.Transport)
	}
	return c, nil
}

// loopback: the name is always that of this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// maxAnswer is how large an answer may be.
const maxAnswer = 32 << 20

// do makes a request and reads its answer.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body, into any) error {
	resp, err := c.send(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return c.unreachable(err)
	}
	if err := strictjson.UnmarshalLimit(data, into, maxAnswer); err != nil {
		return fmt.Errorf("the answer of %s cannot be read: %w", c.base, err)
	}
	return nil
}

// send makes a request. What the server refuses is an [*Error].
func (c *Client) send(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	target := *c.base
	target.Path, target.RawQuery = path, query.Encode()
	var text []byte
	if body != nil {
		var err error
		if text, err = strictjson.Marshal(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, readError(resp)
	}
	return resp, nil
}

// unreachable is the error for a server that does not answer.
func (c *Client) unreachable(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address, which the sentence names
	}
	if refused, ok := errors.AsType[*Error](err); ok { // before the token was sent
		return refused
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" {
		return fmt.Errorf("the server at %s does not answer: %w (is `assent serve` running?)", c.base, err)
	}
	return fmt.Errorf("the server at %s does not answer: %w", c.base, err)
}
