package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

func (w *counterTest) transcript(id string) string {
	return filepath.Join(w.state, "sessions", id, "transcript.jsonl")
}

// spoil changes a text in a transcript.
func (w *counterTest) spoil(id, old, text string) {
	w.t.Helper()
	data, err := os.ReadFile(w.transcript(id))
	w.check(err)
	if !strings.Contains(string(data), old) {
		w.t.Fatalf("there is no %q in\n%s", old, data)
	}
	w.check(os.WriteFile(w.transcript(id), []byte(strings.Replace(string(data), old, text, 1)), 0o600))
}

// A session that cannot be read comes first, and nobody says that no call waits in it.
func TestD7_ACallMayWaitInWhatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(w *counterTest)
		state  string
		why    string
	}{
		"changed": {func(w *counterTest) { w.spoil(firstID, "refund 17", "refund 18") }, "damaged", "cannot be used"},
		"cut off": {func(w *counterTest) {
			data, err := os.ReadFile(w.transcript(firstID))
			w.check(err)
			lines := strings.SplitAfter(string(data), "\n")
			w.check(os.WriteFile(w.transcript(firstID), []byte(strings.Join(lines[:2], "")), 0o600))
		}, "damaged", "cannot be used"},
		"unreadable from the start": {func(w *counterTest) { w.check(os.WriteFile(w.transcript(firstID), []byte("x\n"), 0o600)) }, "damaged", "cannot be used"},
		"writable by others":        {func(w *counterTest) { w.check(os.Chmod(filepath.Join(w.state, "sessions"), 0o777)) }, "exposed", "chmod go-w"},
	} {
		for _, stage := range []string{"waits", "unknown"} {
			t.Run(name+", "+stage, func(t *testing.T) {
				w := newCounter(t)
				call := w.bash("a", "refund 17")
				w.park(firstID, call)
				w.park(secondID)
				w.write(secondID, session.Ended, map[string]string{"subtype": "success"})
				if stage == "unknown" {
					begun(w, call)
				}
				w.write(firstID, session.Ended, map[string]string{"subtype": "success"})
				c.damage(w)
				w.run(0, "sessions", "list")
				w.says("Cannot be read; a call may wait in them\n  "+firstID, c.why, "!never written")
				if first, second := strings.Index(w.out, firstID), strings.Index(w.out, secondID); first > second {
					t.Errorf("it does not come first:\n%s", w.out)
				}
				if n := strings.Count(w.out, "  "+firstID+"  "); n != 1 {
					t.Errorf("it is listed %d times:\n%s", n, w.out)
				}
				var o clerk.Overview
				w.run(0, "sessions", "list", "--json")
				w.check(strictjson.Unmarshal([]byte(w.out), &o))
				if len(o.Unreadable) != 1 || o.Unreadable[0].Session != firstID || o.Unreadable[0].State != c.state || !strings.Contains(o.Unreadable[0].Problem, c.why) {
					t.Errorf("%+v", o.Unreadable)
				}
				if len(o.Sessions) != 1 || o.Sessions[0].Session != secondID {
					t.Errorf("%+v", o.Sessions)
				}
				w.run(0, "sessions", "show", firstID)
				w.says("state       "+c.state, c.why, "nobody can say whether a call waits in it", "!no call waits")
				w.run(2, "approve", firstID)
				w.says(c.why)
			})
		}
	}
}

// One session is removed by its name, with the same care as all.
func TestD7_PruneByName(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(oldID)
	w.park(youngID)
	w.park(waitingID, call)
	name := w.ticket(waitingID, call, 0)
	w.run(2, "sessions", "prune", oldID[:8], "99999999")
	w.says("there is no session or ticket")
	w.run(2, "sessions", "prune", oldID, name)
	w.says("is the ticket of a call", waitingID)
	w.run(2, "sessions", "prune", oldID, "--older-than", "1d")
	w.says("exclude each other")
	if !w.there(oldID) {
		t.Fatal("something was removed although one of the names is wrong")
	}
	w.run(0, "sessions", "prune", "--dry-run", oldID)
	w.says("would remove "+oldID, "would remove 1 session")
	w.run(1, "sessions", "prune", oldID[:8], oldID, waitingID)
	w.says("removed "+oldID, "kept "+waitingID+": a call waits", "removed 1 session", "kept 1")
	if w.there(oldID) || !w.there(youngID) || !w.there(waitingID) {
		t.Error("the wrong session is gone")
	}
	used, err := w.sessions.Resume(youngID)
	w.check(err)
	w.run(1, "sessions", "prune", "--force", youngID)
	w.says("kept " + youngID + ": a process has it open")
	w.check(used.Close())
	w.run(0, "sessions", "prune", "--force", waitingID)
	if w.there(waitingID) || w.stateOf(waitingID, "a") != "no ticket" {
		t.Error("it is still there")
	}
}

