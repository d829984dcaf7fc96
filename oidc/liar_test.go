package oidc

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	coreos "github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
)

// liar is a server that says what no real one can be made to say.
type liar struct {
	*httptest.Server
	says   oidctest.Server
	key    *rsa.PrivateKey
	answer func(http.ResponseWriter)
	// described changes what it says about itself.
	described func(text string) string
	asked     int
	// more is what it says about somebody to whoever asks.
	more string
}

func newLiar(t *testing.T) *liar {
	t.Helper()
	l := &liar{described: func(text string) string { return text }}
	l.newKey(t, "first")
	l.Server = httptest.NewServer(l)
	t.Cleanup(l.Close)
	l.says.SetIssuer(l.URL)
	return l
}

func (l *liar) newKey(t *testing.T, name string) {
	t.Helper()
	l.key = newKey(t)
	l.says.PublicKeys = []oidctest.PublicKey{{PublicKey: l.key.Public(), KeyID: name, Algorithm: coreos.RS256}}
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/token":
		l.asked++
		w.Header().Set("Content-Type", "application/json")
		l.answer(w)
	case "/me":
		if l.more == "" {
			w.WriteHeader(http.StatusBadGateway)
		}
		_, _ = w.Write([]byte(l.more))
	case "/.well-known/openid-configuration":
		original := httptest.NewRecorder()
		l.says.ServeHTTP(original, r)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(l.described(original.Body.String())))
	default:
		l.says.ServeHTTP(w, r)
	}
}

