package herald

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// world is tickets of which people elsewhere are told.
type world struct {
	t       *testing.T
	tickets *approval.Store
	targets string

	mu sync.Mutex
	// sent are the messages that were tried, each with its target.
	sent []letter
	// outcomes are what comes of the next ones; without any they are sent.
	outcomes []notify.Outcome
	// taken are the tickets whose sessions were to go on, and elsewhere how often that is
	// somebody else's.
	taken     []string
	elsewhere int
	// broken is why sessions cannot be let go on at all; nil when they can.
	broken error
}

type letter struct {
	to string
	notify.Message
}

func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel() // most of them wait
	for name, open := range map[string]func(*testing.T) (*database.DB, error){
		"SQLite": func(t *testing.T) (*database.DB, error) {
			return database.OpenFile(filepath.Join(t.TempDir(), "state.db"))
		},
		"PostgreSQL": func(t *testing.T) (*database.DB, error) {
			return database.Connect(t.Context(), testpostgres.Database(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := open(t)
			must(t, err)
			t.Cleanup(func() { must(t, db.Close()) })
			tickets, err := approval.On(t.Context(), db)
			must(t, err)
			if db.Kind() == database.SQLite {
				must(t, tickets.Share(4))
			}
			test(t, &world{t: t, tickets: tickets, targets: target("ops")})
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// target is one as settings name it, to which nothing is sent really.
func target(name string, only ...string) string {
	text := fmt.Sprintf(`{"name": %q, "type": "ntfy", "url": "https://ntfy.example.com", "topic": "x"`, name)
	if len(only) > 0 {
		text += fmt.Sprintf(`, "only": ["%s"]`, strings.Join(only, `", "`))
	}
	return text + "}"
}

// herald is one with the targets of the test.
func (w *world) herald() *Herald {
	w.t.Helper()
	h, err := New(w.t.Context(), Config{
		Tickets: w.tickets, TakeUp: w.takeUp, Log: slog.New(slog.NewTextHandler(w.t.Output(), nil)),
		Telling: &Telling{
			Targets: func() ([]notify.Target, error) {
				targets, problems := notify.Parse([]byte("[" + w.targets + "]"))
				if len(problems) > 0 {
					return nil, problems[0]
				}
				return targets, nil
			},
			Send:     w.send,
			Describe: func(t approval.Ticket) string { return "Run " + t.Tool },
			Input:    func(t approval.Ticket) strictjson.Raw { return t.Input },
			Page:     "https://inbox.example.com/",
		},
	})
	must(w.t, err)
	return h
}

// work lets a herald work until the function is called that it returns, or the test ends.
func (w *world) work(h *Herald) (end func()) {
	ctx, stop := context.WithCancel(w.t.Context())
	over := make(chan error, 1)
	go func() { over <- h.Work(ctx) }()
	end = sync.OnceFunc(func() {
		stop()
		if err := <-over; err != nil {
			w.t.Error(err)
		}
	})
	w.t.Cleanup(end)
	return end
}

func (w *world) send(_ context.Context, to notify.Target, m notify.Message) notify.Outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, letter{to.Name, m})
	if len(w.outcomes) == 0 {
		return notify.Outcome{Verdict: notify.Sent}
	}
	o := w.outcomes[0]
	w.outcomes = w.outcomes[1:]
	return o
}

func (w *world) takeUp(_ context.Context, t approval.Ticket) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		return false, w.broken
	}
	if w.elsewhere > 0 {
		w.elsewhere--
		return false, nil
	}
	w.taken = append(w.taken, t.ID)
	return true, nil
}

// told is what was sent, as "TARGET:KIND", sorted: each goes its own way.
func (w *world) told() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, l := range w.sent {
		all = append(all, l.to+":"+string(l.Kind))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// takenUp are the tickets whose sessions were to go on.
func (w *world) takenUp() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.taken)
}

// until polls until something is so.
func (w *world) until(what string, so func() bool) {
	w.t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("not %s: told %s, taken up %v", what, w.told(), w.takenUp())
		}
	}
}

// untilTold polls until just this was told.
func (w *world) untilTold(want string) {
	w.t.Helper()
	w.until("told "+want, func() bool { return w.told() == want })
}

// quiet: no bell waits that could ring soon, and nothing more was told.
func (w *world) quiet(h *Herald, want string) {
	w.t.Helper()
	w.until("quiet", func() bool {
		var soon int
		must(w.t, h.Tickets.Database().Reads().QueryRowContext(w.t.Context(), "SELECT COUNT(*) FROM river_job WHERE state IN ('available', 'running', 'retryable')").Scan(&soon))
		return soon == 0
	})
	if got := w.told(); got != want {
		w.t.Errorf("told %s, want %s", got, want)
	}
}

// park parks a call.
func (w *world) park(change func(*approval.Parking)) approval.Ticket {
	w.t.Helper()
	p := approval.Parking{Call: approval.Call{Session: "s1", ToolUseID: "toolu_1", Tool: "Deploy", Input: strictjson.Raw(`{"to":"web"}`), Cwd: "/srv/web"}, Risk: permission.HighRisk, By: "test"}
	if change != nil {
		change(&p)
	}
	t, err := w.tickets.Park(w.t.Context(), p)
	must(w.t, err)
	return t
}

func (w *world) approve(t approval.Ticket) {
	w.t.Helper()
	_, err := w.tickets.Approve(w.t.Context(), t.ID, t.Digest, "ana", "", nil)
	must(w.t, err)
}
