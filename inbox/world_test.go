package inbox

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

const testToken = "test-token-0123456789-0123456789-0123456789"

// world is a state directory, a project and a server over both.
type world struct {
	*Server
	t        testing.TB
	top, cwd string
	log      *logbook
	web      *httptest.Server
	// bearer is the token with which requests are sent, and requester and terms are those of
	// calls that are parked.
	bearer    string
	requester string
	terms     permission.Terms
	// stopped is the moment from which [world.at] counts.
	stopped time.Time
}

func newWorld(t testing.TB) *world {
	t.Helper()
	top := t.TempDir()
	state := filepath.Join(top, "state")
	w := &world{t: t, top: top, cwd: filepath.Join(top, "project"), log: &logbook{}, bearer: testToken}
	w.must(os.MkdirAll(filepath.Join(w.cwd, ".claude"), 0o755))
	w.must(os.MkdirAll(filepath.Join(top, "home"), 0o755))
	tickets, err := approval.Open(state)
	w.must(err)
	w.must(tickets.Share(4))
	t.Cleanup(func() { tickets.Close() })
	set, err := tool.NewSet(tool.Builtin()...)
	w.must(err)
	checker := func(cwd string) (*policy.Checker, error) {
		return &policy.Checker{Tools: set, Links: permission.NoLinks{}, Settings: settings.Options{Dir: cwd, Home: filepath.Join(top, "home"), StateDir: state, TrustWorkspace: true, ManagedFiles: []string{}}}, nil
	}
	w.web = httptest.NewUnstartedServer(nil)
	w.Server, err = New(Config{
		Dir: state, Tickets: tickets, Sessions: session.NewStore(filepath.Join(state, "sessions")), Checker: checker, Token: testToken,
		Hosts: []string{w.web.Listener.Addr().String()}, Who: "ann@test", Version: "test", Resume: func(context.Context, string, []permission.Update) error { return nil }, Log: slog.New(slog.NewTextHandler(w.log, nil)),
	})
	w.must(err)
	w.web.Config = w.HTTP()
	w.web.Start()
	t.Cleanup(w.web.Close)
	return w
}

// logbook is a log that can be read while it is written.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (w *world) logged() string {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	return w.log.text.String()
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// run runs the server in the background until the test ends.
func (w *world) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	})
}

// rules are the settings of the project.
func (w *world) rules(text string) {
	w.t.Helper()
	w.must(os.WriteFile(filepath.Join(w.cwd, ".claude", "settings.json"), []byte(text), 0o644))
}

// park parks calls in a new session, each with its ticket.
func (w *world) park(calls ...session.PendingCall) []approval.Ticket {
	w.t.Helper()
	return w.parkIn(session.NewID(), calls...)
}

func (w *world) parkIn(id string, calls ...session.PendingCall) []approval.Ticket {
	w.t.Helper()
	tr, err := w.Sessions.Create(id, session.Start{Cwd: w.cwd, Model: "m", Mode: "default"})
	w.must(err)
	w.must(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("deploy the site")}}))
	turn := model.Message{Role: model.Assistant, Content: []model.Block{model.TextBlock("I will do that.")}}
	now := time.Now().Truncate(time.Microsecond)
	for i := range calls {
		c := &calls[i]
		c.Cwd, c.Since = w.cwd, now
		if !c.Until.IsZero() { // it is over as soon as somebody looks
			c.Until = now.Add(time.Microsecond)
		}
		c.ToolUseID = "toolu_" + string(rune('a'+i))
		turn.Content = append(turn.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input})
	}
	w.must(tr.Append(session.Said, turn))
	w.must(tr.Append(session.Parked, session.Pending{Calls: calls}))
	var tickets []approval.Ticket
	for _, c := range calls {
		call := approval.Call{Session: id, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}
		j := w.judge(call, "default")
		p := approval.Parking{Call: call, Why: "a person has to say so", Policy: "sha256:test", At: now, By: "test", Risk: permission.HighRisk, Requester: w.requester, Terms: w.terms}
		if j.judgement != nil && j.judgement.Call != nil {
			p.Risk, p.Kin = permission.RiskOf(j.judgement.Call, j.judgement.Decision), permission.Kin(j.judgement.Call)
			p.Places = j.judgement.Call.Places()
		}
		if !c.Until.IsZero() {
			p.Lasts = c.Until.Sub(now)
		}
		ticket, err := w.Tickets.Park(w.t.Context(), p)
		w.must(err)
		tickets = append(tickets, ticket)
	}
	w.must(tr.Close()) // a server that looks for calls without a ticket leaves a session alone that is in use
	return tickets
}

func call(name string, input any) session.PendingCall {
	text, err := strictjson.Marshal(input)
	if err != nil {
		panic(err)
	}
	return session.PendingCall{Tool: name, Input: text}
}

func bash(command string) session.PendingCall {
	return call("Bash", map[string]string{"command": command})
}

// answer is what a server has sent.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) code() string {
	var v struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = strictjson.Unmarshal([]byte(a.body), &v)
	return v.Error.Code
}

func (a answer) into(t testing.TB, v any) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("status %d: %s", a.status, a.body)
	}
	if err := strictjson.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
}

// request is one with the token; change may take it away.
func (w *world) request(method, path, body string, change ...func(*http.Request)) answer {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), 30*time.Second) // what should be refused may never end
	defer stop()
	r, err := http.NewRequestWithContext(ctx, method, w.web.URL+path, strings.NewReader(body))
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.bearer)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	resp, err := w.web.Client().Do(r)
	w.must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	w.must(err)
	return answer{resp.StatusCode, resp.Header, string(text)}
}

func (w *world) get(path string) answer { w.t.Helper(); return w.request(http.MethodGet, path, "") }

func (w *world) post(path string, body any) answer {
	w.t.Helper()
	text, err := strictjson.Marshal(body)
	w.must(err)
	return w.request(http.MethodPost, path, string(text))
}

func (w *world) look(id string) detailView {
	w.t.Helper()
	var d detailView
	w.get("/api/v1/tickets/"+id).into(w.t, &d)
	return d
}

// everything is the contents of the database, and of the sessions.
func (w *world) everything() string {
	w.t.Helper()
	var all strings.Builder
	list, err := w.Tickets.List(w.t.Context(), approval.Query{})
	w.must(err)
	for _, t := range list {
		history, err := w.Tickets.History(w.t.Context(), t.ID)
		w.must(err)
		text, err := strictjson.Marshal(struct {
			T approval.Ticket
			H []approval.Event
		}{t, history})
		w.must(err)
		all.Write(append(text, '\n'))
	}
	w.must(filepath.WalkDir(w.top, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(d.Name(), "state.db") {
			return err
		}
		data, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(data) + "\n")
		return err
	}))
	return all.String()
}
