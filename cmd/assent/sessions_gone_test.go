package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// exported is the file of a session that is gone since; its tickets are left.
func (w *counterTest) exported(id string) string {
	w.t.Helper()
	file := filepath.Join(w.home, id+".session")
	w.run(0, "sessions", "export", id, "-o", file)
	w.check(os.RemoveAll(filepath.Join(w.state, "sessions", id)))
	return file
}

// A damaged ticket of a session that is gone keeps a file from being imported only if its
// call waits there; and there is a way out that works.
func TestD7_ADamagedTicketOfASessionThatIsGone(t *testing.T) {
	for name, out := range map[string]func(w *counterTest, ticket string){
		"forgotten": func(w *counterTest, ticket string) {
			w.run(2, "sessions", "prune", ticket)
			w.says("whose session "+firstID+" is gone", "--force")
			w.run(0, "sessions", "prune", "--force", "--dry-run", ticket)
			w.says("would forget 1 ticket of session " + firstID)
			w.run(0, "sessions", "prune", "--force", ticket)
			w.says("forgot 1 ticket of session " + firstID)
		},
		"denied first, which does not say that it has not run": func(w *counterTest, ticket string) {
			w.run(1, "deny", ticket, "--reason", "nobody said so")
			w.says("no session waits for it", "assent sessions prune --force "+ticket, "!--resume")
			w.run(0, "sessions", "prune", "--force", ticket)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			call, other := w.bash("a", "deploy"), w.bash("a", "refund")
			w.park(firstID, call)
			w.park(secondID, other)
			ticket, kept := w.ticket(firstID, call, 0), w.ticket(secondID, other, 0)
			file := w.exported(firstID)
			w.spoilTicket(ticket, "outcome = 'maybe'")
			w.run(0, "sessions", "list")
			w.says("the ticket "+ticket+" of session "+firstID+", which does not exist any more, is damaged", "prune --force "+ticket)
			w.run(1, "sessions", "import", file)
			w.says("ticket "+ticket+", which is damaged", "could run a second time", "assent sessions prune --force "+ticket)
			out(w, ticket)
			w.run(0, "sessions", "import", file)
			w.run(0, "sessions", "list")
			w.says("!damaged", kept)
		})
	}
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	ticket := w.ticket(firstID, call, 0)
	w.write(firstID, session.Settled, session.Settlement{ToolUseID: "a", Result: resultBlock("a")})
	file := w.exported(firstID)
	w.spoilTicket(ticket, "outcome = 'maybe'")
	w.run(0, "sessions", "import", file) // its call does not wait there
	if got := w.stateOf(firstID, "a"); got != "no ticket" {
		t.Errorf("the ticket is %s", got)
	}
}

// A session with a damaged ticket is removed like any other, and what else is gone is
// forgotten as well.
func TestD7_PruneOfASessionWithADamagedTicket(t *testing.T) {
	for name, named := range map[string][]string{"named": {firstID}, "by its beginning": {firstID[:9]}, "all of them": {"--older-than", "0d"}} {
		for _, damage := range []string{"state = 'dome'", "digest = ''", "outcome = 'maybe'"} {
			w := newCounter(t)
			call := w.bash("a", "deploy")
			w.park(firstID, call)
			w.spoilTicket(w.ticket(firstID, call, 0), damage)
			w.run(0, append([]string{"sessions", "prune", "--force"}, named...)...)
			w.says("removed "+firstID, "removed 1 session,", "!damaged", "!forgot")
			if n := w.count(approval.Query{}); n != 0 {
				t.Errorf("%s, %s: %d tickets are left", name, damage, n)
			}
			w.run(0, "sessions", "list")
			w.says("!damaged")
		}
	}
}

