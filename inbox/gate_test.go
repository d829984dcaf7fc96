package inbox

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// concrete is the path of a route with names in it, and a body that would do something.
func concrete(r route, t approval.Ticket) (path, body string) {
	path = strings.ReplaceAll(r.path, "/tickets/{id}", "/tickets/"+t.ID)
	path = strings.ReplaceAll(path, "/sessions/{id}", "/sessions/"+t.Session)
	switch path[strings.LastIndexByte(path, '/')+1:] {
	case "check":
		body = `{"input":{"command":"ls"}}`
	case "resolve":
		body = `{"ran":true,"note":"x"}`
	case "comment":
		body = `{"text":"wait"}`
	case "batch":
		body = fmt.Sprintf(`{"approve":[{"id":%q,"digest":%q}]}`, t.ID, t.Digest)
	case "approve", "undo", "send":
		body = fmt.Sprintf(`{"digest":%q}`, t.Digest)
	case "deny":
		body = fmt.Sprintf(`{"digest":%q,"reason":"no"}`, t.Digest)
	}
	return path, body
}

// canBeLookedAt: a path can be asked for, too.
func canBeLookedAt(all []route, path string) bool {
	return slices.ContainsFunc(all, func(r route) bool { return r.method == "GET" && r.path == path })
}

// raw sends bytes as they are, and returns the status of the answer, 0 for none.
func (w *world) raw(text string) int {
	w.t.Helper()
	conn, err := net.Dial("tcp", w.web.Listener.Addr().String())
	w.must(err)
	defer conn.Close()
	_, err = conn.Write([]byte(text))
	w.must(err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestEveryRouteNeedsTheToken(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test secretword"))[0]
	before := w.everything()
	tokens := map[string]func(*http.Request){
		"none":    func(r *http.Request) { r.Header.Del("Authorization") },
		"empty":   func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") },
		"another": func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("x", len(testToken))) },
		"a part":  func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken[:10]) },
		"more":    func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken+"x") },
		"basic":   func(r *http.Request) { r.SetBasicAuth("x", testToken) },
		"two":     func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") },
		"as a cookie": func(r *http.Request) {
			r.Header.Del("Authorization")
			r.AddCookie(&http.Cookie{Name: "token", Value: testToken})
		},
		"in the query": func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "token=" + testToken + "&access_token=" + testToken
		},
	}
	routes := append(w.routes(), route{method: "GET", path: "/api/v1/nothing"}, route{method: "GET", path: "/api"}, route{method: "GET", path: "/api/v2/tickets"})
	for _, route := range routes {
		path, body := concrete(route, ticket)
		if open(path) {
			continue
		}
		for name, change := range tokens {
			a := w.request(route.method, path, body, change)
			if a.status != http.StatusUnauthorized || a.code() != "forbidden" {
				t.Errorf("%s %s, token %s: %d %s", route.method, path, name, a.status, a.body)
			}
			for _, secret := range []string{ticket.ID, ticket.Session, "secretword", w.cwd, testToken} {
				if strings.Contains(a.body, secret) {
					t.Errorf("%s %s, token %s: the answer says %q", route.method, path, name, secret)
				}
			}
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	if a := w.request("GET", "/api/v1/me", "", func(r *http.Request) { r.Header.Set("Authorization", "bearer "+testToken) }); a.status != 200 {
		t.Errorf("the scheme in small letters: %d", a.status)
	}
}

// What a request asks for stands in its body: one with a parameter may mean something else.
func TestNoPostTakesParameters(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	for _, route := range w.routes() {
		if route.method != http.MethodPost {
			continue
		}
		path, body := concrete(route, ticket)
		for _, parameter := range []string{"?dry_run=true", "?digest=x", "?=", "?%zz"} {
			if a := w.request(route.method, path+parameter, body); a.status != http.StatusBadRequest || a.code() != "invalid" {
				t.Errorf("%s%s: %d %s", path, parameter, a.status, a.body)
			}
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}

func TestT2_RequestsFromOtherPagesDoNothing(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := w.web.Listener.Addr().String()
	attacks := []struct {
		name   string
		change func(*http.Request)
		want   []int
	}{
		{"a page of another site", header("Sec-Fetch-Site", "cross-site"), []int{403}},
		{"a neighbour", header("Sec-Fetch-Site", "same-site"), []int{403}},
		{"a site that is none", header("Sec-Fetch-Site", "SAME-ORIGIN "), []int{403}},
		{"another origin", header("Origin", "https://attacker.example"), []int{403}},
		{"no origin", header("Origin", "null"), []int{403}},
		{"another port", header("Origin", "http://127.0.0.1:1"), []int{403}},
		{"a name that begins so", header("Origin", "http://"+host+".attacker.example"), []int{403}},
		{"a user before the name", header("Origin", "http://attacker@"+host), []int{403}},
		{"another scheme", header("Origin", "ftp://"+host), []int{403}},
		{"two origins", func(r *http.Request) {
			r.Header["Origin"] = []string{"http://" + host, "https://attacker.example"}
		}, []int{403}},
		{"a form", header("Content-Type", "application/x-www-form-urlencoded"), []int{415}},
		{"a form with files", header("Content-Type", "multipart/form-data; boundary=x"), []int{415}},
		{"plain text", header("Content-Type", "text/plain"), []int{415}},
		{"JSON in plain text", header("Content-Type", "text/plain; application/json"), []int{415}},
		{"no type", func(r *http.Request) { r.Header.Del("Content-Type") }, []int{415}},
		{"two types", func(r *http.Request) { r.Header["Content-Type"] = []string{"application/json", "text/plain"} }, []int{415}},
		{"another charset", header("Content-Type", "application/json; charset=utf-7"), []int{415}},
		{"compressed", header("Content-Encoding", "gzip"), []int{415}},
	}
	for _, route := range w.routes() {
		if route.method != "POST" {
			continue
		}
		path, body := concrete(route, ticket)
		for _, attack := range attacks {
			a := w.request("POST", path, body, attack.change)
			if a.status != attack.want[0] {
				t.Errorf("%s: %s: %d %s", path, attack.name, a.status, a.body)
			}
		}
		for _, method := range []string{"OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "GET", "HEAD"} {
			if (method == "GET" || method == "HEAD") && canBeLookedAt(w.routes(), route.path) {
				continue // it is something else
			}
			a := w.request(method, path, body, header("Access-Control-Request-Method", "POST"), header("X-HTTP-Method-Override", "POST"))
			if a.status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, a.status)
			}
		}
	}
	for _, attack := range attacks[:10] { // also looking is not for others
		if a := w.request("GET", "/api/v1/tickets", "", attack.change); a.status != 403 {
			t.Errorf("GET: %s: %d", attack.name, a.status)
		}
	}
	if a := w.request("GET", "/api/v1/events", "", header("Upgrade", "websocket"), header("Connection", "Upgrade"), header("Origin", "https://attacker.example")); a.status != 403 {
		t.Errorf("a web socket: %d", a.status)
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	own := w.request("POST", "/api/v1/tickets/"+ticket.ID+"/approve", fmt.Sprintf(`{"digest":%q}`, ticket.Digest), header("Origin", "http://"+host), header("Sec-Fetch-Site", "same-origin"), header("Content-Type", "application/json; charset=UTF-8"))
	if own.status != 200 {
		t.Errorf("the page itself: %d %s", own.status, own.body)
	}
}

func TestT2_NoAnswerPermitsOtherPages(t *testing.T) {
	w := newWorld(t)
	w.Page = http.NotFoundHandler()
	ticket := w.park(bash("npm test"))[0]
	want := map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store", "Content-Security-Policy": contentPolicy,
	}
	for _, route := range append(w.routes(), route{method: "GET", path: "/"}, route{method: "OPTIONS", path: "/"}, route{method: "GET", path: "/../x"}) {
		path, body := concrete(route, ticket)
		a := w.glimpse(route.method, path, body, func(r *http.Request) { r.Header.Set("Origin", w.web.URL) })
		for name, value := range want {
			if a.header.Get(name) != value {
				t.Errorf("%s %s: %s is %q", route.method, path, name, a.header.Get(name))
			}
		}
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" {
				t.Errorf("%s %s has %s", route.method, path, name)
			}
		}
	}
}

