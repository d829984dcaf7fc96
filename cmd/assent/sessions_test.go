package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

const (
	firstID  = "11111111-1111-4111-8111-111111111111"
	secondID = "22222222-2222-4222-8222-222222222222"
)

// counterTest is a place with sessions and tickets of the test's own.
type counterTest struct {
	t            *testing.T
	state, cwd   string
	sessions     *session.Store
	home         string
	out, errText string
}

func newCounter(t *testing.T) *counterTest {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &counterTest{t: t, state: filepath.Join(top, "state"), cwd: filepath.Join(top, "app"), home: filepath.Join(top, "home")}
	for _, dir := range []string{w.cwd, filepath.Join(w.home, ".claude")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", w.home)
	t.Setenv("ASSENT_HOME", w.state)
	w.sessions = session.NewStore(filepath.Join(w.state, "sessions"))
	return w
}

func (w *counterTest) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *counterTest) bash(id, command string) session.PendingCall {
	input, err := strictjson.Marshal(map[string]string{"command": command})
	w.check(err)
	return session.PendingCall{ToolUseID: id, Tool: "Bash", Input: input, Cwd: w.cwd, Why: "a hook wants it", Risk: "medium"}
}

// park makes a session in which calls wait; nothing waits without calls.
func (w *counterTest) park(id string, calls ...session.PendingCall) {
	w.t.Helper()
	tr, err := w.sessions.Create(id, session.Start{Cwd: w.cwd, Model: "m", Mode: "default"})
	w.check(err)
	w.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("deploy\x1b[2J it\nplease")}}))
	if len(calls) > 0 {
		turn := model.Message{Role: model.Assistant}
		for _, c := range calls {
			turn.Content = append(turn.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input})
		}
		w.check(tr.Append(session.Said, turn))
		w.check(tr.Append(session.Parked, session.Pending{Calls: calls}))
	}
	w.check(tr.Close())
}

// write appends to a session.
func (w *counterTest) write(id string, kind session.Kind, body any) {
	w.t.Helper()
	tr, err := w.sessions.Resume(id)
	w.check(err)
	w.check(tr.Append(kind, body))
	w.check(tr.Close())
}

// tickets does something with the tickets.
func (w *counterTest) tickets(do func(context.Context, *approval.Store)) {
	w.t.Helper()
	s, err := approval.Open(w.state)
	w.check(err)
	do(w.t.Context(), s)
	w.check(s.Close())
}

func callIn(id string, c session.PendingCall) approval.Call {
	return approval.Call{Session: id, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}
}

// ticket makes a ticket of a call.
func (w *counterTest) ticket(id string, c session.PendingCall, lasts time.Duration) string {
	w.t.Helper()
	var name string
	var since time.Time // as the transcript says
	if stand, err := w.sessions.Standing(id); err == nil {
		for _, call := range stand.Calls {
			if call.ToolUseID == c.ToolUseID {
				since = call.Since
			}
		}
	}
	w.tickets(func(ctx context.Context, s *approval.Store) {
		risk, _ := permission.ParseRisk(c.Risk) // one without is taken for high
		t, err := s.Park(ctx, approval.Parking{Call: callIn(id, c), Why: c.Why, At: since, By: "hook guard", Risk: risk, Lasts: lasts})
		w.check(err)
		name = t.ID
	})
	return name
}

// state is that of the ticket of a call, with who has changed it last.
func (w *counterTest) stateOf(id, toolUseID string) string {
	w.t.Helper()
	text := "no ticket"
	if !approval.Exists(w.state) {
		return text
	}
	w.tickets(func(ctx context.Context, s *approval.Store) {
		t, err := s.OfCall(ctx, id, toolUseID)
		w.check(err)
		if t != nil {
			text = string(t.State)
		}
	})
	return text
}

// claim makes a ticket running, by a process that is dead.
func (w *counterTest) claim(id string, c session.PendingCall) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) {
		t, err := s.OfCall(ctx, id, c.ToolUseID)
		w.check(err)
		_, err = s.Claim(ctx, t.ID, callIn(id, c), nil, "process 999999 on nowhere")
		w.check(err)
	})
}

func (w *counterTest) run(want int, args ...string) {
	w.t.Helper()
	w.runWith("", want, args...)
}

