package inbox

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// clockwork is a server in a bubble, whose time passes only while everybody waits. It listens nowhere.
type clockwork struct {
	*Server
	t     *testing.T
	began time.Time
	stop  func()
}

func newClockwork(t *testing.T, undo time.Duration) *clockwork {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	tickets, err := approval.Open(filepath.Join(dir, "state"))
	must(err)
	must(tickets.Share(2))
	set, err := tool.NewSet(tool.Builtin()...)
	must(err)
	checker := func(cwd string) (*policy.Checker, error) {
		return &policy.Checker{Tools: set, Links: permission.NoLinks{}, Settings: settings.Options{Dir: cwd, Home: filepath.Join(dir, "home"), TrustWorkspace: true, ManagedFiles: []string{}}}, nil
	}
	s, err := New(Config{
		Dir: filepath.Join(dir, "state"), Tickets: tickets, Sessions: session.NewStore(filepath.Join(dir, "sessions")), Checker: checker,
		Token: testToken, Hosts: []string{"here:1"}, Who: "ann@test", Undo: undo,
	})
	must(err)
	s.held = s.keeper()
	s.listeners = append(s.listeners, s.held.Tell)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	synctest.Wait()
	c := &clockwork{Server: s, t: t, began: time.Now()}
	c.stop = func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = tickets.Close()
	}
	return c
}

// at lets time pass until so long after the beginning.
func (c *clockwork) at(after time.Duration) {
	time.Sleep(time.Until(c.began.Add(after)))
	synctest.Wait()
}

// ask sends a request, without a network.
func (c *clockwork) ask(verb string, ticket approval.Ticket, more map[string]any) (d detailView) {
	c.t.Helper()
	body := map[string]any{"digest": ticket.Digest}
	for key, value := range more {
		body[key] = value
	}
	text, err := strictjson.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/api/v1/tickets/"+ticket.ID+"/"+verb, strings.NewReader(string(text)))
	r.Host = "here:1"
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.Handler().ServeHTTP(w, r)
	answer{w.Code, w.Header(), w.Body.String()}.into(c.t, &d)
	return d
}

// outcomeOf is what a guard is told in the end, and after how long.
type outcomeOf struct {
	state line.State
	after time.Duration
}

// guard lets a guard wait for so long, which the keeper of this server knows, or tickets that nobody serves.
func (c *clockwork) guard(wait time.Duration, direct bool) (ticket approval.Ticket, end <-chan outcomeOf) {
	c.t.Helper()
	h := line.Hold{Asker: "cursor", Session: "theirs", Tool: "Bash", Input: strictjson.Raw(`{"command":"make"}`), Cwd: c.Dir, Risk: "low", WaitMS: wait.Milliseconds(), LastsMS: time.Hour.Milliseconds(), Nonce: line.NewNonce()}
	done := make(chan outcomeOf, 1)
	go func() {
		var reply line.Reply
		if direct {
			reply = socket.Direct(c.t.Context(), c.Tickets, "ann@test", h)
		} else {
			reply = c.held.Keep(c.t.Context(), h)
		}
		if reply.Error != "" {
			c.t.Error(reply.Error)
		}
		done <- outcomeOf{reply.State, time.Since(c.began)}
	}()
	c.at(100 * time.Millisecond) // SQLite is asked by the clock of the bubble, too
	all, err := c.Tickets.List(c.t.Context(), approval.Query{States: []approval.State{approval.Pending}})
	if err != nil || len(all) != 1 {
		c.t.Fatalf("%+v, %v", all, err)
	}
	return all[0], done
}

// An answer reaches the guard that waits for it, however late it comes: the time to take it back shrinks to
// what is left. A guard that has 15 s lost every answer of the last 5 s.
func TestT12_AShortGuardGetsItsAnswer(t *testing.T) {
	const wait = 15 * time.Second
	for name, test := range map[string]struct {
		undo     time.Duration // of the server; zero means as always
		at       time.Duration // after which somebody answers
		undoable time.Duration // for how long
	}{
		"early":                     {0, 2 * time.Second, 5 * time.Second},
		"in the last seconds":       {0, 12 * time.Second, 2 * time.Second},
		"at the last moment":        {0, 14500 * time.Millisecond, 0},
		"with a long time to undo":  {time.Minute, 2 * time.Second, 12 * time.Second},
		"with a short time to undo": {time.Second, 12 * time.Second, time.Second},
		"with no time to undo":      {-1, 12 * time.Second, 0},
	} {
		for _, verb := range []string{"approve", "deny"} {
			for _, direct := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					c := newClockwork(t, test.undo)
					defer c.stop()
					ticket, end := c.guard(wait, direct)
					c.at(test.at)
					d := c.ask(verb, ticket, map[string]any{"undo": true, "reason": "so"})
					left := time.Duration(0)
					if d.Undo != nil {
						left = time.Duration(d.Undo.LeftMS) * time.Millisecond
					}
					if diff := (left - test.undoable).Abs(); diff > 200*time.Millisecond {
						t.Errorf("%s, %s, direct %v: it can be taken back for %v", name, verb, direct, left)
					}
					got, want := <-end, map[string]line.State{"approve": line.Allowed, "deny": line.Denied}[verb]
					if got.state != want || got.after >= wait || got.after < test.at+left {
						t.Errorf("%s, %s, direct %v: %s after %v", name, verb, direct, got.state, got.after)
					}
				})
			}
		}
	}
}

// Within the time that is left an answer can still be taken back, and whoever is sure sends it at once.
func TestT12_AnAnswerIsSentAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		verb  string
		state line.State
		after time.Duration
	}{
		"sent":       {"send", line.Allowed, 3 * time.Second},
		"taken back": {"undo", line.Pending, 50 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newClockwork(t, 20*time.Second)
			defer c.stop()
			ticket, end := c.guard(50*time.Second, false)
			if ms := c.look(ticket).GuardMS; ms < 49_000 || ms > 50_000 {
				t.Errorf("%s: the guard waits for %d ms", name, ms)
			}
			c.at(2 * time.Second)
			c.ask("approve", ticket, map[string]any{"undo": true})
			c.at(3 * time.Second)
			if d := c.ask(test.verb, ticket, nil); d.Undo != nil {
				t.Errorf("%s: %+v", name, d.Undo)
			}
			if got := <-end; got.state != test.state || (got.after-test.after).Abs() > time.Second {
				t.Errorf("%s: %s after %v", name, got.state, got.after)
			}
		})
	}
}

// look is a call as the page has it.
func (c *clockwork) look(ticket approval.Ticket) *detailView {
	c.t.Helper()
	d, err := c.show(c.t.Context(), ticket.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	return d
}
