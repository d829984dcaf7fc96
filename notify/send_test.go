package notify

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

func TestSend_Outcomes(t *testing.T) {
	for _, c := range []struct {
		code  int
		after string
		want  Verdict
		wait  time.Duration
	}{
		{200, "", Sent, 0},
		{204, "", Sent, 0},
		{400, "", Never, 0},
		{401, "", Never, 0},
		{403, "", Never, 0},
		{404, "", Never, 0},
		{408, "", Again, 0},
		{410, "60", Never, 0},
		{425, "", Again, 0},
		{429, "", Again, 0},
		{429, "7", Again, 7 * time.Second},
		{429, "0", Again, time.Second},
		{429, "999999", Again, time.Hour},
		{429, "99999999999999999999999", Again, time.Hour},
		{429, "-5", Again, 0},
		{429, "soon", Again, 0},
		{429, "Fri, 31 Dec 1999 23:59:59 GMT", Again, time.Second},
		{500, "", Again, 0},
		{503, "120", Again, 2 * time.Minute},
		{503, "Fri, 31 Dec 2999 23:59:59 GMT", Again, time.Hour},
		{599, "", Again, 0},
	} {
		t.Run(fmt.Sprint(c.code, " ", c.after), func(t *testing.T) {
			server := receive(t, func(w http.ResponseWriter, _ *http.Request) {
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				w.WriteHeader(c.code)
			})
			got := server.sender().Send(t.Context(), webhookTo(t, server.URL+"/path?token=geheim", private), message())
			if got.Verdict != c.want || got.Wait != c.wait {
				t.Errorf("%+v, want %v after %v", got, c.want, c.wait)
			}
			if strings.Contains(got.Text, "geheim") || strings.Contains(got.Text, "path") || !strings.Contains(got.Text, "127.0.0.1") {
				t.Errorf("text %q", got.Text)
			}
		})
	}
}

func TestSend_NetworkErrorsAreTriedAgain(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	breaks := receive(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	floods := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X", strings.Repeat("x", 1<<20))
	})
	untrusted := receive(t, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		sender Sender
		url    string
		want   string
	}{
		{"nobody listens", t.Context(), Sender{}, "https://" + closed.Addr().String(), "nobody listens"},
		{"it breaks", t.Context(), breaks.sender(), breaks.URL, "broke"},
		{"too many headers", t.Context(), floods.sender(), floods.URL, "broke"},
		{"a certificate that nobody knows", t.Context(), Sender{}, untrusted.URL, "certificate"},
		{"the caller has stopped", ended, breaks.sender(), breaks.URL, "stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.sender.Send(c.ctx, webhookTo(t, c.url+"/geheim", private), message())
			if got.Verdict != Again || !strings.Contains(got.Text, c.want) || strings.Contains(got.Text, "geheim") {
				t.Errorf("%+v", got)
			}
		})
	}
	if untrusted.count() != 0 {
		t.Error("a message went to a server that nobody knows")
	}
}

