package hook

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/rule"
)

// seen is what an endpoint was sent.
type seen struct {
	method, body string
	header       http.Header
}

// endpoint is a server of this machine that answers with a body.
func endpoint(t *testing.T, answer http.HandlerFunc) (url string, last *seen) {
	t.Helper()
	last = &seen{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*last = seen{r.Method, string(body), r.Header.Clone()}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, last
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(code)
	}
}

func newHTTP(t *testing.T, url string) HTTP {
	t.Helper()
	h, err := NewHTTP(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestH16_AnEndpointIsAskedWithAPost(t *testing.T) {
	noLeaks(t)
	url, last := endpoint(t, says(`{"decision":"block"}`))
	t.Setenv("HOOK_TOKEN", "s3cret")
	h, err := NewHTTP(url+"/check?a=b", map[string]string{"Authorization": "Bearer ${HOOK_TOKEN}", "X-Price": "$5 $HOOK_TOKEN."}, "HOOK_TOKEN")
	if err != nil {
		t.Fatal(err)
	}
	reply := h.Handle(t.Context(), Invocation{JSON: []byte(`{"tool_name":"Bash"}`)})
	if reply.Failure != nil || string(reply.Text) != `{"decision":"block"}` || reply.Exit != nil {
		t.Errorf("got %+v", reply)
	}
	if last.method != "POST" || last.body != `{"tool_name":"Bash"}` {
		t.Errorf("it was sent %s %s", last.method, last.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer s3cret", "X-Price": "$5 s3cret.",
	} {
		if got := last.header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
}

func TestH16_EveryFailureOfAnEndpointIsNamed(t *testing.T) {
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		pack := gzip.NewWriter(w)
		_, _ = pack.Write(bytes.Repeat([]byte{' '}, 8<<20))
		_ = pack.Close()
	}
	encoded := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, "\x0b\x02\x80{}\x03")
	}
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"decision":`)
	}
	hangUp := func(w http.ResponseWriter, _ *http.Request) {
		c, _, _ := w.(http.Hijacker).Hijack()
		c.Close()
	}
	headers := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Large", strings.Repeat("x", 200_000))
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		kind   FailureKind
		text   string
	}{
		{"not found", status(404), BadStatus, "404 Not Found"},
		{"server error", status(500), BadStatus, "500"},
		{"an unknown status", status(599), BadStatus, "599"},
		{"moved", status(301), BadStatus, "redirect"},
		{"moved, with the same method", status(307), BadStatus, "redirect"},
		{"not modified", status(304), BadStatus, "redirect"},
		{"too much", says(strings.Repeat(" ", MaxOutput+1)), TooMuch, "1048576 bytes"},
		{"packed too much", bomb, TooMuch, "1048576 bytes"},
		{"unreadable", encoded, BadStatus, "encoded as br"},
		{"half an answer", half, Crashed, "connection broke"},
		{"hangs up", hangUp, Crashed, "connection broke"},
		{"headers without end", headers, Crashed, "connection broke"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			noLeaks(t)
			url, _ := endpoint(t, test.answer)
			reply := newHTTP(t, url).Handle(t.Context(), Invocation{JSON: []byte("{}")})
			wantFailure(t, reply, test.kind, test.text)
			if len(reply.Text) > 0 {
				t.Errorf("a failure comes with the text %.100q", reply.Text)
			}
		})
	}
}

func TestH16_AnEmptyAnswerIsNoFailure(t *testing.T) {
	noLeaks(t)
	pack := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			w.WriteHeader(500)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte("{}"))
		_ = z.Close()
	}
	for want, answer := range map[string]http.HandlerFunc{"": status(204), "ok": says("ok"), "{}": pack, strings.Repeat(" ", MaxOutput): says(strings.Repeat(" ", MaxOutput))} {
		url, _ := endpoint(t, answer)
		if reply := newHTTP(t, url).Handle(t.Context(), Invocation{JSON: []byte("{}")}); reply.Failure != nil || string(reply.Text) != want {
			t.Errorf("got %.200q, %+v, want %.200q", reply.Text, reply.Failure, want)
		}
	}
}

// Whoever ends an answer by closing the connection looks the same when it has crashed:
// nothing at all is then no answer.
func TestH16_ACrashAfterTheHeadersIsNoAnswer(t *testing.T) {
	noLeaks(t)
	for _, tt := range []struct {
		name, answer string
		crashed      bool
	}{
		{"1.0, closed", "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", true},
		{"1.1, closed", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", true},
		{"1.0, with an answer", "HTTP/1.0 200 OK\r\n\r\n{}", false},
		{"1.0, a length", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false},
		{"1.1, a length", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false},
		{"1.1, no pieces", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false},
		{"1.0, no content", "HTTP/1.0 204 No Content\r\n\r\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address := answersOnce(t, tt.answer)
			s := newSession(t, Config{Entries: before(newHTTP(t, "http://"+address))}, textRule(t, rule.Allow, "Bash"))
			if tt.crashed {
				wantDecision(t, s.bash("make"), denied, "hook broken: http http://"+address, "Content-Length: 0")
			} else {
				wantDecision(t, s.bash("make"), allowed)
			}
		})
	}
}

// answersOnce is a server that gives one answer as it is written here, and closes.
func answersOnce(t *testing.T, answer string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		_, _ = io.WriteString(conn, answer)
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return listener.Addr().String()
}

func TestH16_AnEndpointThatHangsTimesOut(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	drip := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	wait := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	t.Run("before the answer", func(t *testing.T) { hangs(t, wait) })
	t.Run("in the middle of it", func(t *testing.T) { hangs(t, drip) })
	t.Run("before a word", func(t *testing.T) {
		noLeaks(t)
		wantFailure(t, newHTTP(t, "http://"+silent.Addr().String()).Handle(short(t), Invocation{JSON: []byte("{}")}), TimedOut, `"timeout"`)
	})
	t.Run("before it is encrypted", func(t *testing.T) {
		noLeaks(t)
		wantFailure(t, newHTTP(t, "https://"+silent.Addr().String()).Handle(short(t), Invocation{JSON: []byte("{}")}), TimedOut, `"timeout"`)
	})
}

func hangs(t *testing.T, answer http.HandlerFunc) {
	t.Helper()
	noLeaks(t)
	reached := make(chan struct{}, 1)
	url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		answer(w, r)
	})
	wantFailure(t, newHTTP(t, url).Handle(short(t), Invocation{JSON: []byte("{}")}), TimedOut, `"timeout"`)
	<-reached
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	wantFailure(t, newHTTP(t, url).Handle(ctx, Invocation{JSON: []byte("{}")}), Cancelled, "nobody")
	wantFailure(t, newHTTP(t, url).Handle(ctx, Invocation{JSON: []byte("{}")}), Cancelled, "nobody")
	if len(reached) > 0 {
		t.Error("it was asked although nobody needs the answer")
	}
}

func TestH16_AnEndpointThatIsNotThereCannotStart(t *testing.T) {
	noLeaks(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	wantFailure(t, newHTTP(t, "http://"+l.Addr().String()).Handle(t.Context(), Invocation{JSON: []byte("{}")}), CannotStart, "no connection")
	h, err := NewHTTP("http://"+l.Addr().String(), map[string]string{"X-Key": "$ASSENT_TEST_NOT_SET"}, "ASSENT_TEST_NOT_SET")
	if err != nil {
		t.Fatal(err)
	}
	wantFailure(t, h.Handle(t.Context(), Invocation{JSON: []byte("{}")}), CannotStart, "ASSENT_TEST_NOT_SET")
	t.Setenv("ASSENT_TEST_NOT_SET", "two\r\nX-Admin: yes")
	wantFailure(t, h.Handle(t.Context(), Invocation{JSON: []byte("{}")}), CannotStart, "control character")
}

func TestH16_EncryptionIsChecked(t *testing.T) {
	noLeaks(t)
	server := httptest.NewUnstartedServer(says(`{}`))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	h := newHTTP(t, server.URL)
	wantFailure(t, h.Handle(t.Context(), Invocation{JSON: []byte("{}")}), CannotStart, "certificate")
	h.roots = x509.NewCertPool()
	h.roots.AddCert(server.Certificate())
	if reply := h.Handle(t.Context(), Invocation{JSON: []byte("{}")}); reply.Failure != nil || string(reply.Text) != "{}" {
		t.Errorf("got %+v", reply)
	}
}

// Plain http stays on this machine: proxies are not asked, and a name server cannot
// move localhost.
func TestH16_PlainHTTPStaysOnThisMachine(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:80": true, "127.9.9.9:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"10.0.0.1:80": false, "[::]:80": false, "0.0.0.0:80": false, "[fe80::1%eth0]:80": false, "[::ffff:10.0.0.1]:80": false, "localhost:80": false,
	} {
		if err := onlyLoopback("tcp", address, nil); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	h := HTTP{}
	if h.transport("http").Proxy != nil {
		t.Error("plain http goes through a proxy")
	}
	if h.transport("https").Proxy == nil {
		t.Error("https does not find the proxy of a company")
	}
	noLeaks(t)
	url, _ := endpoint(t, says("{}"))
	if reply := newHTTP(t, strings.Replace(url, "127.0.0.1", "localhost", 1)).Handle(t.Context(), Invocation{JSON: []byte("{}")}); reply.Failure != nil {
		t.Errorf("localhost: %+v", reply.Failure)
	}
	// A name that leads away, whatever it looks like.
	dial := h.transport("http").DialContext
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if c, err := dial(ctx, "tcp", "192.0.2.1:80"); err == nil || !strings.Contains(err.Error(), "not this machine") {
		t.Errorf("dialled %v, %v", c, err)
	}
}

func TestH16_ANonsenseEndpointIsRefusedWithAHint(t *testing.T) {
	tests := []struct {
		url     string
		headers map[string]string
		want    string
	}{
		{" ", nil, "empty"},
		{"https://host:port/", nil, "cannot be read"},
		{"check.example.com/hook", nil, "https://"},
		{"ftp://example.com", nil, "https://"},
		{"https:///path", nil, "no host"},
		{"https://user:pass@example.com", nil, "Authorization"},
		{"http://example.com", nil, "use https"},
		{"http://10.0.0.1/", nil, "use https"},
		{"http://0.0.0.0/", nil, "use https"},
		{"http://localhost.example.com/", nil, "use https"},
		{"http://127.0.0.1.nip.io/", nil, "use https"},
		{"http://2130706433/", nil, "use https"},
		{"https://example.com", map[string]string{"a b": "c"}, "no name for a header"},
		{"https://example.com", map[string]string{"": "c"}, "no name for a header"},
		{"https://example.com", map[string]string{"host": "other"}, "part of the connection"},
		{"https://example.com", map[string]string{"transfer-encoding": "chunked"}, "part of the connection"},
		{"https://example.com", map[string]string{"A": "b\r\nC: d"}, "control character"},
		{"https://example.com", map[string]string{"A": "Bearer $TOKEN"}, `list it in "allowedEnvVars"`},
		{"https://example.com", map[string]string{"A": "${ALLOWED} ${OTHER}"}, "OTHER"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.url, test.headers), func(t *testing.T) {
			h, err := NewHTTP(test.url, test.headers, "ALLOWED")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error is %v, want %q", err, test.want)
			}
			if strings.Contains(err.Error(), "pass") && strings.Contains(test.url, "pass@") && strings.Contains(err.Error(), "user:pass") {
				t.Error("the error repeats the password")
			}
			wantFailure(t, h.Handle(t.Context(), Invocation{JSON: []byte("{}")}), CannotStart, test.want)
		})
	}
	for _, url := range []string{"https://example.com/x?y", "http://localhost:1/", "http://LOCALHOST/", "http://127.0.0.1/", "http://[::1]:8080/", "http://127.1.2.3"} {
		if _, err := NewHTTP(url, map[string]string{"A": "$ALLOWED", "B": "100$", "C": "$5", "D": "${a b}", "E": "${open"}, "ALLOWED"); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestH12_AnEndpointSharesTheStateOfTheSession(t *testing.T) {
	tests := []struct {
		name, answer string
		text         string
		merged       string
	}{
		{"no opinion", "", "", ""},
		{"only state", `{"state":{"verified":true,"old":null}}`, "", `{"verified":true,"old":null}`},
		{"state and a decision", ` {"decision":"block","state":{},"reason":"no"}`, `{"decision":"block","reason":"no"}`, `{}`},
		{"a decision", `{"decision":"block"}`, `{"decision":"block"}`, ""},
		{"text", `state of things`, `state of things`, ""},
		{"an array", `[{"state":{}}]`, `[{"state":{}}]`, ""},
		{"broken is for the reader", `{"state":{},"state":{}}`, `{"state":{},"state":{}}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url, last := endpoint(t, says(test.answer))
			state := &fakeState{all: `{"customer":"c1"}`}
			reply := newHTTP(t, url).Handle(t.Context(), Invocation{JSON: []byte(`{"tool_name":"refund"}`), State: state})
			if reply.Failure != nil || string(reply.Text) != test.text {
				t.Errorf("text is %q, %+v, want %q", reply.Text, reply.Failure, test.text)
			}
			if last.body != `{"state":{"customer":"c1"},"tool_name":"refund"}` {
				t.Errorf("it was sent %s", last.body)
			}
			if got := strings.Join(state.merged, " "); got != test.merged {
				t.Errorf("merged %s, want %s", got, test.merged)
			}
		})
	}
}