// --force forgets what only tickets remember, as far as it is old enough. What a guard holds
// never had a session here.
func TestD7_PruneForgetsWhatIsGone(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.ticket(firstID, call, 0)
	w.exported(firstID)
	w.park(secondID, call)
	w.ticket(secondID, call, 0)
	w.holds(secondID, call)
	w.holds(oldID, call)
	w.run(0, "sessions", "prune", "--older-than", "0d")
	if got := w.stateOf(firstID, "a"); got != "pending" {
		t.Errorf("without --force: %s", got)
	}
	w.run(0, "sessions", "prune", "--force")
	if got := w.stateOf(firstID, "a"); got != "pending" {
		t.Errorf("it is not 30 days old: %s", got)
	}
	w.run(0, "sessions", "prune", "--force", "--older-than", "0d")
	w.says("forgot 1 ticket of session "+firstID, "removed "+secondID, "!of session "+oldID)
	if got := w.stateOf(firstID, "a") + ", " + w.stateOf(secondID, "a"); got != "no ticket, no ticket" {
		t.Error(got)
	}
	if n := w.count(approval.Query{}); n != 2 {
		t.Errorf("%d tickets are left", n)
	}
}

// The backup of a session that says itself that a call was begun can be brought back: nothing
// would run. One from before cannot.
func TestD8_ABackupThatKnowsOfTheRun(t *testing.T) {
	for name, begins := range map[string]bool{"from after": true, "from before": false} {
		w := newCounter(t)
		call := w.bash("a", "deploy")
		w.park(firstID, call)
		w.ticket(firstID, call, 0)
		file := ""
		if !begins {
			file = w.exported(firstID)
			w.run(0, "sessions", "import", file)
			w.ticket(firstID, call, 0)
		}
		w.claim(firstID, call)
		begun(w, call)
		if begins {
			file = w.exported(firstID)
		} else {
			w.check(os.RemoveAll(filepath.Join(w.state, "sessions", firstID)))
		}
		if begins {
			w.run(0, "sessions", "import", file)
			w.run(0, "sessions", "list")
			w.says("Nobody knows whether they ran")
			continue
		}
		w.run(1, "sessions", "import", file)
		w.says("was begun here before")
		if got := w.stateOf(firstID, "a"); got != "unknown" {
			t.Errorf("%s: the ticket is %s", name, got)
		}
	}
}

// An import that fails because somebody has the session, or has made it meanwhile, forgets no
// answer.
func TestD8_AnImportForgetsNoAnswerOfASessionThatIsThere(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	name, file := w.ticket(firstID, call, 0), filepath.Join(w.home, "it.session")
	w.run(0, "sessions", "export", firstID, "-o", file)
	w.run(0, "approve", name)
	tr, err := w.sessions.Resume(firstID) // by another import, which has not written it yet
	w.check(err)
	aside := filepath.Join(w.home, "transcript")
	w.check(os.Rename(w.transcript(firstID), aside))
	w.run(1, "sessions", "import", file)
	w.says("in use")
	w.check(os.Rename(aside, w.transcript(firstID)))
	w.check(tr.Close())
	if got := w.stateOf(firstID, "a"); got != "approved" {
		t.Errorf("the ticket is %s", got)
	}
}

// A call that was refused by a process which died then is not one that somebody has denied.
func TestS27_RefusedIsNotDenied(t *testing.T) {
	w := newCounter(t)
	first, second := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, first, second)
	refused, cancelled := w.ticket(firstID, first, 0), w.ticket(firstID, second, 0)
	w.run(0, "approve", refused)
	w.refuses(refused, "the rule Bash(deploy) denies it")
	w.cancels(cancelled, "a new request came")
	w.run(0, "sessions", "list")
	w.says(refused+"   refused  Bash  deploy", cancelled+"   cancelled  Bash  refund", "!denied  ")
	w.run(0, "sessions", "show", firstID)
	w.says("refused: the rule Bash(deploy) denies it", "cancelled: a new request came", "!denied by")
	w.run(0, "sessions", "list", "--json")
	w.says(`"state": "refused"`, `"state": "cancelled"`)
	w.run(1, "approve", refused)
	w.says("is refused")
}

