//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// listener is the program of somebody who wants to be told.
type listener struct {
	t        *testing.T
	address  string
	mu       sync.Mutex
	refusals int // how many messages it does not take first
	came     []webhook
}

// webhook is what came.
type webhook struct {
	ID   string `json:"-"`
	Type string `json:"type"`
	Data struct {
		Ticket   string         `json:"ticket"`
		Sentence string         `json:"sentence"`
		Project  string         `json:"project"`
		Link     string         `json:"link"`
		Expires  time.Time      `json:"expires"`
		Input    strictjson.Raw `json:"input"`
	} `json:"data"`
}

// listens starts one, and has the settings of a machine say that it is to be told.
func (p *place) listens(more string) *listener {
	p.t.Helper()
	l := &listener{t: p.t}
	server := httptest.NewServer(l)
	p.t.Cleanup(server.Close)
	l.address = server.URL
	secret := filepath.Join(p.home, "webhook-secret")
	if err := os.WriteFile(secret, []byte(webhookSecret+"\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	dir := filepath.Join(p.home, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	text := fmt.Sprintf(`{"assent": {%s"notifications": [{"name": "ops", "type": "webhook", "url": %q, "private": true, "secret": {"file": %q}}]}}`, more, server.URL, secret)
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return l
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	verifier, err := standardwebhooks.NewWebhook(webhookSecret)
	body, bad := io.ReadAll(r.Body)
	if err != nil || bad != nil || verifier.Verify(body, r.Header) != nil {
		l.t.Errorf("what came is not signed: %s (%v, %v)", body, err, bad)
	}
	var it webhook
	if err := strictjson.Unmarshal(body, &it); err != nil {
		l.t.Error(err)
	}
	it.ID = r.Header.Get("webhook-id")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.came = append(l.came, it); l.refusals > 0 {
		l.refusals--
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// until waits until so many messages of a type have come, and returns them.
func (l *listener) until(kind string, n int, server *worker) (all []webhook) {
	l.t.Helper()
	for end := time.Now().Add(patienceOfTests); ; time.Sleep(20 * time.Millisecond) {
		l.mu.Lock()
		all = slices.DeleteFunc(slices.Clone(l.came), func(w webhook) bool { return w.Type != kind })
		l.mu.Unlock()
		if len(all) >= n {
			return all
		}
		if time.Now().After(end) {
			l.t.Fatalf("%d of %d %s came\n%s", len(all), n, kind, server.stderr)
		}
	}
}

// A call waits, and somebody's program is told: signed, with a link, and once more after it did
// not take the message. Somebody answers while no server is there, which the next one tells.
func TestA5_PeopleElsewhereAreTold(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	l := p.listens("")
	l.refusals = 2
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	server, _ := p.serving("--listen", "127.0.0.1:0", "--public-url", "https://inbox.example.com", "--", "--model", end)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	came := l.until("call.waits", 3, server)
	data := came[0].Data
	if data.Sentence != "Run a command: echo" || data.Project != filepath.Base(p.dir) || data.Input != nil || !strings.HasPrefix(data.Link, "https://inbox.example.com/#/confirm/") {
		t.Errorf("%+v", data)
	}
	for _, again := range came[1:] {
		if again.ID != came[0].ID || again.Data.Link != data.Link {
			t.Errorf("%+v, and then %+v", came[0], again)
		}
	}
	_ = server.cmd.Process.Signal(syscall.SIGKILL)
	server.end()
	if log := server.stderr.String(); !strings.Contains(log, `msg="something did not work, and is tried again"`) {
		t.Errorf("the log does not say that it was tried again:\n%s", log)
	}
	if _, complained, status := p.say("approve", data.Ticket); status != 0 {
		t.Fatal(complained)
	}
	next, _ := p.serving("--listen", "127.0.0.1:0", "--", "--model", end)
	if told := l.until("call.answered", 1, next)[0].Data; told.Ticket != data.Ticket || told.Link != "" {
		t.Errorf("%+v", told)
	}
	for deadline := time.Now().Add(patienceOfTests); !p.has("effects"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not run\n%s", next.stderr)
		}
	}
	_ = next.cmd.Process.Signal(syscall.SIGTERM)
	if status := next.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, next.stderr)
	}
}

// Nobody answers: others are told as the terms of the call say, and then that the time is over. Settings
// have no times that are so short.
func TestA5_NobodyAnswersInTime(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	l := p.listens("")
	server, _ := p.serving("--listen", "127.0.0.1:0", "--no-resume")
	tickets, err := approval.Open(filepath.Join(p.home, ".assent"))
	if err != nil {
		t.Fatal(err)
	}
	defer tickets.Close()
	herald.Ring(tickets)
	if _, err := tickets.Park(t.Context(), approval.Parking{
		Call: approval.Call{Session: chosenID, ToolUseID: "toolu_1", Tool: "Bash", Input: strictjson.Raw(`{"command":"echo ran"}`), Cwd: p.dir}, By: "test",
		Lasts: 4 * time.Second, Terms: permission.Terms{Escalate: []permission.Escalation{{After: 2 * time.Second, Notify: []string{"ops", "nobody"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	expired := l.until("call.expired", 1, server)
	for _, kind := range []string{"call.waits", "call.reminds"} {
		if came := l.until(kind, 1, server); came[0].Data.Ticket != expired[0].Data.Ticket || came[0].Data.Expires.IsZero() {
			t.Errorf("%+v, %+v", came[0], expired[0])
		}
	}
	if said, _, _ := p.say("sessions", "show", expired[0].Data.Ticket); !strings.Contains(said, "no notification nobody") {
		t.Error(said)
	}
}

// With several machines the settings of the one whose server hears it count.
func TestA5_AMachineTellsWhatHappensOnAnother(t *testing.T) {
	t.Parallel()
	m := machines(t, 2)
	l := m[1].listens("")
	server := m[1].start(m[1].env(databaseVariable+"="+m[1].database), "serve", "--listen", "127.0.0.1:0", "--no-resume")
	server.expect("http")
	m[0].parks(chosenID, "touch deployed")
	ticket := l.until("call.waits", 1, server)[0].Data.Ticket
	if _, complained, status := m[0].says("approve", ticket); status != 0 {
		t.Fatal(complained)
	}
	if told := l.until("call.answered", 1, server)[0].Data; told.Ticket != ticket {
		t.Errorf("%+v", told)
	}
}

func TestWherePeopleReachAServer(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"https://inbox.example.com":        "https://inbox.example.com/",
		"https://inbox.example.com:8443/":  "https://inbox.example.com:8443/",
		"http://127.0.0.1:8722":            "http://127.0.0.1:8722/",
		"http://inbox.example.com":         "!",
		"https://inbox.example.com/below":  "!",
		"https://inbox.example.com/?a=b":   "!",
		"https://inbox.example.com/#token": "!",
		"https://ana:pw@inbox.example.com": "!",
		"inbox.example.com":                "!",
		"https://":                         "!",
		"javascript:alert(1)":              "!",
	} {
		u, err := readPublic(text)
		got := "!"
		switch {
		case err == nil && u == nil:
			got = ""
		case err == nil:
			got = u.String()
		case !strings.Contains(err.Error(), "--public-url"):
			t.Error(err)
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%v)", text, got, want, err)
		}
	}
}
