package inbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/strictjson"
)

// decide writes decisions about a call, as an agent does.
func (w *world) decide(t approval.Ticket, decisions ...string) {
	w.t.Helper()
	log := audit.Open(filepath.Join(w.Dir, "audit"))
	defer log.Close()
	for _, d := range decisions {
		r := audit.Record{Session: t.Session, ToolUseID: t.ToolUseID, Tool: t.Tool, Digest: "sha256:x", Cwd: t.Cwd, Mode: "default", Decision: d, Reason: "because"}
		if d == "allow" {
			r.Who, r.Reason = "ann@test", "the token is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
		}
		w.must(log.Append(r))
	}
}

func (w *world) auditOf(id string) (v auditView) {
	w.t.Helper()
	w.get("/api/v1/tickets/"+id+"/audit").into(w.t, &v)
	return v
}

func TestWhatIsOnRecordAboutACall(t *testing.T) {
	w := newWorld(t)
	tickets := w.park(bash("npm test"), bash("npm run build"))
	if got := w.auditOf(tickets[0].ID); got.State != recordEmpty || len(got.Records) != 0 || got.Problem != "" {
		t.Errorf("nothing was recorded: %+v", got)
	}
	w.decide(approval.Ticket{Call: approval.Call{Session: tickets[0].Session, ToolUseID: "toolu_other", Tool: "Read"}}, "allow")
	w.decide(tickets[0], "defer")
	w.decide(tickets[1], "defer")
	got := w.auditOf(tickets[0].ID)
	if got.State != recordVerified || len(got.Records) != 1 || got.Last != 3 || got.OfSession != 3 || got.At.IsZero() {
		t.Fatalf("%+v", got)
	}
	if r := got.Records[0]; r.Number != 2 || r.Decision != "defer" || r.Who != "" || r.Reason != "because" || r.At.IsZero() || !strings.HasPrefix(r.Head, "2:") {
		t.Errorf("%+v", r)
	}
	w.decide(tickets[0], "allow") // what comes later is seen as well
	if got = w.auditOf(tickets[0].ID); len(got.Records) != 2 || got.Records[1].Number != 4 || got.Records[1].Who != "ann@test" {
		t.Fatalf("%+v", got)
	}
	if strings.Contains(got.Records[1].Reason, "ghp_") { // T19
		t.Error(got.Records[1].Reason)
	}
	// What is told is what the record says: its head proves it.
	head, err := audit.ParseHead(got.Records[1].Head)
	w.must(err)
	report, err := audit.Verify(filepath.Join(w.Dir, "audit"), head)
	if err != nil || !report.Whole() || report.Head != got.Head {
		t.Errorf("%+v, %v, want %s", report, err, got.Head)
	}
}

// A guard writes its record without knowing which ticket it was.
func TestWhatIsOnRecordAboutAHeldCall(t *testing.T) {
	w := newWorld(t)
	call := approval.Call{Session: "theirs", Tool: "Bash", Input: strictjson.Raw(`{"command": "npm test"}`), Cwd: w.cwd}
	held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: call, Lasts: time.Hour})
	w.must(err)
	log := audit.Open(filepath.Join(w.Dir, "audit"))
	defer log.Close()
	w.must(log.Append(audit.Record{Session: "theirs", Tool: "Bash", Digest: recordDigest(call), Cwd: w.cwd, Decision: "allow", Who: "ann@test"}))
	w.must(log.Append(audit.Record{Session: "others", Tool: "Bash", Digest: recordDigest(call), Cwd: w.cwd, Decision: "allow", Who: "ann@test"}))
	if got := w.auditOf(held.ID); len(got.Records) != 1 || got.Records[0].Number != 1 {
		t.Errorf("%+v", got)
	}
}

// spoil changes the file of the record.
func (w *world) spoil(change func(text string) string) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.Dir, "audit", "*.jsonl"))
	w.must(err)
	text, err := os.ReadFile(files[0])
	w.must(err)
	w.must(os.WriteFile(files[0], []byte(change(string(text))), 0o600))
}

// T14: a record that was changed is never shown as one that was verified, and what the server
// has read before it was changed is not forgotten.
func TestT14_AChangedRecordIsNotVerified(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"edited": func(s string) string { return strings.Replace(s, `"because"`, `"becausE"`, 1) },
		"cut off": func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return lines[0]
		},
		"injected": func(s string) string {
			first, rest, _ := strings.Cut(s, "\n")
			return first + "\n" + strings.Replace(first, "defer", "allow", 1) + "\n" + rest
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			now := time.Now()
			w.ledger.now = func() time.Time { return now }
			ticket := w.park(bash("npm test"))[0]
			w.decide(ticket, "defer", "allow", "allow")
			if got := w.auditOf(ticket.ID); got.State != recordVerified || len(got.Records) != 3 {
				t.Fatalf("%+v", got)
			}
			w.spoil(change)
			now = now.Add(time.Hour) // it is looked at from the beginning now and then
			got := w.auditOf(ticket.ID)
			if got.State != recordUnverified || got.Problem == "" || len(got.Records) != 3 {
				t.Fatalf("%+v", got)
			}
		})
	}
}

// A log that was made anew is whole by itself; the server knows that it was another one.
func TestT14_ARecordThatWasMadeAnewIsNotVerified(t *testing.T) {
	for name, decisions := range map[string][]string{"as long": {"defer", "deny"}, "longer": {"defer", "deny", "deny"}, "shorter": {"defer"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ticket := w.park(bash("npm test"))[0]
			w.decide(ticket, "defer", "allow")
			w.auditOf(ticket.ID)
			w.must(os.RemoveAll(filepath.Join(w.Dir, "audit")))
			w.decide(ticket, decisions...)
			for range 2 {
				if got := w.auditOf(ticket.ID); got.State != recordUnverified || got.Problem == "" {
					t.Fatalf("%+v", got)
				}
			}
		})
	}
}

// A log that is not read from the beginning each time would be too slow to look at.
func TestTheRecordIsReadOnce(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.decide(ticket, "defer")
	w.auditOf(ticket.ID)
	reader := w.ledger.reader
	w.auditOf(ticket.ID)
	if w.ledger.reader != reader {
		t.Error("it was read again")
	}
}

func TestTheRecordOfWhatIsNotThere(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"aaaaaaaaaaaa", "x", "..%2f"} {
		if got := w.get("/api/v1/tickets/" + id + "/audit"); got.status != 404 {
			t.Errorf("%s: %d", id, got.status)
		}
	}
	if got := w.get("/api/v1/tickets/" + w.park(bash("x"))[0].ID + "/audit?x=1"); got.status != 400 {
		t.Error(got.status)
	}
}

// What cannot be read is said, and is no reason to show nothing else.
func TestARecordThatCannotBeRead(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.must(os.WriteFile(filepath.Join(w.Dir, "audit"), []byte("x"), 0o600))
	if got := w.auditOf(ticket.ID); got.State != recordUnverified || got.Problem == "" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(w.Dir, "audit")); errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// forget lets the ledger read everything again, as it does now and then.
func (l *ledger) forget() {
	l.turn <- struct{}{}
	l.begun = time.Time{}
	<-l.turn
}