// A server that takes a connection and says nothing does not hold anybody up.
func TestSend_HasAnEnd(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for name, target := range map[string]Target{
		"https": webhookTo(t, "https://"+silent.Addr().String(), private),
		"http":  webhookTo(t, "http://"+silent.Addr().String(), private),
		"mail":  parsed(t, fmt.Sprintf(`{"name": "m", "type": "email", "server": %q, "private": true, "from": "a@example.com", "to": ["b@example.com"]}`, silent.Addr())),
	} {
		got := Sender{limit: 50 * time.Millisecond}.Send(t.Context(), target, message())
		if got.Verdict != Again || !strings.Contains(got.Text, "in time") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if patience > 30*time.Second {
		t.Errorf("nobody waits for %v", patience)
	}
}

func TestSend_WhatIsNotAMessage(t *testing.T) {
	server := receive(t, nil)
	target := webhookTo(t, server.URL, private+`, "input": true`)
	for name, change := range map[string]func(*Message){
		"no id":          func(m *Message) { m.ID = "" },
		"an id of lines": func(m *Message) { m.ID = "a\r\nX-Evil: 1" },
		"an id of dots":  func(m *Message) { m.ID = "a.b" },
		"no kind":        func(m *Message) { m.Kind = "" },
		"no time":        func(m *Message) { m.At = time.Time{} },
		"no sentence":    func(m *Message) { m.Sentence = "" },
		"a script":       func(m *Message) { m.Link = "javascript:alert(1)" },
		"no host":        func(m *Message) { m.Link = "https:///x" },
		"a user":         func(m *Message) { m.Link = "https://a:b@example.com/" },
		"broken input":   func(m *Message) { m.Input = []byte(`{"a":1,"a":2}`) },
	} {
		m := message()
		change(&m)
		if got := server.sender().Send(t.Context(), target, m); got.Verdict != Never {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := (Sender{}).Send(t.Context(), Target{}, message()); got.Verdict != Never {
		t.Errorf("no target: %+v", got)
	}
	if server.count() != 0 {
		t.Error("something was sent")
	}
}

// The signature is one that the library of the specification takes, for each secret; the id
// and the body stay when it is tried again.
func TestWebhook_Signature(t *testing.T) {
	const former = "whsec_Zm9ybWVyLXNlY3JldC1mb3JtZXItc2VjcmV0"
	server := receive(t, nil)
	target := parsed(t, fmt.Sprintf(`{"name": "a", "type": "webhook", "url": %q, "private": true, "secret": [%s, %s]}`,
		server.URL+"/hook?x=1", kept(t, testSecret), kept(t, former)))
	for range 2 {
		if got := server.sender().Send(t.Context(), target, message()); got.Verdict != Sent {
			t.Fatalf("%+v", got)
		}
	}
	for i, request := range server.got {
		for _, secret := range []string{testSecret, former} {
			verifier, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			if err := verifier.Verify([]byte(server.bodies[i]), request.Header); err != nil {
				t.Error(err)
			}
			if err := verifier.Verify([]byte(server.bodies[i]+" "), request.Header); err == nil {
				t.Error("another body has the same signature")
			}
		}
		if request.Header.Get("webhook-id") != message().ID+"-a" || request.URL.String() != "/hook?x=1" || request.Method != http.MethodPost || request.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", request.Method, request.URL, request.Header)
		}
	}
	const want = `{"type":"call.waits","timestamp":"2026-03-01T12:00:00Z","data":{"ticket":"k3j9x2m4p7qa","sentence":"Run a command: npm","risk":"high",` +
		`"project":"web","link":"https://inbox.example.com/#/confirm/bvFqLcUzYV3HA0aSWCyfPspbXCzgu1yFI5qZTGBgxPyHDQ3w0Ib0pA7pdOpgFQpy","expires":"2026-03-04T12:00:00Z"}}`
	if server.bodies[0] != want || server.bodies[1] != want {
		t.Errorf("bodies\n%s\n%s\nwant\n%s", server.bodies[0], server.bodies[1], want)
	}
}

// Two targets may have one receiver, which does nothing about an id that it has seen.
func TestWebhook_EachTargetHasItsOwnID(t *testing.T) {
	server := receive(t, nil)
	ids := map[string]bool{}
	names := []string{"a", "b", strings.Repeat("x", 128)}
	for _, name := range names {
		target := parsed(t, fmt.Sprintf(`{"name": %q, "type": "webhook", "url": %q, "private": true, "secret": %s}`, name, server.URL, kept(t, testSecret)))
		if got := server.sender().Send(t.Context(), target, message()); got.Verdict != Sent {
			t.Fatalf("%+v", got)
		}
	}
	for _, request := range server.got {
		ids[request.Header.Get("webhook-id")] = true
	}
	if len(ids) != len(names) {
		t.Error(ids)
	}
}

// The example of the specification.
func TestWebhook_VectorOfTheSpecification(t *testing.T) {
	all, err := signers([]string{testSecret})
	if err != nil {
		t.Fatal(err)
	}
	got, err := all[0].Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

// Nothing in a webhook is invisible or turns text around: a receiver may show it as it is.
func TestT16_AWebhookHidesNothing(t *testing.T) {
	server := receive(t, nil)
	m := message()
	m.Project, m.Sentence, m.Outline = "ev\n\u202eil\u200b", "Run \u202eit\x1b[2J", "Run a \u2066command"
	for _, input := range []string{"true", "false"} {
		if got := server.sender().Send(t.Context(), webhookTo(t, server.URL, private+`, "input": `+input), m); got.Verdict != Sent {
			t.Fatalf("%+v", got)
		}
	}
	for _, body := range server.bodies {
		var read event
		if err := strictjson.Unmarshal([]byte(body), &read); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{read.Data.Project, read.Data.Sentence} {
			if text == "" || text != policy.Visible(text) {
				t.Errorf("%q", text)
			}
		}
	}
}

func TestNtfy_Post(t *testing.T) {
	for _, c := range []struct {
		secret, header string
	}{{"", ""}, {`, "secret": ` + kept(t, "tk_geheim"), "Bearer tk_geheim"}} {
		server := receive(t, nil)
		target := parsed(t, fmt.Sprintf(`{"name": "n", "type": "ntfy", "url": %q, "topic": "calls", "private": true%s}`, server.URL, c.secret))
		if got := server.sender().Send(t.Context(), target, message()); got.Verdict != Sent {
			t.Fatalf("%+v", got)
		}
		if got := server.got[0].Header.Get("Authorization"); got != c.header || server.got[0].URL.Path != "/" {
			t.Errorf("%q at %s", got, server.got[0].URL)
		}
		const want = `{"topic":"calls","title":"A call waits for an answer (high risk)","message":"Run a command: npm\nProject: web\nTicket: k3j9x2m4p7qa\nAnswer before: 2026-03-04 12:00 UTC",` +
			`"click":"https://inbox.example.com/#/confirm/bvFqLcUzYV3HA0aSWCyfPspbXCzgu1yFI5qZTGBgxPyHDQ3w0Ib0pA7pdOpgFQpy","priority":4,"tags":["waits","high"]}`
		if server.bodies[0] != want {
			t.Errorf("got  %s\nwant %s", server.bodies[0], want)
		}
	}
}

// The input, and a sentence with words of it, go where settings allow it, and nowhere else.
func TestT16_InputOnlyWhereItIsAllowed(t *testing.T) {
	for _, c := range []struct{ kind, more string }{
		{"webhook", `"url": %q, "secret": ` + kept(t, testSecret)},
		{"ntfy", `"url": %q, "topic": "calls"`},
		{"slack", ""},
	} {
		for _, allowed := range []bool{false, true} {
			server := receive(t, nil)
			more := strings.Replace(c.more, "%q", `"`+server.URL+`"`, 1)
			if c.kind == "slack" {
				more = `"secret": ` + kept(t, server.URL+"/services/T/B/geheim")
			}
			target := parsed(t, fmt.Sprintf(`{"name": "a", "type": %q, "private": true, "input": %t, %s}`, c.kind, allowed, more))
			got := server.sender().Send(t.Context(), target, message())
			body := server.bodies[0]
			for word, want := range map[string]bool{"Run npm publish in web": allowed, "publish": allowed, "Run a command: npm": !allowed} {
				if got.Verdict != Sent || strings.Contains(body, word) != want {
					t.Errorf("%s, allowed %v: %+v %s", c.kind, allowed, got, body)
				}
			}
			if err := strictjson.Valid([]byte(body)); err != nil {
				t.Error(err)
			}
		}
	}
}
