package metrics

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// scrape asks as Prometheus does, and reads the answer as it does.
func scrape(t *testing.T, h http.Handler) map[string]*told {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d, %v", w.Code, err)
	}
	families, err := readFamilies(string(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return families
}

// value is one figure: of a gauge or a counter its value, of a histogram how many it counts.
func value(t *testing.T, families map[string]*told, name, label string) float64 {
	t.Helper()
	f := families[name]
	if f == nil {
		t.Fatalf("there is no %s", name)
	}
	if f.kind == "histogram" {
		return f.samples[len(f.samples)-1].value
	}
	for _, one := range f.samples {
		if label == "" || len(one.labels) > 0 && one.labels[0].value == label {
			return one.value
		}
	}
	t.Fatalf("there is no %s %s", name, label)
	return 0
}

// world is tickets with figures about them.
type world struct {
	t       *testing.T
	tickets *approval.Store
	*Metrics
}

func newWorld(t *testing.T, db *database.DB) *world {
	t.Helper()
	tickets, err := approval.On(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, tickets, New(tickets, Build{"v1", "go1"})}
	now, err := tickets.Latest(t.Context()) // whatever the test does after it is counted
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { w.followFrom(ctx, now); close(over) }()
	t.Cleanup(func() { stop(); <-over })
	return w
}

func inFile(t *testing.T) *database.DB {
	t.Helper()
	db, err := database.OpenFile(t.TempDir() + "/state.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (w *world) park(n int) approval.Ticket {
	w.t.Helper()
	ticket, err := w.tickets.Park(w.t.Context(), approval.Parking{Call: approval.Call{
		Session: fmt.Sprint("canary-session-", n), ToolUseID: "toolu_canary", Tool: "CanaryTool", Input: strictjson.Raw(`{"command":"canary-input"}`), Cwd: "/canary-dir",
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	return ticket
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// eventually asks until a figure is what it should be. Nothing is read from the database for
// that, but what follows it needs a moment.
func (w *world) eventually(name, label string, want float64) {
	w.t.Helper()
	var got float64
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = value(w.t, scrape(w.t, w.Handler()), name, label); got == want {
			return
		}
	}
	w.t.Errorf("%s %s is %v, want %v", name, label, got, want)
}

// Real answers are counted, with the times they took, and no figure says anything about calls
// or people.
func TestT19_AnswersAreCountedAndNobodyIsNamed(t *testing.T) {
	w := newWorld(t, inFile(t))
	first, second := w.park(1), w.park(2)
	w.park(3)
	_, err := w.tickets.Approve(t.Context(), first.ID, first.Digest, "canary-person", "canary-message", nil)
	w.must(err)
	_, err = w.tickets.Deny(t.Context(), second.ID, second.Digest, "canary-person", "")
	w.must(err)
	fence, err := w.tickets.Claim(t.Context(), first.ID, first.Call, nil, "canary-holder")
	w.must(err)
	w.must(w.tickets.Lose(t.Context(), first.ID, fence, "canary-note"))
	w.eventually("assent_unknown_total", "", 1)
	w.eventually("assent_answers_total", "approved", 1)
	w.eventually("assent_answers_total", "denied", 1)
	w.eventually("assent_answer_seconds", "", 2)
	w.eventually("assent_start_seconds", "", 1)
	w.eventually("assent_changes_uncounted_total", "", 0)
	end := w.Run()
	w.eventually("assent_sessions_running", "", 1)
	end(Ended)
	w.Notified(Told)
	w.eventually("assent_sessions_interrupted_total", "", 0)
	w.Interrupted()
	w.eventually("assent_sessions_interrupted_total", "", 1)
	w.eventually("assent_sessions_running", "", 0)
	w.eventually("assent_runs_total", "ended", 1)
	w.eventually("assent_notifications_total", "sent", 1)
	w.eventually("assent_build_info", "", 1)
	if n := value(t, scrape(t, w.Handler()), "go_goroutines", ""); n < 2 {
		t.Errorf("%v goroutines", n)
	}
	again := New(w.tickets, Build{}) // what was read is kept for a moment
	families := scrape(t, again.Handler())
	for state, want := range map[string]float64{"pending": 1, "denied": 1, "unknown": 1, "approved": 0} {
		if got := value(t, families, "assent_tickets", state); got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
	rec := httptest.NewRecorder()
	w.Handler().ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if text := rec.Body.String(); strings.Contains(strings.ToLower(text), "canary") || strings.Contains(text, first.ID) {
		t.Errorf("somebody is named:\n%s", text)
	}
}

// What was read a moment ago is told again, and not for longer.
func TestTheDatabaseIsAskedNowAndThen(t *testing.T) {
	w := newWorld(t, inFile(t))
	now := time.Now()
	s := newStock(w.tickets)
	s.now = func() time.Time { return now }
	for i, step := range []struct {
		later time.Duration
		want  int
	}{{0, 0}, {fresh - time.Millisecond, 0}, {time.Millisecond, 2}} {
		if now = now.Add(step.later); s.read().waiting[approval.Pending] != step.want {
			t.Errorf("step %d: %+v, want %d", i, s.last, step.want)
		}
		if i == 0 {
			w.park(1)
			w.park(2)
		}
	}
}

// A database that is away is a figure, and no error of whoever asks.
func TestT19_ADatabaseThatIsDown(t *testing.T) {
	server := testpostgres.Start(t, testpostgres.Quick)
	db, err := database.Connect(t.Context(), server.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w := newWorld(t, db)
	waiting := w.park(1)
	if got := value(t, scrape(t, New(w.tickets, Build{}).Handler()), "assent_database_up", ""); got != 1 {
		t.Errorf("up is %v", got)
	}
	server.Kill(t)
	began := time.Now()
	families := scrape(t, New(w.tickets, Build{}).Handler())
	if got := value(t, families, "assent_database_up", ""); got != 0 {
		t.Errorf("up is %v", got)
	}
	if _, told := families["assent_tickets"]; told {
		t.Error("it says how many wait, and cannot know")
	}
	if took := time.Since(began); took > limit+3*time.Second {
		t.Errorf("it took %s", took)
	}
	server.Again(t)
	_, err = w.tickets.Approve(t.Context(), waiting.ID, waiting.Digest, "ann", "", nil)
	w.must(err)
	w.eventually("assent_answers_total", "approved", 1)
}

// Who follows is counted while he does, and whom the server turns away.
// One that only reads, as a copy does after the server has failed, is down for whoever must answer.
func TestT19_ADatabaseThatOnlyReads(t *testing.T) {
	address := testpostgres.Database(t)
	db, err := database.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	newWorld(t, db)
	copied, err := database.Connect(t.Context(), address+"&default_transaction_read_only=on")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = copied.Close() })
	tickets, err := approval.On(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, scrape(t, New(tickets, Build{}).Handler()), "assent_database_up", ""); got != 0 {
		t.Errorf("up is %v", got)
	}
}

func TestRequestsAreCounted(t *testing.T) {
	w := newWorld(t, inFile(t))
	leave := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if _, err := io.WriteString(w, ": connected\n\n"); err != nil || http.NewResponseController(w).Flush() != nil {
			t.Error("it cannot be flushed")
		}
		<-leave
	})
	mux.HandleFunc("/refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	w.Around(mux) // a second one counts in the same figures
	server := httptest.NewServer(w.Around(mux))
	defer server.Close()
	resp, err := http.Get(server.URL + "/stream")
	w.must(err)
	w.eventually("assent_streams", "", 1)
	close(leave)
	_ = resp.Body.Close()
	w.eventually("assent_streams", "", 0)
	for range 2 {
		resp, err := http.Get(server.URL + "/refused")
		w.must(err)
		_ = resp.Body.Close()
	}
	w.eventually("assent_requests_refused_total", "401", 2)
	w.eventually("assent_requests_refused_total", "403", 0)
	w.MadeRoom(room.Streams)
	w.eventually("assent_closed_for_room_total", "streams", 1)
	w.eventually("assent_closed_for_room_total", "silent", 0)
}

// A comment, a vote or a renewed answer is no decision.
func TestDecided(t *testing.T) {
	for _, c := range []struct {
		from, to approval.State
		want     decision
	}{
		{"", approval.Pending, ""},
		{approval.Pending, approval.Pending, ""},
		{approval.Running, approval.Approved, ""},
		{approval.Unknown, approval.Approved, ""},
		{approval.Approved, approval.Approved, ""},
		{approval.Pending, approval.Approved, approved},
		{approval.Approved, approval.Denied, denied},
		{approval.Pending, approval.Expired, expired},
		{approval.Denied, approval.Pending, takenBack},
		{approval.Unknown, approval.Pending, ""},
		{approval.Approved, approval.Running, ""},
	} {
		got, is := decided(approval.Change{Event: approval.Event{From: c.from, To: c.to}})
		if got != c.want || is != (c.want != "") {
			t.Errorf("%s to %s: %q", c.from, c.to, got)
		}
	}
}