func (w *counterTest) runWith(in string, want int, args ...string) {
	w.t.Helper()
	var out, errOut bytes.Buffer
	got := run(args, strings.NewReader(in), &out, &errOut)
	w.out, w.errText = out.String(), errOut.String()
	if got != want {
		w.t.Errorf("assent %q: status %d, want %d\n%s%s", args, got, want, w.out, w.errText)
	}
}

// says checks what was printed; a text after "!" must not be there.
func (w *counterTest) says(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		not := strings.HasPrefix(text, "!")
		if strings.Contains(w.out+w.errText, strings.TrimPrefix(text, "!")) == not {
			w.t.Errorf("%q in\n%s%s", text, w.out, w.errText)
		}
	}
}

func TestD7_ListShowsWhatNeedsAPersonFirst(t *testing.T) {
	w := newCounter(t)
	w.run(0, "sessions", "list")
	w.says("there is no session in " + w.state)
	if approval.Exists(w.state) {
		t.Error("looking has made a database")
	}
	deploy, refund := w.bash("a", "deploy\u202e now"), w.bash("b", "refund")
	w.park(firstID, deploy)
	w.park(secondID, refund)
	w.park("33333333-3333-4333-8333-333333333333")
	w.run(0, "sessions", "list")
	w.says("no ticket yet  pending  Bash  deploy\\u202e now", w.cwd, "interrupted", "33333333-3333-4333-8333-333333333333", `deploy\x1b[2J it`, "!please", "!\x1b")
	if approval.Exists(w.state) {
		t.Error("looking has made a database")
	}
	name := w.ticket(secondID, refund, time.Hour)
	w.run(0, "sessions", "list")
	w.says(name, "expires in 59 min: then deny")
	w.claim(secondID, refund)
	w.run(0, "sessions", "list", "--json")
	var o struct {
		Calls []struct {
			Ticket string `json:"ticket"`
			State  string `json:"state"`
		} `json:"calls"`
		Sessions []strictjson.Raw `json:"sessions"`
	}
	w.check(strictjson.Unmarshal([]byte(w.out), &o))
	if len(o.Calls) != 2 || o.Calls[0].State != "unknown" || o.Calls[0].Ticket != name || o.Calls[1].State != "pending" || len(o.Sessions) != 1 {
		t.Errorf("%+v", o)
	}
	w.run(0, "sessions", "list")
	if unknown, pending := strings.Index(w.out, "unknown"), strings.Index(w.out, "pending"); unknown < 0 || pending < unknown {
		t.Errorf("what is unknown is not at the top:\n%s", w.out)
	}
	w.says("assent sessions resolve " + name)
}

func TestD7_ListIsBounded(t *testing.T) {
	w := newCounter(t)
	for i := range lastSessions + 3 {
		w.park(strings.Replace(firstID, "11111111", string(rune('a'+i/16))+"111111"+string("0123456789abcdef"[i%16]), 1))
	}
	w.run(0, "sessions", "list")
	w.says("and 3 sessions more (--all lists them)")
	if n := strings.Count(w.out, "-1111-4111-"); n != lastSessions {
		t.Errorf("%d sessions", n)
	}
	w.run(0, "sessions", "list", "--all")
	if n := strings.Count(w.out, "-1111-4111-"); n != lastSessions+3 {
		t.Errorf("%d sessions", n)
	}
}

// A run that was interrupted is unknown for whoever looks first; one that goes on is not.
func TestS27_AnInterruptedRunIsUnknown(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	name := w.ticket(firstID, call, 0)
	w.claim(firstID, call)
	tr, err := w.sessions.Resume(firstID) // the process lives
	w.check(err)
	w.run(0, "sessions", "list")
	w.says("running", "!unknown")
	w.run(1, "sessions", "resolve", name, "--ran")
	w.says("is in use by process ")
	w.check(tr.Close())
	w.run(1, "approve", name)
	w.says("nobody knows whether " + name + " ran")
	w.run(0, "sessions", "show", name)
	w.says("unknown: a process began to run it", "assent sessions resolve "+name+" --ran", "process 999999 on nowhere was not heard of any more")
}

