package inbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// at stops the clock of the server d after the moment of the first call, however long the test
// takes.
func (w *world) at(d time.Duration) {
	if w.stopped.IsZero() {
		w.stopped = time.Now()
	}
	moment := w.stopped.Add(d)
	w.now = func() time.Time { return moment }
}

// local is what the settings of the project for this user say; empty when there are none.
func (w *world) local() string {
	text, err := os.ReadFile(filepath.Join(w.cwd, ".claude", "settings.local.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(text)
}

func ruled(ticket approval.Ticket, scope string) map[string]any {
	return map[string]any{"digest": ticket.Digest, "undo": true, "rule": map[string]any{"index": 0, "scope": scope}}
}

// Whoever takes a yes back takes back the rule that came with it: until then it stands
// nowhere, so nothing can leave it behind.
func TestT5_TheRuleIsTakenBackWithTheAnswer(t *testing.T) {
	for _, scope := range []string{"session", "local", "user"} {
		w := newWorld(t)
		ticket := w.park(bash("npm test"))[0]
		before := w.everything()
		var d detailView
		w.approveAs(ticket.ID, ruled(ticket, scope)).into(t, &d)
		if d.Rule == nil || d.Rule.State != ruleWaits || d.Rule.Problem != "" || d.Undo == nil {
			t.Fatalf("%s: %+v", scope, d.Rule)
		}
		if w.judge(ticket.Call, "default").judgement.Decision.Behavior == permission.Allow || len(w.added.of(t.Context(), ticket.Session)) != 0 {
			t.Errorf("%s: the rule holds already", scope)
		}
		w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}).into(t, &d)
		if d.State != "pending" || d.Rule == nil || d.Rule.State != ruleTakenBack {
			t.Errorf("%s: %s %+v", scope, d.State, d.Rule)
		}
		w.at(time.Minute)
		w.settleRules()
		if w.judge(ticket.Call, "default").judgement.Decision.Behavior == permission.Allow || len(w.added.of(t.Context(), ticket.Session)) != 0 || w.local() != "" {
			t.Errorf("%s: the rule was added (before: %s)", scope, before)
		}
		if !strings.Contains(w.logged(), "taken back") {
			t.Errorf("it is not in the log: %s", w.logged())
		}
	}
}

// A rule is added when the answer cannot be taken back any more, before its session goes on,
// and not if somebody has said something else meanwhile.
func TestTheRuleIsAddedWhenTheAnswerHolds(t *testing.T) {
	w := newWorld(t)
	w.at(0)
	kept, denied, replaced := w.park(bash("npm test"))[0], w.park(bash("npm run b"))[0], w.park(bash("npm run c"))[0]
	w.approveAs(kept.ID, ruled(kept, "session")).into(t, new(detailView))
	w.approveAs(denied.ID, ruled(denied, "local")).into(t, new(detailView))
	w.approveAs(replaced.ID, ruled(replaced, "local")).into(t, new(detailView))
	w.post("/api/v1/tickets/"+denied.ID+"/deny", map[string]any{"digest": denied.Digest, "reason": "no"}).into(t, new(detailView))
	w.at(4 * time.Second)
	if len(w.added.of(t.Context(), kept.Session)) != 0 || w.local() != "" {
		t.Error("it was added too early")
	}
	w.at(6 * time.Second)
	if got := w.added.of(t.Context(), kept.Session); len(got) != 1 || got[0].Rules[0] != "Bash(npm test:*)" {
		t.Errorf("%+v", got)
	}
	if got := w.local(); !strings.Contains(got, "npm run c") || strings.Contains(got, "npm run b") {
		t.Errorf("%s", got)
	}
	if got := w.post("/api/v1/tickets/"+kept.ID+"/undo", map[string]any{"digest": kept.Digest}); got.status != 409 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A server that ends waits until the answer cannot be taken back any more, and adds the rule
// then; one that is killed has written nothing.
func TestTheRuleIsAddedWhenTheServerEnds(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	ticket := w.park(bash("npm test"))[0]
	const left = 200 * time.Millisecond
	w.now = func() time.Time { return time.Now().Add(left - UndoTime) }
	var d detailView
	w.approveAs(ticket.ID, ruled(ticket, "local")).into(t, &d)
	w.now = time.Now
	stop()
	w.must(w.keepRules(ctx))
	if time.Now().Before(d.Undo.Until) {
		t.Error("it was added while the answer could be taken back")
	}
	if got := w.local(); !strings.Contains(got, "npm test") {
		t.Errorf("%q", got)
	}
	if got := w.post("/api/v1/tickets/"+ticket.ID+"/undo", map[string]any{"digest": ticket.Digest}); got.status != 409 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// What the files of a workspace allow that nobody has trusted does nothing, and a person who
// adds a rule there is told so, before and after.
func TestARuleThatDoesNothingSaysSo(t *testing.T) {
	w := newWorld(t)
	trusting := w.Checker
	w.Checker = func(cwd string) (*policy.Checker, error) {
		c, err := trusting(cwd)
		if err == nil {
			c.Settings.TrustWorkspace = false
		}
		return c, err
	}
	for scope, inert := range map[string]bool{"local": true, "project": true, "user": false} {
		ticket := w.park(bash("npm run " + scope))[0]
		u := w.look(ticket.ID).Suggestion.Updates[0]
		if strings.Join(u.Held, " ") != "local project" || !strings.Contains(u.Why, "assent trust") || u.Says == "" {
			t.Errorf("%+v", u)
		}
		var d detailView
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "rule": map[string]any{"index": 0, "scope": scope}}).into(t, &d)
		if said := strings.Contains(d.Rule.Problem, "held back"); said != inert || d.Rule.State != ruleAdded {
			t.Errorf("%s: %+v", scope, d.Rule)
		}
		if allowed := w.judge(ticket.Call, "default").judgement.Decision.Behavior == permission.Allow; allowed == inert {
			t.Errorf("%s: allowed is %v", scope, allowed)
		}
	}
}