// What a process has left that died before its session began goes as well.
func TestD7_PruneOfWhatNeverBegan(t *testing.T) {
	w := newCounter(t)
	w.park(youngID)
	dir := filepath.Join(w.state, "sessions", oldID)
	w.check(os.Mkdir(dir, 0o700))
	w.check(os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600))
	w.run(0, "sessions", "prune")
	if !w.there(oldID) {
		t.Error("somebody may have been about to use it")
	}
	then := time.Now().Add(-2 * time.Hour)
	w.check(os.Chtimes(dir, then, then))
	w.run(0, "sessions", "prune", "--dry-run")
	if !w.there(oldID) {
		t.Error("a dry run has removed it")
	}
	w.run(0, "sessions", "prune")
	if w.there(oldID) || !w.there(youngID) {
		t.Error("it is still there, or the session is not")
	}
}

// Programs get all of it.
func TestD7_JSONHasEverything(t *testing.T) {
	w := newCounter(t)
	for i := range lastSessions + 3 {
		w.park(strings.Replace(firstID, "11111111", string(rune('a'+i/16))+"111111"+string("0123456789abcdef"[i%16]), 1))
	}
	var o clerk.Overview
	w.run(0, "sessions", "list", "--json")
	w.check(strictjson.Unmarshal([]byte(w.out), &o))
	if len(o.Sessions) != lastSessions+3 || o.More != 0 {
		t.Errorf("%d sessions, and %d more", len(o.Sessions), o.More)
	}
}

// The words of a command are about what it is for.
func TestD7_WordsOfTheClerk(t *testing.T) {
	w := newCounter(t)
	late := w.lasting("a", "deploy", "deny", -time.Hour)
	w.park(firstID, late)
	w.run(0, "sessions", "prune", "--older-than", "0d")
	w.says("kept "+firstID+": the time to answer a call is over", "!was answered")
	tr, err := w.sessions.Resume(firstID)
	w.check(err)
	for _, args := range [][]string{{"sessions", "export", firstID, "-o", filepath.Join(w.home, "x")}, {"sessions", "export", firstID}} {
		w.run(1, args...)
		w.says("is in use by process", "wait until it has ended", "!--fork-session")
	}
	w.check(tr.Close())
	w.run(2, "sessions", "import", "")
	w.says("the name of the file to import is empty")
	call := w.bash("a", "deploy")
	w.park(secondID, call)
	name := w.ticket(secondID, call, 0)
	w.claim(secondID, call)
	tr, err = w.sessions.Resume(secondID)
	w.check(err)
	w.run(1, "sessions", "resolve", name, "--ran")
	w.says("is in use by process", "!--fork-session")
	w.check(tr.Close())
	w.run(0, "sessions", "show", name)
	w.says(": process 999999 on nowhere was not heard of any more", "!the process process")
}

// Tickets that are damaged hide no call: what waits is shown by what the sessions say, with
// the way out, and nothing is answered meanwhile.
func TestD7_TicketsThatCannotBeRead(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.ticket(firstID, call, 0)
	w.park(oldID)
	w.age(oldID, 31)
	w.age(firstID, 31)
	w.check(os.WriteFile(filepath.Join(w.state, "state.db"), []byte(strings.Repeat("no database ", 1000)), 0o600))
	const way = "answers must be given again"
	w.run(0, "sessions", "list")
	w.says("pending  Bash  deploy", "nobody can say whether it was answered", "assent: warning: the tickets in ", way)
	w.run(0, "sessions", "show", firstID)
	w.says("nobody can say whether it was answered", way)
	w.run(0, "sessions", "export", firstID, "-o", filepath.Join(w.home, "it.session"))
	w.run(0, "sessions", "prune")
	w.says("removed "+oldID, "kept "+firstID, way)
	w.run(2, "approve", firstID)
	w.says(way)
	w.run(2, "sessions", "import", filepath.Join(w.home, "it.session"))
	w.says(way)
	for _, name := range []string{"state.db", "state.db-wal", "state.db-shm"} { // as it is told
		if err := os.Rename(filepath.Join(w.state, name), filepath.Join(w.home, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	w.run(0, "approve", firstID)
	w.run(0, "sessions", "list")
	w.says("approved  Bash  deploy", "!warning")
}
