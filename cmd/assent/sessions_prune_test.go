package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// age makes a session old.
func (w *counterTest) age(id string, days int) {
	w.t.Helper()
	then := time.Now().AddDate(0, 0, -days)
	w.check(os.Chtimes(filepath.Join(w.state, "sessions", id, "transcript.jsonl"), then, then))
}

func (w *counterTest) there(id string) bool {
	_, err := os.Stat(filepath.Join(w.state, "sessions", id))
	return err == nil
}

const (
	oldID     = "aaaaaaaa-1111-4111-8111-111111111111"
	youngID   = "bbbbbbbb-1111-4111-8111-111111111111"
	waitingID = "cccccccc-1111-4111-8111-111111111111"
	unknownID = "dddddddd-1111-4111-8111-111111111111"
	usedID    = "eeeeeeee-1111-4111-8111-111111111111"
	damagedID = "ffffffff-1111-4111-8111-111111111111"
)

func TestD7_PruneKeepsWhatSomebodyMayWant(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(oldID)
	w.park(youngID)
	w.park(waitingID, call)
	w.park(unknownID, call)
	w.ticket(oldID, call, 0) // of a call that the session has gone on without
	w.ticket(unknownID, call, 0)
	w.claim(unknownID, call)
	w.park(usedID)
	w.park(damagedID)
	w.check(os.WriteFile(filepath.Join(w.state, "sessions", damagedID, "transcript.jsonl"), []byte("x\n"), 0o600))
	for _, id := range []string{oldID, waitingID, unknownID, usedID, damagedID} {
		w.age(id, 31)
	}
	w.age(youngID, 29)
	used, err := w.sessions.Resume(usedID)
	w.check(err)
	defer used.Close()

	w.run(0, "sessions", "prune", "--dry-run")
	w.says("would remove "+oldID, "not used for 31 d", "would remove 1 session", "kept 4")
	if !w.there(oldID) {
		t.Fatal("a dry run has removed a session")
	}
	w.run(0, "sessions", "prune")
	w.says("removed "+oldID, "kept "+waitingID+": a call waits", "kept "+unknownID+": nobody knows", "kept "+usedID+": a process has it open",
		"kept "+damagedID+": it cannot be read", "removed 1 session", "!"+youngID)
	if w.there(oldID) || !w.there(youngID) || w.stateOf(oldID, "a") != "no ticket" {
		t.Error("the old session is not gone, or the young one is")
	}
	w.run(0, "sessions", "prune", "--force", "--older-than", "30d")
	w.says("removed 3 sessions", "kept "+usedID)
	for id, want := range map[string]bool{waitingID: false, unknownID: false, damagedID: false, usedID: true, youngID: true} {
		if w.there(id) != want {
			t.Errorf("%s: %v", id, !want)
		}
	}
	if w.stateOf(unknownID, "a") != "no ticket" {
		t.Error("a ticket was not forgotten")
	}
	w.run(0, "sessions", "prune", "--older-than", "0d")
	w.says("removed "+youngID, "kept "+usedID)
	for _, age := range []string{"x", "-1d", "-3h", "1.5d", "999999999999d", ""} {
		w.run(2, "sessions", "prune", "--older-than", age)
	}
}

// A process that dies while it removes a session has left something that the next one
// finds, tickets included.
func TestD7_PruneAfterACrash(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(oldID, call)
	w.ticket(oldID, call, 0)
	_, err := w.sessions.Remove(oldID, nil)
	w.check(err)
	w.run(0, "sessions", "list")
	w.says("!" + oldID)
	w.run(0, "sessions", "prune", "--dry-run")
	if len(w.sessions.Discarded()) != 1 {
		t.Error("a dry run has removed something")
	}
	w.run(0, "sessions", "prune")
	if len(w.sessions.Discarded()) != 0 || w.stateOf(oldID, "a") != "no ticket" {
		t.Errorf("left over: %v, %s", w.sessions.Discarded(), w.stateOf(oldID, "a"))
	}
}

