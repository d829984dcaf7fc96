package hook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// HTTP is a hook that is an endpoint: the input is posted to it as JSON, the body of a
// 2xx answer is its output: a JSON object, or nothing. Nothing must be said: by a length
// of 0 or by status 204, since an endpoint that crashed may look the same otherwise.
// Every call has a connection of its own. Plain http goes to this machine only, whatever
// a name server says; a redirect is not followed, since the input would go where nobody
// meant to send it.
//
// When the hooks of the session share values, the input has them in the key "state",
// and an object in the key "state" of the answer changes them: null deletes one.
type HTTP struct {
	URL string
	// Headers are sent with the input. $NAME and ${NAME} in a value stand for an
	// environment variable that AllowedEnvVars lists.
	Headers        map[string]string
	AllowedEnvVars []string

	// roots are the authorities to trust in a test; nil means those of the system.
	roots *x509.CertPool
}

// NewHTTP is the hook at an address.
func NewHTTP(address string, headers map[string]string, allowedEnvVars ...string) (HTTP, error) {
	h := HTTP{URL: address, Headers: maps.Clone(headers), AllowedEnvVars: slices.Clone(allowedEnvVars)}
	_, err := h.check()
	return h, err
}

// check returns the parsed address.
func (h HTTP) check() (*url.URL, error) {
	if strings.TrimSpace(h.URL) == "" {
		return nil, errors.New(`the address is empty: put it into "url"`)
	}
	u, err := url.Parse(h.URL)
	switch {
	case err != nil:
		return nil, errors.New("the address cannot be read: write it as https://host/path")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("the address must start with https:// (or http:// on this machine)")
	case u.Hostname() == "":
		return nil, errors.New("the address has no host: write it as https://host/path")
	case u.User != nil:
		return nil, errors.New("the address holds a user or password: put an Authorization header into \"headers\" instead")
	case u.Scheme == "http" && !namesLoopback(u.Hostname()):
		return nil, fmt.Errorf("http to %s could be read and answered by anybody on the way: use https", oneLine(u.Host))
	}
	u.Fragment = ""
	return u, h.checkHeaders()
}

// namesLoopback reports whether a host is this machine by its spelling.
func namesLoopback(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

func (h HTTP) checkHeaders() error {
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		value := h.Headers[name]
		if !isToken(name) {
			return fmt.Errorf("header %q: that is no name for a header", name)
		}
		switch http.CanonicalHeaderKey(name) {
		case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Upgrade", "Te", "Keep-Alive", "Proxy-Connection":
			return fmt.Errorf("header %s is part of the connection and cannot be set: remove it", name)
		}
		if strings.ContainsFunc(value, isControl) {
			return fmt.Errorf("header %s: the value contains a control character, such as the end of a line: remove it", name)
		}
		for _, variable := range variables(value) {
			if !slices.Contains(h.AllowedEnvVars, variable) {
				return fmt.Errorf(`header %s uses the environment variable %s: list it in "allowedEnvVars" to send it`, name, variable)
			}
		}
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// isToken is for names of headers (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// Name is the address without its query, which may hold a secret.
func (h HTTP) Name() string {
	address, _, _ := strings.Cut(h.URL, "?")
	if u, err := url.Parse(address); err == nil {
		address = u.Redacted()
	}
	return oneLine("http " + address)
}

// Key is equal for the same address with the same headers.
func (h HTTP) Key() string {
	parts := []string{"http", h.URL}
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		parts = append(parts, name, h.Headers[name])
	}
	return strings.Join(parts, "\x00")
}

// Handle posts the input and waits for the answer.
func (h HTTP) Handle(ctx context.Context, call Invocation) Reply {
	u, err := h.check()
	if err != nil {
		return failed(CannotStart, err.Error())
	}
	if ctx.Err() != nil {
		return Reply{Failure: contextEnded(ctx)}
	}
	body, err := withState(call.JSON, call.State)
	if err != nil {
		return failed(ReturnedError, err.Error())
	}
	headers, err := h.header()
	if err != nil {
		return failed(CannotStart, err.Error())
	}
	text, failure := h.post(ctx, u, headers, body)
	if failure != nil {
		return Reply{Failure: failure}
	}
	if ctx.Err() != nil {
		return Reply{Failure: contextEnded(ctx)} // too late to change anything
	}
	if text, err = takeState(text, call); err != nil {
		return failed(ReturnedError, err.Error())
	}
	return Reply{Text: text, JSONOnly: true}
}

// header expands the environment variables.
func (h HTTP) header() (http.Header, error) {
	headers := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"assent"}}
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		for _, variable := range variables(h.Headers[name]) {
			value := os.Getenv(variable)
			if value == "" {
				return nil, fmt.Errorf("the environment variable %s, which header %s needs, is not set", variable, name)
			}
			if strings.ContainsFunc(value, isControl) {
				return nil, fmt.Errorf("the environment variable %s, which header %s needs, contains a control character", variable, name)
			}
		}
		headers.Set(name, expandVariables(h.Headers[name], os.Getenv))
	}
	return headers, nil
}