// sign is an ID token for the one who began a sign-in.
func (l *liar) sign(nonce string, changes map[string]any) string {
	said := map[string]any{
		"iss": l.URL, "aud": "assent", "sub": "subject-1", "nonce": nonce, "preferred_username": "ana", "groups": []string{"ops"},
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	maps.Copy(said, changes)
	maps.DeleteFunc(said, func(_ string, value any) bool { return value == nil })
	text, err := strictjson.Marshal(said)
	if err != nil {
		panic(err)
	}
	return l.signText(string(text))
}

func (l *liar) signText(text string) string {
	return oidctest.SignIDToken(l.key, l.says.PublicKeys[0].KeyID, coreos.RS256, text)
}

// signIn signs in where the liar answers with an ID token.
func (w *world) signInWith(l *liar, token func(nonce string) string) answer {
	w.t.Helper()
	b := w.browser()
	begun, err := url.Parse(b.begin())
	w.must(err)
	query := begun.Query()
	l.answer = func(rw http.ResponseWriter) {
		_, _ = fmt.Fprintf(rw, `{"access_token": "x", "token_type": "Bearer", "id_token": %q}`, token(query.Get("nonce")))
	}
	return b.get(w.web.URL + CallbackPath + "?code=a-code&state=" + query.Get("state"))
}

func TestT2_TokensOfLiars(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	w.know(l.URL)
	minutes := func(n int) int64 { return time.Now().Add(time.Duration(n) * time.Minute).Unix() }
	for _, c := range []struct {
		name  string
		said  map[string]any
		taken bool
	}{
		{"honest", nil, true},
		{"made for us among others", map[string]any{"aud": []string{"assent", "other"}, "azp": "assent"}, true},
		{"clocks that differ", map[string]any{"exp": time.Now().Add(-skew / 2).Unix(), "iat": minutes(2), "nbf": minutes(2)}, true},
		{"another audience", map[string]any{"aud": "other"}, false},
		{"no audience", map[string]any{"aud": nil}, false},
		{"several audiences", map[string]any{"aud": []string{"assent", "other"}}, false},
		{"made for another client", map[string]any{"aud": []string{"assent", "other"}, "azp": "other"}, false},
		{"another client alone", map[string]any{"azp": "other"}, false},
		{"a client that is no text", map[string]any{"azp": 7}, false},
		{"another issuer", map[string]any{"iss": "https://evil.example"}, false},
		{"expired", map[string]any{"exp": minutes(-2)}, false},
		{"without an end", map[string]any{"exp": nil}, false},
		{"not yet", map[string]any{"nbf": minutes(30)}, false},
		{"no nonce", map[string]any{"nonce": nil}, false},
		{"an empty nonce", map[string]any{"nonce": ""}, false},
		{"another nonce", map[string]any{"nonce": newFlow(time.Now()).nonce()}, false},
		{"a nonce in another case", map[string]any{"nonce": nil, "Nonce": "x"}, false},
		{"nobody", map[string]any{"sub": nil}, false},
		{"a subject in another case", map[string]any{"Sub": "subject-2"}, false},
		{"an issuer with another s", map[string]any{"i\u017fs": "https://evil.example"}, false},
		{"another access token", map[string]any{"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.signInWith(l, func(nonce string) string { return l.sign(nonce, c.said) })
			if c.taken {
				w.signedIn(a)
			} else {
				w.refused(a, unconfirmed)
			}
		})
	}
	for name, token := range map[string]func(string) string{
		"no token":   func(string) string { return "" },
		"no JWT":     func(string) string { return "a.b.c" },
		"two of one": func(nonce string) string { return l.signText(twice(l.URL, nonce)) },
		"a key of somebody else": func(nonce string) string {
			own := l.key
			defer func() { l.key = own }()
			l.key = newKey(t)
			return l.sign(nonce, nil)
		},
		"a text for a key": func(nonce string) string {
			return oidctest.SignIDToken([]byte("a secret for + tests, and long enough"), "first", "HS256", twice(l.URL, nonce))
		},
		"no signature": func(nonce string) string {
			_, rest, _ := strings.Cut(l.sign(nonce, nil), ".")
			body, _, _ := strings.Cut(rest, ".")
			return "eyJhbGciOiJub25lIn0." + body + "."
		},
	} {
		t.Run(name, func(t *testing.T) { w.refused(w.signInWith(l, token), unconfirmed) })
	}
	t.Run("new keys", func(t *testing.T) {
		l.newKey(t, "second")
		w.signedIn(w.signInWith(l, func(nonce string) string { return l.sign(nonce, nil) }))
	})
}

// twice is claims with one of them twice: two readers may see two people.
func twice(issuer, nonce string) string {
	return fmt.Sprintf(`{"iss": %q, "aud": "assent", "nonce": %q, "exp": %d, "preferred_username": "ana", "groups": ["ops"], "groups": ["admins"], "sub": "subject-1"}`,
		issuer, nonce, time.Now().Add(time.Hour).Unix())
}

// A code is shown once: whoever gets it twice may take that for a theft.
func TestCodeIsSentOnce(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	w.know(l.URL)
	for _, status := range []int{http.StatusUnauthorized, http.StatusBadGateway} {
		b := w.browser()
		begun, err := url.Parse(b.begin())
		w.must(err)
		l.asked = 0
		l.answer = func(rw http.ResponseWriter) {
			rw.WriteHeader(status)
			_, _ = rw.Write([]byte(`{"error": "invalid_client", "error_description": "a-code <b>"}`))
		}
		a := b.get(w.web.URL + CallbackPath + "?code=a-code&state=" + begun.Query().Get("state"))
		w.refused(a, map[int]reason{http.StatusUnauthorized: unconfirmed, http.StatusBadGateway: unreachable}[status])
		if l.asked != 1 {
			t.Errorf("%d: it was asked %d times", status, l.asked)
		}
	}
}

// What a server says about itself must not lead to where others listen.
func TestDescriptionsOfLiars(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	replace := func(old, new string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, old) {
				t.Errorf("%s has no %s", text, old)
			}
			return strings.Replace(text, old, new, 1)
		}
	}
	for name, c := range map[string]struct {
		change func(string) string
		want   string
	}{
		"another issuer":    {replace(`"issuer":"`+l.URL, `"issuer":"https://evil.example`), "exactly so"},
		"an open way":       {replace(l.URL+"/token", "http://evil.example/token"), "token_endpoint"},
		"an open page":      {replace(l.URL+"/auth", "http://evil.example/auth"), "authorization_endpoint"},
		"no page":           {replace(l.URL+"/auth", "javascript:alert(1)"), "authorization_endpoint"},
		"open keys":         {replace(l.URL+"/keys", "http://evil.example/keys"), "jwks_uri"},
		"open about people": {replace(`{`, `{"userinfo_endpoint": "http://evil.example/me",`), "userinfo_endpoint"},
		"two keys":          {replace(`{`, `{"jwks_uri": "https://evil.example/keys",`), "twice"},
		"nothing":           {func(string) string { return "<html>" }, "decode"},
	} {
		t.Run(name, func(t *testing.T) {
			w.know(l.URL)
			l.described = c.change
			if err := w.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want one with %q", err, c.want)
			}
			w.refused(w.browser().get(w.web.URL+StartPath), unreachable)
		})
	}
}

