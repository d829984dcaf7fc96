package oidc

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// flow is one sign-in, from its start until the browser is back. The browser keeps all of it
// in a cookie, so that any server of several can go on with it. What the other server sees of
// it is made of it, and leads back to nothing: whoever knows the state knows neither the nonce
// nor the verifier. It is not signed. Whoever writes a cookie of his own signs himself in.
type flow string

const (
	// flowLasts is how long somebody may take at the other server.
	flowLasts = 10 * time.Minute
	// skew is how much clocks may differ.
	skew = time.Minute
	// flowBytes is how much of a flow cannot be guessed.
	flowBytes = 32
)

func newFlow(now time.Time) flow {
	secret := make([]byte, flowBytes)
	_, _ = rand.Read(secret) // it never fails
	return flow(strconv.FormatInt(now.Unix(), 10) + "." + base64.RawURLEncoding.EncodeToString(secret))
}

// counts: it is a flow that has begun not long ago. A cookie may be older than the browser was
// told to keep it. Another time in it would make another state of it.
func (f flow) counts(now time.Time) bool {
	began, secret, _ := strings.Cut(string(f), ".")
	seconds, err := strconv.ParseInt(began, 10, 64)
	if err != nil || len(secret) != base64.RawURLEncoding.EncodedLen(flowBytes) {
		return false
	}
	age := now.Sub(time.Unix(seconds, 0))
	return age > -skew && age < flowLasts
}

func (f flow) state() string    { return f.derive("state") }
func (f flow) nonce() string    { return f.derive("nonce") }
func (f flow) verifier() string { return f.derive("verifier") }

func (f flow) derive(what string) string {
	mac := hmac.New(sha256.New, []byte(f))
	mac.Write([]byte(what))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// began: the state is that of the flow.
func (f flow) began(state string) bool { return hmac.Equal([]byte(f.state()), []byte(state)) }

// cookie is the one that holds a flow, with an age in seconds. Where there is TLS its name keeps
// other hosts of the same domain from setting it: they could sign somebody in as somebody else.
// It is sent when the other server sends the browser back (Lax), and never to a script.
func (h *Handler) cookie(value flow, age int) *http.Cookie {
	c := &http.Cookie{Name: "assent-oidc", Value: string(value), Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if h.public.Scheme == "https" {
		c.Name, c.Secure = "__Host-assent-oidc", true
	}
	return c
}

// flowOf is the flow that a browser brings. One that brings several brings none: somebody
// else may have set one of them.
func (h *Handler) flowOf(r *http.Request) (f flow, ok bool) {
	all := r.CookiesNamed(h.cookie("", 0).Name)
	if len(all) != 1 {
		return "", false
	}
	f = flow(all[0].Value)
	return f, f.counts(h.now())
}