// Transcript and ticket are written one after the other: while a process is at work what
// is not yet the same in both is not unknown.
func TestS27_WhatIsAtWorkIsNotUnknown(t *testing.T) {
	for name, prepare := range map[string]func(*counterTest, session.PendingCall){
		"no ticket":       func(*counterTest, session.PendingCall) {},
		"not claimed yet": func(w *counterTest, c session.PendingCall) { w.ticket(firstID, c, 0) },
		"claimed":         func(w *counterTest, c session.PendingCall) { w.ticket(firstID, c, 0); w.claim(firstID, c) },
		"finished, not told": func(w *counterTest, c session.PendingCall) {
			w.ticket(firstID, c, 0)
			w.claim(firstID, c)
			w.tickets(func(ctx context.Context, s *approval.Store) {
				t, err := s.OfCall(ctx, firstID, c.ToolUseID)
				w.check(err)
				w.check(s.Finish(ctx, t.ID, t.Fence, true, ""))
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			call := w.bash("a", "deploy")
			w.park(firstID, call)
			begun(w, call)
			prepare(w, call)
			tr, err := w.sessions.Resume(firstID)
			w.check(err)
			w.run(0, "sessions", "list")
			w.says("  running  Bash  deploy", "!unknown")
			w.run(1, "approve", firstID)
			w.check(tr.Close())
			w.run(0, "sessions", "list")
			w.says("  unknown  Bash  deploy")
			w.run(1, "approve", firstID)
			w.run(0, "sessions", "prune", "--older-than", "0d")
			w.says("kept " + firstID + ": nobody knows")
		})
	}
}

// The process died after the result was on record and before the ticket knew: nobody needs
// to find out anything.
func TestS27_WhatTheTranscriptKnowsIsNotUnknown(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.ticket(firstID, call, 0)
	w.claim(firstID, call)
	w.write(firstID, session.Began, session.Beginning{ToolUseID: "a", Input: call.Input})
	w.write(firstID, session.Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "a", Result: []model.Block{model.TextBlock("done")}}}})
	w.run(0, "sessions", "list")
	w.says("!unknown", firstID)
	if got := w.stateOf(firstID, "a"); got != "done" {
		t.Errorf("the ticket is %s", got)
	}
}

// found is what persons have said in a transcript.
func (w *counterTest) found(id string) []string {
	w.t.Helper()
	var all []string
	for r, err := range w.sessions.Records(id) {
		w.check(err)
		if r.Kind == session.Found {
			var f session.Finding
			w.check(strictjson.Unmarshal(r.Body, &f))
			all = append(all, clerk.Finding{Ran: f.Ran}.String()+" "+f.Note)
			if f.By != whoami() {
				w.t.Errorf("%q has said it", f.By)
			}
		}
	}
	return all
}

// Whatever has died in between, saying it again mends it, and twice is once.
func TestS27_ResolveInAnyOrderOfCrashes(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*counterTest, session.PendingCall)
		ran     bool
		ticket  string // afterwards
		found   []string
	}{
		"claimed, the intent not written": {func(*counterTest, session.PendingCall) {}, true, "done", []string{"ran n"}},
		"begun":                           {begun, true, "done", []string{"ran n"}},
		"begun, and did not run":          {begun, false, "pending", []string{"did not run n"}},
		"found, the ticket not told": {func(w *counterTest, c session.PendingCall) {
			begun(w, c)
			w.write(firstID, session.Found, session.Finding{ToolUseID: "a", Ran: true, By: whoami(), Note: "n"})
		}, true, "done", []string{"ran n"}},
		"not run found, the ticket not told": {func(w *counterTest, c session.PendingCall) {
			begun(w, c)
			w.write(firstID, session.Found, session.Finding{ToolUseID: "a", By: whoami(), Note: "n"})
		}, false, "pending", []string{"did not run n"}},
		"the ticket was told first": {func(w *counterTest, c session.PendingCall) {
			begun(w, c)
			w.resolveTicket("a", true)
		}, true, "done", []string{"ran n"}},
		"the ticket was told first that it did not run": {func(w *counterTest, c session.PendingCall) {
			begun(w, c)
			w.resolveTicket("a", false)
		}, false, "pending", []string{"did not run n"}},
		"the ticket was told the opposite": {func(w *counterTest, c session.PendingCall) {
			begun(w, c)
			w.resolveTicket("a", false)
		}, true, "cancelled", []string{"ran n"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			call := w.bash("a", "deploy")
			w.park(firstID, call)
			ticket := w.ticket(firstID, call, 0)
			w.claim(firstID, call)
			c.prepare(w, call)
			flag, opposite := "--ran", "--not-run"
			if !c.ran {
				flag, opposite = opposite, flag
			}
			for _, id := range []string{ticket, firstID, ticket[:6]} { // again and again
				w.run(0, "sessions", "resolve", id, flag, "--note", "n")
				if got := w.stateOf(firstID, "a"); got != c.ticket {
					t.Errorf("the ticket is %s, want %s", got, c.ticket)
				}
				if got := w.found(firstID); !slices.Equal(got, c.found) {
					t.Errorf("on record: %q, want %q", got, c.found)
				}
			}
			w.run(1, "sessions", "resolve", ticket, opposite)
			w.says("has said already that")
			stand, err := w.sessions.Standing(firstID)
			w.check(err)
			if got := stand.Calls[0].Stage; c.ran && got != session.Confirmed || !c.ran && got != session.Waiting {
				t.Errorf("the call is at stage %d", got)
			}
		})
	}
}

