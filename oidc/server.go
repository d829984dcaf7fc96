package oidc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	coreos "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
)

const (
	// patience is how long the other server may take for one answer.
	patience = 10 * time.Second
	// fresh is how long what the other server says about itself counts without being asked.
	fresh = time.Minute
	// pause is how long nobody asks again after an answer that was none.
	pause = 2 * time.Second
	// answerRoom is more than any answer needs.
	answerRoom = 1 << 20
)

// server is the other one. What it says about itself is asked for when somebody signs in, so
// that it may be down when this one starts.
type server struct {
	settings Settings
	client   *http.Client
	now      func() time.Time

	mu     sync.Mutex // one asks, and the others wait for what he hears
	found  *description
	asked  time.Time
	failed error
}

// description is what the other server says about itself.
type description struct {
	raw      strictjson.Raw
	provider *coreos.Provider
	verifier *coreos.IDTokenVerifier
	endpoint oauth2.Endpoint
	// names: it says with every answer who it is.
	names bool
	// tells: there is more to be asked about somebody.
	tells bool
}

func newServer(s Settings, now func() time.Time) *server {
	client := &http.Client{
		Transport: discreet{limited{http.DefaultTransport}},
		Timeout:   patience,
		// It could lead anywhere, with codes and secrets.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &server{settings: s, client: client, now: now}
}

// limited keeps answers from taking all memory.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, answerRoom), response.Body}
	}
	return response, err
}

// discreet drops what stands in an answer that is none: errors hold it, and it may repeat what was
// asked, with a token. Only of a code that is refused the reason is needed.
type discreet struct{ next http.RoundTripper }

func (d discreet) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := d.next.RoundTrip(r)
	if err == nil && response.StatusCode != http.StatusOK && r.Method == http.MethodGet {
		_ = response.Body.Close()
		response.Body, response.ContentLength = http.NoBody, 0
	}
	return response, err
}

// dial is a context in which the other server is asked.
func (s *server) dial(ctx context.Context) context.Context {
	return coreos.ClientContext(ctx, s.client)
}

// look is the description of now.
func (s *server) look(ctx context.Context) (*description, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	age := s.now().Sub(s.asked)
	if s.failed != nil && age < pause {
		return nil, s.failed
	}
	if s.found != nil && s.failed == nil && age < fresh {
		return s.found, nil
	}
	// Whoever has asked may have gone: the answer is for others as well.
	found, err := s.ask(s.dial(context.WithoutCancel(ctx)))
	s.asked, s.failed = s.now(), err
	if err != nil {
		return nil, err
	}
	if s.found == nil || !bytes.Equal(s.found.raw, found.raw) { // else its keys are known
		s.found = found
	}
	return s.found, nil
}

// last is the description with which a sign-in has begun, if it was here.
func (s *server) last(ctx context.Context) (*description, error) {
	s.mu.Lock()
	found := s.found
	s.mu.Unlock()
	if found != nil {
		return found, nil
	}
	return s.look(ctx)
}

func (s *server) ask(ctx context.Context) (*description, error) {
	provider, err := coreos.NewProvider(ctx, s.settings.Issuer)
	if mismatch, ok := errors.AsType[*coreos.IssuerMismatchError](err); ok {
		return nil, fmt.Errorf("it calls itself %q (write the issuer exactly so)", clipped(mismatch.Discovered))
	}
	if err != nil {
		return nil, errors.New(clipped(err.Error())) // it holds whatever was answered
	}
	d := &description{provider: provider, endpoint: provider.Endpoint()}
	var says struct {
		Keys     string   `json:"jwks_uri"`
		UserInfo string   `json:"userinfo_endpoint"`
		Methods  []string `json:"token_endpoint_auth_methods_supported"`
		Names    bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&d.raw); err != nil {
		return nil, err
	}
	if err := d.raw.Decode(&says); err != nil {
		return nil, fmt.Errorf("what it says about itself: %w", err)
	}
	d.names, d.tells = says.Names, says.UserInfo != ""
	for what, address := range map[string]string{"authorization_endpoint": d.endpoint.AuthURL, "token_endpoint": d.endpoint.TokenURL, "jwks_uri": says.Keys} {
		if !s.mayLead(address) {
			return nil, fmt.Errorf("its %s is none that can be relied on: it has to be https", what)
		}
	}
	if d.tells && !s.mayLead(says.UserInfo) {
		return nil, errors.New("its userinfo_endpoint is none that can be relied on: it has to be https")
	}
	// Trying one after the other would show a code twice, and codes count once.
	d.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if s.settings.Secret == nil || len(says.Methods) > 0 && !slices.Contains(says.Methods, "client_secret_basic") {
		d.endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	// Tokens count a moment longer than they say, because clocks differ.
	now := func() time.Time { return s.now().Add(-skew) }
	d.verifier = provider.Verifier(&coreos.Config{ClientID: s.settings.ClientID, Now: now})
	return d, nil
}

// mayLead: the address is as well guarded as that of the server itself.
func (s *server) mayLead(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Hostname() != "" && people.Guarded(u) && (u.Scheme == "https" || strings.HasPrefix(s.settings.Issuer, "http:"))
}

// clipped is what a log gets of a text that comes from elsewhere.
func clipped(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