// Whatever stands in the row of one ticket: the others are as good as ever, and this one can
// be denied.
func TestD7_DamageOfEveryColumn(t *testing.T) {
	for change, refused := range map[string]int{
		"fence = 'x'": 2, "created = 'x'": 2, "expires = 'x'": 2, "input = '{'": 2, `input = '{"command":"rm"}'`: 2,
		"digest = 'x'": 1, // it is for another call
	} {
		w := newCounter(t)
		first, second := w.bash("a", "deploy"), w.bash("a", "refund")
		w.park(firstID, first)
		w.park(secondID, second)
		bad, good := w.ticket(firstID, first, 0), w.ticket(secondID, second, 0)
		w.spoilTicket(bad, change)
		w.run(0, "sessions", "list")
		w.says(good+"   pending  Bash  refund", bad+"   pending  Bash  deploy", "the ticket "+bad+" is damaged", "!no ticket yet", "!tickets cannot be read", "!0001-01-01", "!sql:")
		w.run(0, "sessions", "show", bad)
		w.says("assent deny "+bad, "!0001-01-01")
		w.run(refused, "approve", bad)
		w.says("assent deny "+bad, "!sql:")
		w.run(0, "deny", bad, "--reason", "nobody said so")
		if got := w.stateOf(firstID, "a"); got != "denied" {
			t.Errorf("%s: the ticket is %s", change, got)
		}
		w.run(0, "sessions", "list")
		w.says(bad+"   denied  Bash  deploy", "!damaged")
	}
}

// A damaged ticket that was running when its process died is unknown like any other, and
// somebody can say what became of its call.
func TestS27_ADamagedRunIsResolved(t *testing.T) {
	for _, change := range []string{"outcome = 'maybe'", "input = '{'", "created = 'x'"} {
		for _, begins := range []bool{true, false} { // it died before or after the transcript said so
			for _, finding := range []string{"--ran", "--not-run"} {
				w := newCounter(t)
				call := w.bash("a", "deploy")
				w.park(firstID, call)
				name := w.ticket(firstID, call, 0)
				w.claim(firstID, call)
				if begins {
					begun(w, call)
				}
				w.spoilTicket(name, change)
				w.run(0, "sessions", "list")
				w.says("Nobody knows whether they ran", name+"   unknown")
				w.run(1, "deny", name, "--reason", "no")
				w.says("sessions resolve " + name)
				w.run(0, "sessions", "resolve", name, finding)
				if finding == "--not-run" {
					w.run(0, "deny", name, "--reason", "no")
				}
				w.run(0, "sessions", "list")
				if w.says("!unknown", "!running"); strings.Contains(w.out, "Nobody knows") {
					t.Errorf("%s, %v, %s: it is still unknown", change, begins, finding)
				}
			}
		}
	}
}

func resultBlock(id string) model.Block {
	return model.Block{Kind: model.ToolResult, ToolUseID: id, Result: []model.Block{model.TextBlock("done")}}
}

// holds makes the ticket of a call that the guard of another agent holds.
func (w *counterTest) holds(id string, c session.PendingCall) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) {
		_, err := s.Hold(ctx, "codex", approval.Parking{Call: callIn(id, c), By: "guard", Risk: 1})
		w.check(err)
	})
}

func (w *counterTest) refuses(name, why string) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) { w.check(s.Refuse(ctx, name, "process 1", why)) })
}

func (w *counterTest) cancels(name, why string) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) { w.check(s.Cancel(ctx, name, "process 1", why)) })
}

func (w *counterTest) count(q approval.Query) (n int) {
	w.t.Helper()
	w.tickets(func(ctx context.Context, s *approval.Store) {
		list, err := s.List(ctx, q)
		w.check(err)
		n = len(list)
	})
	return n
}
