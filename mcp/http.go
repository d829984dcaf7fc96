package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const maxRedirects = 5

// remote is the link to a server behind a URL.
type remote struct {
	config   Server
	life     context.Context
	stop     context.CancelFunc
	requests *http.Transport
	// denied: the server has answered that somebody must log in.
	denied atomic.Bool
}

func newRemote(config Server) *remote {
	life, cut := context.WithCancel(context.Background())
	requests := http.DefaultTransport.(*http.Transport).Clone()
	requests.MaxResponseHeaderBytes = 256 << 10
	return &remote{config: config, life: life, stop: cut, requests: requests}
}

// Connect is the official client's, over requests that this link controls. The query of
// the URL, which may hold a key, is not for its errors.
func (r *remote) Connect(ctx context.Context) (sdk.Connection, error) {
	transport := &sdk.StreamableClientTransport{
		Endpoint:     r.config.withoutSecrets().URL,
		HTTPClient:   &http.Client{Transport: r, CheckRedirect: sameOrigin},
		MaxEventSize: maxMessage,
	}
	return transport.Connect(ctx)
}

func (r *remote) cut() { r.stop() }

func (r *remote) finish(context.Context) ending {
	r.cut()
	r.requests.CloseIdleConnections()
	return ending{}
}

// sameOrigin: another host must get neither the arguments nor the headers.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Scheme != first.Scheme || next.URL.Host != first.Host {
		return fmt.Errorf("the server sends us on to %s://%s, which is refused; configure that URL if it is right", next.URL.Scheme, next.URL.Host)
	}
	if len(via) > maxRedirects {
		return errors.New("the server sends us on too often")
	}
	return nil
}

// RoundTrip sends a request with the configured headers. It ends when the link is cut,
// and its answer has a limit.
func (r *remote) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	detach := context.AfterFunc(r.life, cancel)
	free := func() { detach(); cancel() }
	request = request.Clone(ctx)
	place, query, _ := strings.Cut(r.config.URL, "?")
	if u, err := url.Parse(place); err == nil && request.URL.String() == u.String() {
		request.URL.RawQuery = query
	}
	for _, h := range r.config.Headers {
		if request.Header.Get(h.Name) == "" { // those of the protocol stay
			request.Header.Set(h.Name, h.Value)
		}
	}
	response, err := r.requests.RoundTrip(request)
	if err != nil {
		free()
		return nil, err
	}
	if response.StatusCode == http.StatusUnauthorized {
		r.denied.Store(true)
	}
	left := int64(maxMessage)
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/event-stream" {
		left = -1 // it may go on for hours; each of its events has a limit
	}
	response.Body = &body{ReadCloser: response.Body, left: left, free: free}
	return response, nil
}

// body is an answer with a limit; -1 means none.
type body struct {
	io.ReadCloser
	left int64
	free func()
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, fmt.Errorf("the answer has more than %d bytes", maxMessage)
	}
	if b.left > 0 && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.free()
	return err
}
