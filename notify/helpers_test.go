package notify

import (
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// deadProxy is one that nobody reaches. It is in the environment before the first request,
// because net/http looks there once in the life of a process.
const deadProxy = "http://127.0.0.1:1"

func TestMain(m *testing.M) {
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		_ = os.Setenv(name, deadProxy)
	}
	os.Exit(m.Run())
}

func message() Message {
	return Message{
		ID: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", Kind: Waits, At: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Ticket: "k3j9x2m4p7qa", Sentence: "Run npm publish in web", Outline: "Run a command: npm", Risk: permission.HighRisk, Project: "web",
		Link: "https://inbox.example.com/#/confirm/bvFqLcUzYV3HA0aSWCyfPspbXCzgu1yFI5qZTGBgxPyHDQ3w0Ib0pA7pdOpgFQpy", Expires: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC),
		Input: []byte(`{"command":"npm publish"}`),
	}
}

// parsed is the one target of a text.
func parsed(t *testing.T, text string) Target {
	t.Helper()
	targets, problems := Parse([]byte("[" + text + "]"))
	if len(problems) > 0 || len(targets) != 1 {
		t.Fatalf("%s: %d targets, %v", text, len(targets), problems)
	}
	return targets[0]
}

// kept puts a secret into a file that nobody else can read, and returns its JSON.
func kept(t *testing.T, secret string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"file": %q}`, file)
}

// receiver is a server that remembers what it was sent.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []*http.Request
	bodies []string
}

// receive starts one with TLS, which answers by answer; nil means 200.
func receive(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		r.got, r.bodies = append(r.got, request), append(r.bodies, string(body))
		r.mu.Unlock()
		if answer != nil {
			answer(w, request)
		}
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that go away are part of the tests
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

// sender trusts the receiver's certificate, which is for example.com and 127.0.0.1.
func (r *receiver) sender() Sender {
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	return Sender{roots: roots}
}

// port is that on which it listens.
func (r *receiver) port() string { return r.URL[strings.LastIndex(r.URL, ":")+1:] }

func webhookTo(t *testing.T, url, more string) Target {
	t.Helper()
	return parsed(t, fmt.Sprintf(`{"name": "ops", "type": "webhook", "url": %q, "secret": %s%s}`, url, kept(t, testSecret), more))
}

const private = `, "private": true`
