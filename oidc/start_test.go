package oidc

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func hostPort(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// What a browser is sent with, and what it keeps.
func TestStart(t *testing.T) {
	w := newWorld(t)
	w.know(newLiar(t).URL)
	for scheme, name := range map[string]string{"http": "assent-oidc", "https": "__Host-assent-oidc"} {
		w.public.Scheme = scheme
		a := w.browser().get(w.web.URL + StartPath)
		kept := (&http.Response{Header: a.header}).Cookies()
		if len(kept) != 1 {
			t.Fatalf("got the cookies %v", kept)
		}
		c := kept[0]
		if c.Name != name || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure != (scheme == "https") || c.MaxAge != 600 || c.Path != "/" || c.Domain != "" {
			t.Errorf("%s: got the cookie %+v", scheme, c)
		}
		u, err := url.Parse(a.location)
		w.must(err)
		query := u.Query()
		f := flow(c.Value)
		for key, want := range map[string]string{
			"response_type": "code", "client_id": "assent", "scope": "openid profile email groups", "code_challenge_method": "S256",
			"redirect_uri": w.public.String() + CallbackPath, "state": f.state(), "nonce": f.nonce(),
		} {
			if query.Get(key) != want {
				t.Errorf("%s is %q, want %q", key, query.Get(key), want)
			}
		}
		if strings.Contains(a.location, f.verifier()) || strings.Contains(a.location, c.Value) {
			t.Errorf("the other server sees what only the browser has: %s", a.location)
		}
		if a.header.Get("Cache-Control") != "no-store" || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("got %v", a.header)
		}
	}
}

// Whatever stands in the address, a browser is sent to the other server, to this one, or nowhere.
func TestT2_NoOpenRedirect(t *testing.T) {
	w := newWorld(t)
	other := newLiar(t)
	w.know(other.URL)
	for _, query := range []string{"", "?here", "?here=//evil.example", "?next=https://evil.example", "?redirect_uri=https://evil.example", "?state=x&return=//evil.example"} {
		for _, host := range []string{w.public.Host, "evil.example"} {
			for _, path := range []string{StartPath, CallbackPath} {
				r := httptest.NewRequest(http.MethodGet, path+query, nil)
				r.Host = host
				answer := httptest.NewRecorder()
				w.ServeHTTP(answer, r)
				where := answer.Header().Get("Location")
				if where != "" && !strings.HasPrefix(where, other.URL+"/") && where != w.public.String()+StartPath+"?here" {
					t.Errorf("%s%s at %s leads to %q", path, query, host, where)
				}
				if strings.Contains(where+answer.Body.String(), "evil.example") {
					t.Errorf("%s%s at %s: got %q and %s", path, query, host, where, answer.Body)
				}
			}
		}
	}
}

// Whoever begins under another name of the server goes on under the one to which he comes back.
func TestStartElsewhere(t *testing.T) {
	w := newWorld(t)
	w.know(newLiar(t).URL)
	elsewhere := strings.Replace(w.web.URL, "127.0.0.1", "localhost", 1)
	b := w.browser()
	a := b.get(elsewhere + StartPath)
	if want := w.web.URL + StartPath + "?here"; a.location != want || len(a.header["Set-Cookie"]) > 0 {
		t.Fatalf("got %q with %v, want %q", a.location, a.header["Set-Cookie"], want)
	}
	if a = b.get(a.location); !strings.HasPrefix(a.location, w.settings.Issuer) {
		t.Errorf("got %+v", a)
	}
	// A proxy may change names.
	if a = b.get(elsewhere + StartPath + "?here"); !strings.HasPrefix(a.location, w.settings.Issuer) {
		t.Errorf("got %+v", a)
	}
}

func TestOtherRequests(t *testing.T) {
	w := newWorld(t)
	w.know(newLiar(t).URL)
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"POST", StartPath, 405}, {"HEAD", StartPath, 405}, {"POST", CallbackPath, 405}, {"GET", "/oidc/", 404}, {"GET", "/oidc/other", 404}, {"GET", CallbackPath, 400},
	} {
		answer := httptest.NewRecorder()
		w.ServeHTTP(answer, httptest.NewRequest(c.method, c.path, nil))
		if answer.Code != c.want || answer.Header().Get("Location") != "" {
			t.Errorf("%s %s: got %d, want %d", c.method, c.path, answer.Code, c.want)
		}
	}
}

// Without its secret nobody signs in, and only the log says why.
func TestSecretIsMissing(t *testing.T) {
	w := newWorld(t)
	w.know(newLiar(t).URL)
	t.Setenv("ASSENT_TEST_OIDC_SECRET", "")
	if err := w.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "ASSENT_TEST_OIDC_SECRET") {
		t.Errorf("got the error %v", err)
	}
	w.refused(w.browser().get(w.web.URL+StartPath), broken)
	if !strings.Contains(w.said.String(), "ASSENT_TEST_OIDC_SECRET") {
		t.Errorf("the log says %s", w.said)
	}
}