// What is not signed is asked for, and replaces nothing that is.
func TestUserInfo(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	w.know(l.URL)
	olga := people.Person{Name: "olga", Role: people.Admin} // so that somebody else can stop being one
	w.must(w.people.Add(t.Context(), operator, olga, "a password for all"))
	l.described = func(text string) string {
		return strings.Replace(text, "{", `{"userinfo_endpoint": "`+l.URL+`/me",`, 1)
	}
	for _, c := range []struct {
		name, more string
		said       map[string]any
		want       people.Role
		refused    reason
	}{
		{name: "groups", more: `{"sub": "subject-1", "groups": ["admins"]}`, said: map[string]any{"groups": nil}, want: people.Admin},
		{name: "one group", more: `{"sub": "subject-1", "groups": "admins"}`, said: map[string]any{"groups": nil}, want: people.Admin},
		{name: "all is signed", more: ``, want: people.Approver},
		{name: "other groups than signed", more: `{"sub": "subject-1", "groups": ["admins"]}`, said: map[string]any{"preferred_username": nil}, want: people.Approver},
		{name: "somebody else", more: `{"sub": "subject-2", "groups": ["admins"]}`, said: map[string]any{"groups": nil}, refused: unconfirmed},
		{name: "nobody", more: `{"groups": ["admins"]}`, said: map[string]any{"groups": nil}, refused: unconfirmed},
		{name: "two", more: `{"sub": "subject-2", "sub": "subject-1", "groups": ["admins"]}`, said: map[string]any{"groups": nil}, refused: unconfirmed},
		{name: "no answer", more: ``, said: map[string]any{"groups": nil}, refused: unreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.more = c.more
			a := w.signInWith(l, func(nonce string) string { return l.sign(nonce, c.said) })
			if c.want == people.NoRole {
				w.refused(a, c.refused)
			} else if p := w.signedIn(a); p.Role != c.want {
				t.Errorf("got %+v, want %s", p, c.want)
			}
		})
	}
}

// TestT16_OneClientKeepsNobodyFromSigningIn: whoever has sign-ins of their own making looked at without
// end gives up the oldest of them for a newcomer.
func TestT16_OneClientKeepsNobodyFromSigningIn(t *testing.T) {
	w := newWorld(t)
	l := newLiar(t)
	w.know(l.URL)
	given := 0
	flood := func(from string) {
		for range atOnce {
			if _, gone := w.asking.Enter(from, func(error) { given++ }); gone != nil {
				gone.What(errCrowded)
			}
		}
	}
	flood("192.0.2.1")
	honest := func(nonce string) string { return l.sign(nonce, nil) }
	if p := w.signedIn(w.signInWith(l, honest)); p.Role != people.Approver || given != 1 {
		t.Errorf("got %+v, and %d gave up theirs", p, given)
	}
	crowded := func(nonce string) string {
		flood(room.Network("127.0.0.1"))
		return l.sign(nonce, nil)
	}
	if a := w.signInWith(l, crowded); a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, "Too many people") {
		t.Errorf("one of the same address: got %+v", a)
	}
}