func TestD8_ExportAndImport(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.check(os.WriteFile(filepath.Join(w.state, "sessions", firstID, "state.json"), []byte(`{"tenure":"vip"}`), 0o600))
	file := filepath.Join(w.home, "it.session")
	w.run(0, "sessions", "export", "1111", "-o", file)
	w.says("exported session "+firstID, "1 call waits in it")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	w.run(2, "sessions", "export", firstID, "-o", file)
	w.says("exists already")
	w.run(0, "approve", firstID)
	w.run(1, "sessions", "import", file)
	w.says("there is a session with this id already")

	tr, err := w.sessions.Resume(firstID)
	w.check(err)
	w.run(1, "sessions", "export", firstID, "-o", filepath.Join(w.home, "busy.session"))
	w.says("is in use by process")
	w.check(tr.Close())

	// It is gone here; its approval is not one for what comes back.
	w.check(os.RemoveAll(filepath.Join(w.state, "sessions", firstID)))
	w.run(0, "sessions", "import", file)
	w.says("imported session "+firstID, "1 call waits in it")
	w.run(0, "sessions", "list")
	w.says("no ticket yet  pending")

	// A call that has run here does not come back from a file of before.
	w.run(0, "approve", firstID)
	w.claim(firstID, call)
	w.check(os.RemoveAll(filepath.Join(w.state, "sessions", firstID)))
	w.run(1, "sessions", "import", file)
	w.says("could run a second time")
	if w.there(firstID) {
		t.Error("it was imported")
	}

	// On another machine, through a pipe.
	data, err := os.ReadFile(file)
	w.check(err)
	other := filepath.Join(w.home, "other")
	elsewhere := filepath.Join(w.home, "elsewhere")
	w.check(os.Mkdir(elsewhere, 0o755))
	w.runWith(string(data[:len(data)-1]), 2, "sessions", "import", "--state", other, "-")
	w.says("nothing was written")
	if _, err := os.Stat(other); err == nil {
		t.Error("something was written")
	}
	w.run(2, "sessions", "import", "--state", other, file, "--cwd", filepath.Join(w.home, "nowhere"))
	w.says("--cwd")
	w.runWith(string(data), 0, "sessions", "import", "--state", other, "-", "--cwd", elsewhere)
	w.says("which works in " + elsewhere)
	w.run(0, "sessions", "show", "--state", other, firstID)
	w.says("directory   "+elsewhere, "deploy")
	w.run(0, "approve", "--state", other, firstID)
	stand, err := session.NewStore(filepath.Join(other, "sessions")).Standing(firstID)
	if err != nil || stand.Start.Cwd != elsewhere || stand.Calls[0].Cwd != elsewhere {
		t.Errorf("%+v, %v", stand, err)
	}
	w.run(2, "sessions", "import", w.home)
	w.run(2, "sessions", "import", filepath.Join(w.home, "missing"))
	w.run(2, "sessions", "import")
}

// An unknown outcome is one on the other machine as well.
func TestS27_AnImportStaysUnknown(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	begun(w, call)
	file, other := filepath.Join(w.home, "it.session"), filepath.Join(w.home, "other")
	w.run(0, "sessions", "export", firstID, "-o", file)
	for _, more := range [][]string{nil, {"--cwd", w.home}} {
		w.check(os.RemoveAll(other))
		w.run(0, append([]string{"sessions", "import", "--state", other, file}, more...)...)
		w.run(0, "sessions", "list", "--state", other)
		w.says("unknown", "assent sessions resolve "+firstID)
		w.run(1, "approve", "--state", other, firstID)
	}
}

// Large ones go through a pipe, too.
func TestD8_ImportOfALargeSession(t *testing.T) {
	w := newCounter(t)
	w.park(firstID)
	text := make([]byte, maxFile)
	for i := range text {
		text[i] = 'x'
	}
	w.write(firstID, session.Noted, string(text))
	w.run(0, "sessions", "export", firstID)
	data := w.out
	w.runWith(data, 0, "sessions", "import", "--state", filepath.Join(w.home, "other"), "-")
	w.says("imported session " + firstID)
}

func TestCompletionOfIDs(t *testing.T) {
	w := newCounter(t)
	w.run(0, "__complete", "approve", "")
	if approval.Exists(w.state) {
		t.Error("completion has made a database")
	}
	a, b := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, a)
	w.park(secondID, b)
	one, two := w.ticket(firstID, a, 0), w.ticket(secondID, b, 0)
	w.claim(secondID, b)
	w.run(0, "__complete", "approve", "")
	w.says(one+"\tBash deploy", "!"+two)
	w.run(0, "__complete", "sessions", "resolve", "")
	w.says(two+"\tBash refund", "!"+one)
	w.run(0, "__complete", "sessions", "show", "2")
	w.says(secondID, "!"+firstID)
	w.run(0, "__complete", "sessions", "export", "")
	w.says(firstID, "!"+one)
	w.run(0, "__complete", "approve", one, "")
	w.says("!" + firstID)
	w.tickets(func(ctx context.Context, s *approval.Store) {
		_, err := s.Deny(ctx, one, mustDigest(t, callIn(firstID, a)), "ann", "no")
		w.check(err)
	})
	w.run(0, "__complete", "deny", "")
	w.says("!" + one)
}

func mustDigest(t *testing.T, c approval.Call) string {
	t.Helper()
	digest, err := c.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest
}
