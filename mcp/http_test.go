package mcp_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// site is a server behind a URL. What it is asked goes through look first.
func site(t *testing.T, handler http.Handler, look func(http.ResponseWriter, *http.Request) bool) mcp.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if look == nil || look(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return mcp.Server{Name: "web", Kind: mcp.HTTP, URL: s.URL + "/mcp", Headers: []mcp.Pair{{Name: "Authorization", Value: "Bearer token"}, {Name: "Accept", Value: "nonsense"}}}
}

func official() http.Handler {
	server := newSDKServer()
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
}

func TestAServerBehindAURL(t *testing.T) {
	var bad atomic.Int32
	server := site(t, official(), func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "Bearer token" || r.Header.Get("Cookie") != "" || r.Header.Get("Accept") == "nonsense" || r.URL.RawQuery != "key=a%20b" {
			bad.Add(1)
		}
		return true
	})
	server.URL += "?key=a%20b"
	set := open(t, mcp.Options{Elicit: func(_ context.Context, e mcp.Elicitation) (mcp.Answer, error) {
		if e.Server != "web" || e.Message != "how much?" || !bytes.Contains(e.Schema, []byte(`"amount"`)) {
			t.Errorf("asked %+v", e)
		}
		return mcp.Answer{Action: mcp.Accept, Content: []byte(`{"amount": 5}`)}, nil
	}}, server)
	want(t, run(t.Context(), find(t, set, "mcp__web__double"), `{"n":21}`), tool.Succeeded, "twice is 42")
	want(t, run(t.Context(), find(t, set, "mcp__web__double"), `{"n":"x"}`), tool.Failed, "string")
	want(t, run(t.Context(), find(t, set, "mcp__web__fail"), `{"n":1}`), tool.Failed, "no way")
	want(t, run(t.Context(), find(t, set, "mcp__web__ask"), `{"n":1}`), tool.Succeeded, "accept 5")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	want(t, run(ctx, find(t, set, "mcp__web__wait"), `{"n":1}`), tool.Interrupted)
	want(t, run(t.Context(), find(t, set, "mcp__web__double"), `{"n":1}`), tool.Succeeded, "twice is 2")
	if bad.Load() > 0 {
		t.Errorf("%d requests had the wrong headers or URL", bad.Load())
	}
}

func TestWhatAWebServerMayNotDo(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		state   mcp.State
		reason  string
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, mcp.Failed, "which is refused"},
		"login":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, mcp.NeedsAuth, "Authorization header"},
		"not found": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }, mcp.Failed, "Not Found"},
		"garbage": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("<html>"))
		}, mcp.Failed, "decode"},
		"flood": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
					return
				}
			}
		}, mcp.Failed, "more than 33554432 bytes"},
		"endless event": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("data: "))
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
					return
				}
			}
		}, mcp.Failed, "33554432 bytes"},
		"silence": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = r.Body.Read(make([]byte, 1<<20))
			<-r.Context().Done()
		}, mcp.Failed, "did not answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			limit := 30 * time.Second
			if name == "silence" {
				limit = 200 * time.Millisecond
			}
			set := open(t, mcp.Options{Limits: mcp.Limits{Start: limit}}, site(t, c.handler, nil))
			if s := status(t, set, "web"); s.State != c.state || !strings.Contains(s.Reason, c.reason) {
				t.Errorf("%v: %.300s", s.State, s.Reason)
			}
		})
	}
	if elsewhere.Load() > 0 {
		t.Error("another host was asked")
	}
}

func TestAWebServerThatGoesAway(t *testing.T) {
	var gone atomic.Bool
	set := open(t, mcp.Options{}, site(t, official(), func(w http.ResponseWriter, r *http.Request) bool {
		if gone.Load() && r.Header.Get("Mcp-Session-Id") != "" {
			w.WriteHeader(http.StatusNotFound) // the session is forgotten
			return false
		}
		return true
	}))
	r := find(t, set, "mcp__web__double")
	gone.Store(true)
	want(t, run(t.Context(), r, `{"n":1}`), tool.Failed, "session not found")
	gone.Store(false)
	want(t, run(t.Context(), r, `{"n":1}`), tool.Succeeded, "twice is 2")
}
