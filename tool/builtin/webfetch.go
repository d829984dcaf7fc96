package builtin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// The limits of a fetch.
const (
	fetchTime     = 30 * time.Second
	mostPage      = 10 << 20 // bytes, decompressed
	mostPageText  = 100_000  // characters for the model
	mostRedirects = 10
	mostURL       = 8 << 10
)

// webFetchTool fetches a page. What comes back is text for the model to read, marked
// as what it is: somebody else's words.
type webFetchTool struct {
	base
	client   *http.Client
	resolver *net.Resolver // nil means the system's
	timeout  time.Duration
}

func newWebFetch(o Options) *webFetchTool {
	return &webFetchTool{base: newBase("WebFetch"), client: o.HTTP, timeout: fetchTime}
}

func (*webFetchTool) Order(*permission.Call) tool.Order { return tool.Beside }

func (t *webFetchTool) Run(parent context.Context, job tool.Job) tool.Result {
	began := time.Now()
	in := arguments(job.Call.Input)
	start, err := fetchURL(in.text("url"))
	if err != nil {
		return tool.Fail(err.Error())
	}
	ctx, cancel := context.WithTimeoutCause(parent, t.timeout, errSlow)
	defer cancel()
	page, err := t.fetch(ctx, start)
	switch {
	case parent.Err() != nil:
		return tool.Result{Text: "The fetch was interrupted.", Outcome: tool.Interrupted}
	case err != nil:
		if ctx.Err() != nil {
			err = fmt.Errorf("%w %v", errSlow, t.timeout)
		}
		return tool.Fail(shownURL(start) + " was not fetched: " + plainFetchError(err))
	}
	return page.result(in.text("prompt"), time.Since(began))
}

var errSlow = errors.New("the page was not there within")

// fetchURL reads a URL and makes it one that may be fetched.
func fetchURL(text string) (*url.URL, error) {
	if len(text) > mostURL {
		return nil, fmt.Errorf("the URL has more than %d characters", mostURL)
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the URL cannot be read: %w", err)
	}
	return u, prepareURL(u)
}

func prepareURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("only http and https are fetched, not %q", u.Scheme)
	case u.Hostname() == "":
		return errors.New("the URL names no host")
	case u.User != nil:
		return errors.New("the URL holds a user name or password, which are never sent")
	}
	u.Fragment, u.RawFragment = "", ""
	host := newNamedHost(u.Hostname())
	if host.literal.IsValid() {
		if err := host.check(host.literal); err != nil {
			return err
		}
	}
	if u.Scheme == "http" && !host.plainHTTP() {
		u.Scheme = "https"
		u.Host = strings.TrimSuffix(u.Host, ":80")
	}
	return nil
}

// fetch gets a page. A redirect is followed as long as it stays on the host and its
// port: that is what the rules were asked about, and behind another port is somebody
// else's server.
func (t *webFetchTool) fetch(ctx context.Context, u *url.URL) (*webPage, error) {
	transport := t.transport(newNamedHost(u.Hostname()))
	for range mostRedirects + 1 {
		response, err := get(ctx, transport, u)
		if err != nil {
			return nil, err
		}
		location := response.Header.Get("Location")
		if !redirects(response.StatusCode) || location == "" {
			defer response.Body.Close()
			return readPage(response, u)
		}
		response.Body.Close()
		next, err := u.Parse(location)
		if err != nil {
			return nil, fmt.Errorf("it redirects to something that is no URL: %w", err)
		}
		if err := prepareURL(next); err != nil {
			return nil, fmt.Errorf("it redirects, and %w", err)
		}
		if what := elsewhere(u, next); what != "" {
			return movedPage(response, u, next, what), nil
		}
		u = next
	}
	return nil, fmt.Errorf("it redirects more than %d times", mostRedirects)
}

// elsewhere names what of a place is another one; "" when it is the same place.
func elsewhere(from, to *url.URL) string {
	switch {
	case newNamedHost(from.Hostname()).name != newNamedHost(to.Hostname()).name:
		return "host"
	case portOf(from) != portOf(to):
		return "port"
	}
	return ""
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}

func redirects(code int) bool {
	switch code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// transport is the way to a host. A whole client would follow redirects and keep
// cookies.
func (t *webFetchTool) transport(host namedHost) http.RoundTripper {
	switch {
	case t.client == nil:
		return host.transport(t.resolver)
	case t.client.Transport == nil:
		return http.DefaultTransport
	}
	return t.client.Transport
}

func get(ctx context.Context, transport http.RoundTripper, u *url.URL) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "assent")
	request.Header.Set("Accept", "text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1")
	return transport.RoundTrip(request)
}

// plainFetchError leaves out what the packages in between say of their own accord.
func plainFetchError(err error) string {
	if refused, ok := errors.AsType[*addressError](err); ok {
		return foreign(refused.Error(), mostForeign)
	}
	return foreign(err.Error(), mostForeign)
}
