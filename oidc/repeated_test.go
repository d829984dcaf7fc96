package oidc

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assent-dev/assent/people"
)

// gateway stands before a server, and repeats what it was asked at one of its addresses, with a
// status that is not that of the server.
func gateway(t *testing.T, before http.Handler, path string, status int, content string) *httptest.Server {
	t.Helper()
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			before.ServeHTTP(w, r)
			return
		}
		asked, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", content)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"error": "`+r.Header.Get("Authorization")+" "+string(asked)+`"}`)
	}))
	t.Cleanup(g.Close)
	return g
}

// T12: whoever answers in the place of the other server may repeat what it was sent. The log is
// read by more people than may know that.
func TestT12_NothingThatIsRepeatedIsLogged(t *testing.T) {
	for _, c := range []struct {
		path    string
		status  int
		content string
		want    reason
	}{
		{"/token", http.StatusBadGateway, "text/html", unreachable},
		{"/token", http.StatusBadGateway, "application/json", unreachable},
		{"/token", http.StatusBadRequest, "application/json", unconfirmed},
		{"/token", http.StatusBadRequest, "text/html", unconfirmed},
		{"/token", http.StatusFound, "text/html", unconfirmed},
		{"/me", http.StatusBadGateway, "text/html", unreachable},
		{"/me", http.StatusUnauthorized, "application/json", unreachable},
	} {
		t.Run(c.path+" "+http.StatusText(c.status)+" "+c.content, func(t *testing.T) {
			w := newWorld(t)
			l := newLiar(t)
			g := gateway(t, l, c.path, c.status, c.content)
			l.says.SetIssuer(g.URL)
			l.URL = g.URL
			l.described = func(text string) string {
				return strings.Replace(text, "{", `{"userinfo_endpoint": "`+g.URL+`/me",`, 1)
			}
			w.know(g.URL)
			b := w.browser()
			begun, err := url.Parse(b.begin())
			w.must(err)
			l.answer = func(rw http.ResponseWriter) {
				_, _ = io.WriteString(rw, `{"access_token": "canary-token", "token_type": "Bearer", "id_token": "`+l.sign(begun.Query().Get("nonce"), map[string]any{"groups": nil})+`"}`)
			}
			w.refused(b.get(w.web.URL+CallbackPath+"?code=canary-code&state="+begun.Query().Get("state")), c.want)
			for _, never := range []string{"canary", "code_verifier", "Basic", "Bearer"} {
				if strings.Contains(w.said.String(), never) {
					t.Errorf("the log says %q: %s", never, w.said)
				}
			}
			if !strings.Contains(w.said.String(), http.StatusText(c.status)) {
				t.Errorf("the log does not say what was answered: %s", w.said)
			}
		})
	}
}

// T1: names that look like those of others are not made into them: some letters have small ones
// that are those of other letters.
func TestT1_LettersThatBecomeOthers(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	w.know(l.URL)
	for _, name := range []string{"\u212aate", "\u0130da", "ka\u017fper", "ANÀ"} {
		w.refused(w.signInWith(l, func(nonce string) string {
			return l.sign(nonce, map[string]any{"sub": "mallory as " + name, "preferred_username": name})
		}), uninvited)
	}
	kate := w.signInWith(l, func(nonce string) string {
		return l.sign(nonce, map[string]any{"sub": "the-real-kate", "preferred_username": "KATE"})
	})
	if p := w.signedIn(kate); p.Name != "kate" || p.Role != people.Approver {
		t.Errorf("%+v", p)
	}
}