func begun(w *counterTest, c session.PendingCall) {
	w.write(firstID, session.Began, session.Beginning{ToolUseID: c.ToolUseID, Input: c.Input})
}

func (w *counterTest) resolveTicket(toolUseID string, ran bool) {
	w.tickets(func(ctx context.Context, s *approval.Store) {
		_, err := s.Sweep(ctx, func(string) bool { return false })
		w.check(err)
		t, err := s.OfCall(ctx, firstID, toolUseID)
		w.check(err)
		_, err = s.Resolve(ctx, t.ID, ran, "somebody", "")
		w.check(err)
	})
}

// A call that nobody has begun has nothing to resolve, and what the ticket knows to have
// run did run.
func TestS27_ResolveOnlyWhatIsUnknown(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.run(1, "sessions", "resolve", firstID, "--ran")
	w.says("nothing is unknown about")
	w.run(2, "sessions", "resolve", firstID)
	w.run(2, "sessions", "resolve", firstID, "--ran", "--not-run")
	w.run(2, "sessions", "resolve", "99", "--ran")
	if len(w.found(firstID)) != 0 {
		t.Error("something is on record")
	}
	// An unknown call of a session without tickets, as one that was imported.
	begun(w, call)
	w.run(0, "sessions", "list")
	w.says("no ticket yet  unknown")
	w.run(0, "sessions", "resolve", firstID, "--not-run")
	w.says("waits for an answer again")
	w.run(0, "approve", firstID)
	// The ticket says that it ran.
	w.claim(firstID, call)
	begun(w, call)
	w.tickets(func(ctx context.Context, s *approval.Store) {
		ticket, err := s.OfCall(ctx, firstID, "a")
		w.check(err)
		w.check(s.Finish(ctx, ticket.ID, ticket.Fence, true, ""))
	})
	w.run(1, "sessions", "resolve", firstID, "--not-run")
	w.says("says that it ran: it is done")
	w.run(0, "sessions", "resolve", firstID, "--ran")
}

// A ticket whose session is gone can be resolved all the same.
func TestS27_ResolveWithoutASession(t *testing.T) {
	for flag, want := range map[string]string{"--ran": "done", "--not-run": "cancelled"} {
		w := newCounter(t)
		call := w.bash("a", "deploy")
		w.park(firstID, call)
		name := w.ticket(firstID, call, 0)
		w.claim(firstID, call)
		w.check(os.RemoveAll(filepath.Join(w.state, "sessions")))
		w.run(0, "sessions", "list")
		w.says(name, "unknown", "its session does not exist any more")
		w.run(0, "sessions", "show", name)
		w.says("gone")
		w.run(0, "sessions", "resolve", name, flag)
		if got := w.stateOf(firstID, "a"); got != want {
			t.Errorf("%s: the ticket is %s", flag, got)
		}
		w.run(0, "sessions", "list")
		w.says("!" + name)
		w.run(1, "sessions", "resolve", name, flag)
	}
}