// A session of another agent has nothing of what is kept here, so nobody is offered to keep
// a rule for it.
func TestNoRuleForASessionOfAnotherAgent(t *testing.T) {
	w := newWorld(t)
	hold := func(tool string, input any) approval.Ticket {
		t.Helper()
		held, err := w.Tickets.Hold(t.Context(), "codex", approval.Parking{Call: approval.Call{Session: "theirs", Tool: tool, Input: call(tool, input).Input, Cwd: w.cwd}, Lasts: time.Hour, Risk: permission.MediumRisk})
		w.must(err)
		return held
	}
	ticket := hold("Bash", map[string]string{"command": "npm test"})
	if u := w.look(ticket.ID).Suggestion.Updates[0]; strings.Join(u.Scopes, " ") != "local project user" {
		t.Errorf("%+v", u)
	}
	if got := w.approveAs(ticket.ID, ruled(ticket, "session")); got.code() != "invalid" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if edit := hold("Write", map[string]string{"file_path": "a.txt", "content": "x"}); w.look(edit.ID).Suggestion != nil {
		t.Errorf("%+v", w.look(edit.ID).Suggestion)
	}
}

// What is added with a yes is what the person was shown, be it a rule, a directory or a mode.
func TestT5_OnlyTheRuleThatWasShownIsAdded(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(call("Write", map[string]string{"file_path": "a.txt", "content": "x"}))[0]
	offer := w.look(ticket.ID).Suggestion
	if offer == nil || offer.Updates[0].Mode != "acceptEdits" {
		t.Fatalf("%+v", offer)
	}
	rule := func(shown map[string]any) map[string]any {
		shown["index"], shown["scope"] = 0, "session"
		return map[string]any{"digest": ticket.Digest, "rule": shown}
	}
	for _, other := range []map[string]any{{"mode": "plan"}, {"directories": []string{"/srv"}}, {"rules": []string{"Write(a.txt)"}}} {
		if got := w.approveAs(ticket.ID, rule(other)); got.code() != "changed" || w.state(ticket.ID) != approval.Pending {
			t.Errorf("%v: %d %s", other, got.status, got.body)
		}
	}
	if got := w.approveAs(ticket.ID, rule(map[string]any{"mode": "acceptEdits", "directories": []string{}, "rules": []string{}})); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
}