func TestT3_OtherNamesOfTheServerAreRefused(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	before := w.everything()
	host := w.web.Listener.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	auth := "Authorization: Bearer " + testToken + "\r\nConnection: close\r\n"
	post := fmt.Sprintf(`{"digest":%q}`, ticket.Digest)
	bodyHeaders := fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(post), post)
	path := "/api/v1/tickets/" + ticket.ID + "/approve"
	names := []string{
		"attacker.example", "attacker.example:" + port, "127.0.0.1.nip.io:" + port, "localhost.attacker.example:" + port, "127.0.0.1", "127.0.0.1:1", "0.0.0.0:" + port,
		"127.1:" + port, "2130706433:" + port, "0x7f.0.0.1:" + port, "[::ffff:127.0.0.1]:" + port, host + ".", host + "@attacker.example", "attacker.example#" + host,
		"user@" + host, host + ":80", "", " ",
	}
	for _, name := range names {
		for _, path := range []string{"/api/v1/tickets", "/healthz", "/readyz", "/", "/api/v1/openapi.json"} {
			if status := w.raw("GET " + path + " HTTP/1.1\r\nHost: " + name + "\r\n" + auth + "\r\n"); status != 421 && status != 400 {
				t.Errorf("Host %q, GET %s: %d", name, path, status)
			}
		}
		if status := w.raw("POST " + path + " HTTP/1.1\r\nHost: " + name + "\r\n" + auth + bodyHeaders); status != 421 && status != 400 {
			t.Errorf("Host %q, POST: %d", name, status)
		}
	}
	for what, request := range map[string]string{
		"no host":                      "GET /healthz HTTP/1.1\r\n" + auth + "\r\n",
		"no host, as it was in 1.0":    "GET /healthz HTTP/1.0\r\n" + auth + "\r\n",
		"two hosts":                    "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nHost: attacker.example\r\n" + auth + "\r\n",
		"two hosts, the other first":   "GET /healthz HTTP/1.1\r\nHost: attacker.example\r\nHost: " + host + "\r\n" + auth + "\r\n",
		"the same host twice":          "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nHost: " + host + "\r\n" + auth + "\r\n",
		"absolute, another":            "GET http://attacker.example/healthz HTTP/1.1\r\nHost: " + host + "\r\n" + auth + "\r\n",
		"absolute, ours, another host": "GET http://" + host + "/healthz HTTP/1.1\r\nHost: attacker.example\r\n" + auth + "\r\n",
		"absolute, ours":               "GET http://" + host + "/healthz HTTP/1.1\r\nHost: " + host + "\r\n" + auth + "\r\n",
		"forwarded":                    "GET /healthz HTTP/1.1\r\nHost: attacker.example\r\nX-Forwarded-Host: " + host + "\r\nForwarded: host=" + host + "\r\n" + auth + "\r\n",
		"a name on two lines":          "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n attacker.example\r\n" + auth + "\r\n",
		"an authority":                 "CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n" + auth + "\r\n",
		"an asterisk":                  "OPTIONS * HTTP/1.1\r\nHost: " + host + "\r\n" + auth + "\r\n",
	} {
		if status := w.raw(request); status != 421 && status != 400 && status != 405 {
			t.Errorf("%s: %d", what, status)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
	if status := w.raw("GET /healthz HTTP/1.1\r\nHost: " + strings.ToUpper(host) + "\r\nConnection: close\r\n\r\n"); status != 200 {
		t.Errorf("the right name: %d", status)
	}
}

// The page may be reached from anywhere: it says nothing.
func TestT2_ALinkToThePageWorks(t *testing.T) {
	w := newWorld(t)
	w.Page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, path := range []string{"/", "/inbox.css"} {
		a := w.request("GET", path, "", func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("Sec-Fetch-Site", "cross-site") })
		if a.status != http.StatusTeapot {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := w.request("POST", "/", "x"); a.status != 404 {
		t.Errorf("a POST to the page: %d", a.status)
	}
}

// A proxy that hands on its own name for this server is the likeliest reason why the page is refused
// here as that of somebody else. It still is, and whoever reads it learns what to change.
func TestT2_AProxyWithAnotherHostIsToldSo(t *testing.T) {
	w := newWorld(t)
	host := w.web.Listener.Addr().String()
	w.Hosts = append(w.Hosts, "inbox.example.com", "other.example.com:8443")
	ask := func(origins ...string) (int, string) {
		r := httptest.NewRequest("POST", "/api/v1/sign-in", strings.NewReader(`{}`))
		r.Host = host
		r.Header["Origin"] = origins
		rec := httptest.NewRecorder()
		w.Handler().ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	for origin, name := range map[string]string{
		"https://inbox.example.com": "inbox.example.com", "https://INBOX.example.com": "inbox.example.com", "https://other.example.com:8443": "other.example.com:8443",
	} {
		status, said := ask(origin)
		for _, want := range []string{"hands on the Host " + host + " in place of " + name, "nginx: proxy_set_header Host " + name + ";", "Apache: ProxyPreserveHost On"} {
			if status != 403 || !strings.Contains(said, want) {
				t.Errorf("%s: %d %s", origin, status, said)
			}
		}
	}
	for _, origins := range [][]string{
		{"https://attacker.example"},
		{"https://inbox.example.com.attacker.example"},
		{"https://inbox.example.com:1"},
		{"https://attacker@inbox.example.com"},
		{"https://inbox.example.com/x"},
		{"ftp://inbox.example.com"},
		{"null"},
		{"https://attacker.example", "https://inbox.example.com"},
	} {
		if status, said := ask(origins...); status != 403 || !strings.Contains(said, "a page of somebody else") {
			t.Errorf("%s: %d %s", origins, status, said)
		}
	}
	if log := w.logged(); !strings.Contains(log, "hands on the Host") || strings.Contains(log, "attacker") {
		t.Error(log)
	}
}

// With TLS an origin without it is another one: somebody on the way could be it.
func TestT2_AnOriginWithoutTLSIsAnother(t *testing.T) {
	w := newWorld(t)
	for scheme, want := range map[string]int{"http": 403, "https": 200} {
		r := httptest.NewRequest("GET", "/api/v1/me", nil)
		r.Host, r.TLS = w.Hosts[0], &tls.ConnectionState{}
		r.Header.Set("Authorization", "Bearer "+testToken)
		r.Header.Set("Origin", scheme+"://"+w.Hosts[0])
		rec := httptest.NewRecorder()
		w.Handler().ServeHTTP(rec, r)
		if rec.Code != want {
			t.Errorf("%s: %d %s", scheme, rec.Code, rec.Body)
		}
	}
}

func TestAServerIsMadeSafely(t *testing.T) {
	good := newWorld(t).Config
	for name, change := range map[string]func(*Config){
		"no token":       func(c *Config) { c.Token = "" },
		"a short token":  func(c *Config) { c.Token = strings.Repeat("x", minToken-1) },
		"no host":        func(c *Config) { c.Hosts = nil },
		"no rules":       func(c *Config) { c.Checker = nil },
		"no tickets":     func(c *Config) { c.Tickets = nil },
		"nobody answers": func(c *Config) { c.Who = "" },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil {
			t.Error(name)
		}
	}
}

// Whoever tries to come in is in the log, with where they are and how often they tried, but
// not what they sent, and not once for every try.
func TestT1_WhoIsTurnedAwayIsInTheLog(t *testing.T) {
	for name, try := range map[string]func(*http.Request){
		"a wrong token": func(r *http.Request) { r.Header.Set("Authorization", "Bearer guessed-guessed-guessed") },
		"another page":  func(r *http.Request) { r.Header.Set("Origin", "https://guessed.example") },
		"another name":  func(r *http.Request) { r.Host = "guessed.example" },
	} {
		w := newWorld(t)
		now := time.Now()
		w.now = func() time.Time { return now }
		for range 50 {
			w.request("GET", "/api/v1/me", "", try)
		}
		now = now.Add(time.Minute)
		w.request("GET", "/api/v1/me", "", try)
		log := w.logged()
		if n := strings.Count(log, "turned away"); n != 2 || !strings.Contains(log, "requests=50") || !strings.Contains(log, "from=127.0.0.1") || strings.Contains(log, "guessed") {
			t.Errorf("%s: %d lines: %s", name, n, log)
		}
	}
	w := newWorld(t)
	w.get("/api/v1/me")
	w.get("/api/v1/nothing")
	if log := w.logged(); strings.Contains(log, "turned away") {
		t.Error(log)
	}
}
