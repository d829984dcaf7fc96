package oidc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
)

// world is a server with people, at which they sign in by another one.
type world struct {
	*Handler
	t     *testing.T
	web   *httptest.Server
	said  *lines
	later atomic.Int64 // how much the clock goes ahead
}

// lines is a log that tests read.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var operator = people.Operator("olga@test")

// newWorld is a server that nobody has told of the other one yet.
func newWorld(t *testing.T) *world {
	t.Helper()
	t.Setenv("ASSENT_TEST_OIDC_SECRET", "a secret for + tests")
	db, err := database.OpenFile(filepath.Join(t.TempDir(), "people.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store, err := people.On(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, said: &lines{}}
	w.web = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.ServeHTTP(rw, r) }))
	t.Cleanup(w.web.Close)
	public, err := url.Parse(w.web.URL)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(w.said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.Handler = New(Settings{}, public, store, log)
	began := time.Now()
	w.now = func() time.Time { return began.Add(time.Duration(w.later.Load())) } // no time passes but in pass
	return w
}

// know tells the server of the other one.
func (w *world) know(issuer string) {
	w.settings = Settings{
		Issuer: issuer, ClientID: "assent", Secret: &secret.Place{Env: "ASSENT_TEST_OIDC_SECRET"}, Name: "Example <b>",
		Scopes: []string{"openid", "profile", "email", "groups"}, NameClaim: "preferred_username", GroupsClaim: "groups",
		Roles: map[string]people.Role{"ops": people.Approver, "admins": people.Admin}, Arrival: people.Create,
	}
	w.reconnect()
}

// reconnect makes the server ask the other one anew.
func (w *world) reconnect() {
	w.server = newServer(w.settings, func() time.Time { return w.now() })
	w.t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
}

func (w *world) pass(d time.Duration) { w.later.Add(int64(d)) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// provider is a real server that knows people.
type provider struct {
	t       *testing.T
	address string
	stop    func()
}

// startProvider starts one on a port; zero is any.
func (w *world) startProvider(port int) *provider {
	w.t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		w.t.Fatal("node is missing, with which the other server runs: run scripts/setup")
	}
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, node, filepath.Join("testdata", "provider", "provider.mjs"), w.web.URL+CallbackPath, strconv.Itoa(port))
	var complaints bytes.Buffer
	command.Stderr = &complaints
	stdin, err := command.StdinPipe() // it ends with this process
	w.must(err)
	out, err := command.StdoutPipe()
	w.must(err)
	w.must(command.Start())
	stop := sync.OnceFunc(func() {
		cancel()
		_ = stdin.Close()
		_ = command.Wait()
	})
	w.t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		w.t.Fatalf("the other server does not start: %v\n%s(if something is missing, run scripts/setup)", err, complaints.String())
	}
	return &provider{w.t, strings.TrimSpace(line), stop}
}

// known is a world with a real server that it knows.
func known(t *testing.T) (*world, *provider) {
	t.Helper()
	w := newWorld(t)
	p := w.startProvider(0)
	w.know(p.address)
	return w, p
}

// next says who signs in at the other server from now on.
func (p *provider) next(sub string, claims map[string]any) {
	p.t.Helper()
	body, err := strictjson.Marshal(map[string]any{"sub": sub, "claims": claims})
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.Post(p.address+"/test/who", "application/json", bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		p.t.Fatalf("the other server says %s", response.Status)
	}
}

// freePort is one that nobody uses at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// browser keeps cookies, and goes where it is told one step after the other.
type browser struct {
	t      *testing.T
	w      *world
	client *http.Client
}

func (w *world) browser() *browser {
	jar, err := cookiejar.New(nil)
	w.must(err)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{w.t, w, &http.Client{Jar: jar, CheckRedirect: stay, Timeout: time.Minute}}
}

// answer is what a browser gets.
type answer struct {
	status   int
	location string // as a whole address; empty for none
	body     string
	header   http.Header
}

func (b *browser) get(address string) answer {
	b.t.Helper()
	response, err := b.client.Get(address)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	a := answer{status: response.StatusCode, body: string(body), header: response.Header}
	if where, err := response.Location(); err == nil {
		a.location = where.String()
	}
	return a
}

// begin begins to sign in, and is where the other server is asked.
func (b *browser) begin() string {
	b.t.Helper()
	a := b.get(b.w.web.URL + StartPath)
	if a.status != http.StatusSeeOther {
		b.t.Fatalf("got %d: %s", a.status, a.body)
	}
	return a.location
}

// goOn does what the other server says, until it sends the browser back.
func (b *browser) goOn(address string) string {
	b.t.Helper()
	for range 10 {
		a := b.get(address)
		if a.location == "" {
			b.t.Fatalf("the other server says %d: %s", a.status, a.body)
		}
		if address = a.location; strings.HasPrefix(address, b.w.web.URL) {
			return address
		}
	}
	b.t.Fatal("the other server sends the browser around")
	return ""
}

// signIn does all of it.
func (b *browser) signIn() answer {
	b.t.Helper()
	return b.get(b.goOn(b.begin()))
}

// signedIn is who an answer lets in.
func (w *world) signedIn(a answer) people.Person {
	w.t.Helper()
	token, ok := strings.CutPrefix(a.location, w.web.URL+"/#token=")
	if a.status != http.StatusSeeOther || !ok || a.body != "" {
		w.t.Fatalf("got %d to %q: %s\n%s", a.status, a.location, a.body, w.said)
	}
	p, _, err := w.people.Who(w.t.Context(), token)
	w.must(err)
	return p
}

// refused: nobody is let in, and the page says why and nothing else.
func (w *world) refused(a answer, why reason) {
	w.t.Helper()
	status, _ := why.tell(w.settings.Name)
	part := map[reason]string{
		unreachable: "does not answer", foreign: "did not begin in this browser", declined: "has not signed you in", unconfirmed: "could not be confirmed",
		uninvited: "does not let you in", noRole: "none of your groups", disabled: "You are disabled", lastAdmin: "you are the last one", broken: "Something went wrong",
	}[why]
	if a.status != status || a.location != "" || !strings.Contains(a.body, part) {
		w.t.Errorf("got %d to %q, want %d and a page with %q: %s\n%s", a.status, a.location, status, part, a.body, w.said)
	}
	for _, never := range []string{"code", "state=", "asp_", "<b>", "nonce"} {
		if strings.Contains(a.body, never) {
			w.t.Errorf("the page says %q: %s", never, a.body)
		}
	}
}

// with is an address with another value of a query.
func with(t *testing.T, address, key, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	if query.Set(key, value); value == "" {
		query.Del(key)
	}
	u.RawQuery = query.Encode()
	return u.String()
}