// post sends the request and reads the answer.
func (h HTTP) post(ctx context.Context, u *url.URL, headers http.Header, body []byte) ([]byte, *Failure) {
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &Failure{Kind: CannotStart, Text: err.Error()}
	}
	request.Header = headers
	transport := h.transport(u.Scheme)
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, broken(ctx, connected.Load(), err)
	}
	defer response.Body.Close()
	if failure := judgeStatus(response); failure != nil {
		return nil, failure
	}
	text, over, err := readLimited(response.Body, MaxOutput)
	switch {
	case err != nil:
		return nil, broken(ctx, true, err)
	case over:
		return nil, &Failure{Kind: TooMuch, Text: fmt.Sprintf("the answer has more than %d bytes", MaxOutput)}
	case len(text) == 0 && endsWithConnection(response):
		return nil, &Failure{Kind: Crashed, Text: "the connection ended after the headers, and nothing says that there was to be no more: " +
			"an endpoint without an opinion sends {}, or Content-Length: 0, or status 204"}
	}
	return text, nil
}

// endsWithConnection: nothing but the end of the connection is the end of the answer,
// and that is also how an endpoint crashes.
func endsWithConnection(response *http.Response) bool {
	return response.ProtoMajor == 1 && response.ContentLength < 0 && len(response.TransferEncoding) == 0
}

// transport is for one request, so that nothing stays behind. It follows no redirect:
// that is a matter of http.Client.
func (h HTTP) transport(scheme string) *http.Transport {
	t := &http.Transport{
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
		TLSClientConfig:        &tls.Config{RootCAs: h.roots, MinVersion: tls.VersionTLS12},
	}
	if scheme == "https" {
		t.Proxy = http.ProxyFromEnvironment
		t.DialContext = new(net.Dialer).DialContext
	} else {
		t.DialContext = (&net.Dialer{Control: onlyLoopback}).DialContext
	}
	return t
}

// onlyLoopback sees the address after the name was looked up.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil || !target.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("the name leads to %s, which is not this machine: use https", address)
	}
	return nil
}

// broken says what became of a request without an answer.
func broken(ctx context.Context, connected bool, err error) *Failure {
	switch {
	case ctx.Err() != nil:
		return contextEnded(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		// The connection knows the deadline, too, and may notice a moment earlier.
		return tookTooLong()
	case connected:
		return &Failure{Kind: Crashed, Text: "the connection broke: " + err.Error()}
	}
	return &Failure{Kind: CannotStart, Text: "no connection: " + err.Error()}
}

func judgeStatus(response *http.Response) *Failure {
	code := response.StatusCode
	status := strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
	switch {
	case 300 <= code && code < 400:
		return &Failure{Kind: BadStatus, Text: "status " + status + `: a redirect is not followed; put the final address into "url"`}
	case code < 200 || code > 299:
		return &Failure{Kind: BadStatus, Text: "status " + status + ": only 2xx is an answer"}
	}
	// An answer that cannot be read would look like one without an opinion.
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return &Failure{Kind: BadStatus, Text: "the answer is encoded as " + oneLine(encoding) + ": send it as it is, or as gzip when asked for that"}
	}
	return nil
}
