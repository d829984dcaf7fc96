// Package remote is what the providers that ask a server have in common: a client
// that follows no redirects, answers that end, and errors in the words of package
// model.
package remote

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/assent-dev/assent/model"
)

// The limits of an answer. A long one of an honest model has half a megabyte of
// content; a server that sends more than this is broken or means harm.
const (
	MaxContent = 16 << 20 // bytes of text and tool input in one turn
	MaxBlocks  = 1000     // blocks of one turn
	maxLine    = 20 << 20 // bytes of a whole answer in one line
	maxEvent   = 8 << 20  // bytes of one line of a stream; a piece of an answer is small, and is copied a few times
	maxBody    = 64 << 20 // bytes of the whole stream, with all that is written around content
	maxFault   = 64 << 10 // bytes of an answer that says what went wrong
)

// Silence is how long a server may send nothing. Models that think, and local ones
// that are loaded first, are quiet for minutes.
const Silence = 10 * time.Minute

// ErrTooLarge is the error of a body that is larger than it may be.
var ErrTooLarge = errors.New("the answer is too large")

// ErrSilent is the error of a server that sends nothing.
var ErrSilent = errors.New("the server has sent nothing for " + Silence.String())

// errRedirect: a request carries a key, and an address that a server names has no
// claim to it.
var errRedirect = errors.New("the server sends requests elsewhere")

// Client sends requests through another client; nil means one with the defaults of
// Go. Its answers are limited in size and in silence.
func Client(c *http.Client) *http.Client {
	if c == nil {
		c = &http.Client{}
	}
	limited := *c
	transport := c.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	limited.Transport = guarded{transport}
	limited.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		return fmt.Errorf("%w, to %s", errRedirect, r.URL.Redacted())
	}
	return &limited
}

type guarded struct{ next http.RoundTripper }

func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	watch := time.AfterFunc(Silence, func() { cancel(ErrSilent) })
	end := func() {
		watch.Stop()
		cancel(nil)
	}
	res, err := g.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		err = because(ctx, err)
		end()
		return nil, err
	}
	limit := maxBody
	if res.StatusCode >= 300 {
		limit = maxFault
	}
	longest := maxLine
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err == nil && kind == "text/event-stream" {
		longest = maxEvent
	}
	res.Body = &body{ReadCloser: res.Body, ctx: ctx, watch: watch, end: end, left: limit, longest: longest, status: res.StatusCode}
	return res, nil
}

// because prefers the reason for which a request was ended to the way it ended.
func because(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), ErrSilent) {
		return ErrSilent
	}
	return err
}

// Explain makes the error of a request one of package model, or that of the context.
// It is for those that are not about a status.
func Explain(ctx context.Context, server string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := &model.Error{Kind: model.Unreachable, Err: err, Hint: "check the network and the base URL"}
	var dial *net.OpError
	var where *url.Error
	switch {
	case errors.Is(err, ErrTooLarge):
		e.Kind, e.Hint = model.Nonsense, ""
		e.Text = "the model's answer is too large to be one"
	case errors.Is(err, errRedirect):
		e.Kind, e.Hint = model.BadRequest, "set the base URL to where the server really is"
		e.Text = "the model's server at " + server + " redirects requests, and the key is not sent elsewhere"
	case errors.Is(err, ErrSilent):
		e.Hint = "try again in a while"
		e.Text = "the model's server at " + server + " has sent nothing for " + Silence.String()
	case errors.As(err, &dial) && dial.Op == "dial":
		e.Text = fmt.Sprintf("the model's server at %s cannot be reached: %v", server, dial.Err)
	case errors.As(err, &where):
		e.Text = fmt.Sprintf("the model's server at %s cannot be reached: %v", server, where.Err)
	default:
		e.Text = fmt.Sprintf("the connection to the model's server at %s broke: %v", server, err)
	}
	e.Text = model.OneLine(e.Text)
	return e
}

// BrokenOff is the error of a stream that ends before the turn does.
func BrokenOff(server string) *model.Error {
	return &model.Error{
		Kind: model.Unreachable, Text: "the model's server at " + server + " ended its answer in the middle",
		Hint: "try again in a while",
	}
}

// Garbage is the error of an answer that is not what the protocol says.
func Garbage(server string, err error) *model.Error {
	return &model.Error{
		Kind: model.Nonsense, Err: err,
		Text: model.OneLine(fmt.Sprintf("the answer of the model's server at %s cannot be understood: %v", server, err)),
		Hint: "check that the base URL is that of a model's server",
	}
}

// RetryAfter is how long a server asks to wait, in milliseconds.
func RetryAfter(h http.Header, now time.Time) int {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms)
	}
	asked := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(asked, 64); err == nil {
		return bounded(s * 1000)
	}
	if at, err := http.ParseTime(asked); err == nil {
		return bounded(float64(at.Sub(now).Milliseconds()))
	}
	return 0
}

// bounded keeps what a server says inside of a day, so that no number is too large.
func bounded(ms float64) int {
	if ms != ms { // not a number
		return 0
	}
	return int(min(max(ms, 0), float64((24 * time.Hour).Milliseconds())))
}

// Host is the part of a base URL that a person may see: no password, no query.
func Host(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the base URL"
	}
	return u.Host
}
