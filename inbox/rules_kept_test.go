package inbox

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// successor is the server that comes after one that was killed: it has the same state
// directory, and knows nothing but what is there.
func (w *world) successor() *world {
	w.t.Helper()
	next := *w
	next.log = &logbook{}
	c := w.Config
	c.Log = slog.New(slog.NewTextHandler(next.log, nil))
	var err error
	next.Server, err = New(c)
	w.must(err)
	next.web = nil
	return &next
}

// noted is what stands in the state directory about rules that wait.
func (w *world) noted() []string {
	w.t.Helper()
	names, err := filepath.Glob(filepath.Join(w.Dir, "inbox", "rules", "*"))
	w.must(err)
	return names
}

// A server is killed while the answer with which a rule came could be taken back. The next one
// adds the rule when the answer holds, once, and says what became of it.
func TestA3_ARuleSurvivesTheServer(t *testing.T) {
	for name, test := range map[string]struct {
		scope     string
		meanwhile func(*world, approval.Ticket)
		want      ruleState
		problem   string
	}{
		"nothing happens": {"local", func(*world, approval.Ticket) {}, ruleAdded, ""},
		"somebody denies it": {"local", func(w *world, ticket approval.Ticket) {
			_, err := w.Tickets.Deny(w.t.Context(), ticket.ID, ticket.Digest, "bob", "no")
			w.must(err)
		}, ruleDropped, ""},
		"it is taken back elsewhere": {"local", func(w *world, ticket approval.Ticket) {
			now, err := w.Tickets.Find(w.t.Context(), ticket.ID)
			w.must(err)
			_, err = w.Tickets.Retract(w.t.Context(), ticket.ID, now.Said(), "ann")
			w.must(err)
		}, ruleTakenBack, ""},
		"it was for the session": {"session", func(*world, approval.Ticket) {}, ruleFailed, "the server ended"},
	} {
		w := newWorld(t)
		w.at(0)
		ticket := w.park(bash("npm test"))[0]
		w.approveAs(ticket.ID, ruled(ticket, test.scope)).into(t, new(detailView))
		if len(w.noted()) != 1 {
			t.Fatalf("%s: it is not noted", name)
		}
		test.meanwhile(w, ticket)
		next := w.successor()
		next.at(UndoTime - time.Second)
		next.recallRules(t.Context())
		next.settleRules()
		if next.local() != "" {
			t.Errorf("%s: it is added too early: %s", name, next.local())
		}
		next.at(UndoTime + time.Second)
		next.settleRules()
		now, err := w.Tickets.Find(t.Context(), ticket.ID)
		w.must(err)
		v := next.later.viewOf(&now)
		if v == nil || v.State != test.want || (v.Problem == "") != (test.problem == "") || !strings.Contains(v.Problem, test.problem) {
			t.Errorf("%s: %+v", name, v)
		}
		if n := strings.Count(next.local(), "npm test"); n > 1 || (n == 1) != (test.want == ruleAdded) {
			t.Errorf("%s: %s", name, next.local())
		}
		if test.want == ruleFailed && !strings.Contains(next.logged(), "a rule was not added") {
			t.Errorf("%s: nobody is told: %s", name, next.logged())
		}
		if len(next.added.of(t.Context(), ticket.Session)) != 0 {
			t.Errorf("%s: a rule for a session was taken from the disk", name)
		}
		if left := next.noted(); len(left) != 0 {
			t.Errorf("%s: %q is left", name, left)
		}
	}
}

// A rule that was added, taken back or refused leaves no note: no later server adds it.
func TestA3_NoNoteOfARuleIsLeft(t *testing.T) {
	w := newWorld(t)
	added, back, refused := w.park(bash("npm run a"))[0], w.park(bash("npm run b"))[0], w.park(bash("npm run c"))[0]
	w.approveAs(added.ID, ruled(added, "local")).into(t, new(detailView))
	w.approveAs(back.ID, ruled(back, "local")).into(t, new(detailView))
	w.post("/api/v1/tickets/"+back.ID+"/undo", map[string]any{"digest": back.Digest}).into(t, new(detailView))
	_, err := w.Tickets.Deny(t.Context(), refused.ID, refused.Digest, "bob", "no")
	w.must(err)
	if got := w.approveAs(refused.ID, ruled(refused, "local")); got.status == 200 {
		t.Error(got.body)
	}
	w.at(UndoTime + time.Second)
	w.settleRules()
	if left := w.noted(); len(left) != 0 || !strings.Contains(w.local(), "npm run a") {
		t.Errorf("%q is left; %s", left, w.local())
	}
}

// The server was killed before the answer was written, or between the rule and the end of its
// note: the one is not added whatever somebody says later, the other is not added twice.
func TestT5_ANoteThatTellsOnlyHalf(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	update, err := (&ruleChoice{Scope: "local"}).choose(&visitor{}, w.judge(ticket.Call, "default"), ticket)
	w.must(err)
	w.promise(ticket, update)
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView)) // without a rule
	next := w.successor()
	next.recallRules(t.Context())
	next.settleRules()
	if next.local() != "" || len(next.noted()) != 0 || !strings.Contains(next.logged(), "a rule was not added") {
		t.Errorf("%s, %q, %s", next.local(), next.noted(), next.logged())
	}

	other := w.park(bash("npm run build"))[0]
	w.approveAs(other.ID, ruled(other, "local")).into(t, new(detailView))
	note := w.noted()[0]
	text, err := os.ReadFile(note)
	w.must(err)
	w.at(UndoTime + time.Second)
	w.settleRules()
	w.must(os.WriteFile(note, text, 0o600))
	next = w.successor()
	next.at(UndoTime + time.Second)
	next.recallRules(t.Context())
	next.settleRules()
	if strings.Count(next.local(), "npm run build") != 1 || len(next.noted()) != 0 {
		t.Errorf("%s, %q", next.local(), next.noted())
	}

	// What is no note is left alone by the server, and told.
	w.must(os.WriteFile(note, []byte("{"), 0o600))
	next = w.successor()
	next.recallRules(t.Context())
	if len(next.later.all) != 0 || !strings.Contains(next.logged(), "cannot be read") {
		t.Errorf("%s", next.logged())
	}
}