func TestH12_AStateThatDoesNotWorkIsAFailure(t *testing.T) {
	tests := []struct {
		name, answer string
		state        *fakeState
		want         string
	}{
		{"a string", `{"state":"x","decision":"approve"}`, &fakeState{all: "{}"}, "must be an object"},
		{"null", `{"state":null}`, &fakeState{all: "{}"}, "must be an object"},
		{"an array", `{"state":[]}`, &fakeState{all: "{}"}, "must be an object"},
		{"refused", `{"state":{"a":1}}`, &fakeState{all: "{}", refuse: "too large"}, "too large"},
		{"cannot be read", `{}`, &fakeState{}, "the disk is gone"},
		{"is not JSON", `{}`, &fakeState{all: "{"}, "cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			url, _ := endpoint(t, says(test.answer))
			reply := newHTTP(t, url).Handle(t.Context(), Invocation{JSON: []byte(`{}`), State: test.state})
			wantFailure(t, reply, ReturnedError, test.want)
			if len(reply.Text) > 0 {
				t.Errorf("the rest of the answer came through: %s", reply.Text)
			}
		})
	}
	url, _ := endpoint(t, says(`{"state":"x"}`))
	if reply := newHTTP(t, url).Handle(t.Context(), Invocation{JSON: []byte(`{}`)}); string(reply.Text) != `{"state":"x"}` {
		t.Errorf("without a state the answer is left as it is: %+v", reply)
	}
}

func TestH16_EndpointsAreNamedAndTold(t *testing.T) {
	h := newHTTP(t, "https://example.com/hook?token=s3cret")
	if got := h.Name(); got != "http https://example.com/hook" {
		t.Errorf("name is %q", got)
	}
	if got := (HTTP{URL: "https://u:s3cret@example.com"}).Name(); strings.Contains(got, "s3cret") {
		t.Errorf("name is %q", got)
	}
	twin, other := h, h
	twin.Headers = map[string]string{}
	other.Headers = map[string]string{"A": "b"}
	if h.Key() == "" || h.Key() != twin.Key() || h.Key() == other.Key() {
		t.Errorf("keys are %q, %q, %q", h.Key(), twin.Key(), other.Key())
	}
}
