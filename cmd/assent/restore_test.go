//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// backedUp is a state directory with a call that was approved, a backup of that moment, and what
// has happened since: the call ran.
func backedUp(t *testing.T) (p *place, backup, end string) {
	t.Helper()
	p = newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	for _, args := range [][]string{append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, p.deferring()...), {"approve", chosenID}} {
		if _, complained, status := p.say(args...); status != 0 {
			t.Fatal(complained)
		}
	}
	backup = filepath.Join(t.TempDir(), "backup")
	if err := os.CopyFS(backup, os.DirFS(p.state())); err != nil {
		t.Fatal(err)
	}
	end = p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	if _, complained, status := p.say("-p", "--resume", chosenID, "--model", end); status != 0 || p.effects() != "ran\n" {
		t.Fatalf("exit status %d, %s, %q", status, complained, p.effects())
	}
	return p, backup, end
}

func (p *place) effects() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, "effects")) // without one it did not run
	return string(text)
}

// Tickets of before beside transcripts of today: the transcript says that the call ran, and it
// does not run again, neither in a server nor by hand.
func TestD8_RestoredTicketsRunNothingTwice(t *testing.T) {
	t.Parallel()
	p, backup, end := backedUp(t)
	for _, name := range []string{"state.db-wal", "state.db-shm"} {
		_ = os.Remove(filepath.Join(p.state(), name)) // they belong to the tickets that are replaced
	}
	text, err := os.ReadFile(filepath.Join(backup, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.state(), "state.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	said, complained, status := p.say("-p", "--resume", chosenID, "--model", end)
	if p.effects() != "ran\n" {
		t.Fatalf("it ran twice: exit status %d, %s%s", status, said, complained)
	}
	server, _ := p.serving("--metrics", ":0", "--", "--model", end)
	server.figure("assent_database_up 1")
	server.signal(syscall.SIGTERM)
	if status := server.end(); status != 0 || p.effects() != "ran\n" {
		t.Errorf("exit status %d, %q\n%s", status, p.effects(), server.stderr)
	}
}

// A whole state directory of before knows nothing of what ran since: the approval is there, and
// would be acted upon. So a server that is started after a restore lets nothing go on, and who
// has found out that the call ran denies it.
func TestD8_ARestoredDirectoryIsLookedThroughFirst(t *testing.T) {
	t.Parallel()
	p, backup, end := backedUp(t)
	if err := os.RemoveAll(p.state()); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(p.state(), os.DirFS(backup)); err != nil {
		t.Fatal(err)
	}
	server, _ := p.serving("--no-resume", "--metrics", ":0")
	server.figure(`assent_tickets{state="approved"} 1`)
	if p.effects() != "ran\n" {
		t.Fatal("it ran twice")
	}
	if _, complained, status := p.say("deny", chosenID, "--reason", "it ran before the restore"); status != 0 {
		t.Fatal(complained)
	}
	server.signal(syscall.SIGTERM)
	server.end()
	if _, complained, status := p.say("-p", "--resume", chosenID, "--model", end); status != 0 || p.effects() != "ran\n" {
		t.Errorf("exit status %d, %s, %q", status, complained, p.effects())
	}
}

// A copy that is made while a server works is whole.
func TestD8_TicketsAreCopiedWhileAServerWorks(t *testing.T) {
	t.Parallel()
	p, _, _ := backedUp(t)
	server, _ := p.serving("--no-resume", "--metrics", ":0")
	server.figure("assent_database_up 1")
	db, err := database.OpenFile(filepath.Join(p.state(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if _, err := db.Writer().ExecContext(t.Context(), "VACUUM INTO $1", filepath.Join(copied, "state.db")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	tickets, err := approval.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer tickets.Close()
	list, err := tickets.List(context.Background(), approval.Query{})
	if err != nil || len(list) != 1 || list[0].State != approval.Done || !strings.Contains(string(list[0].Input), "effects") {
		t.Errorf("%+v, %v", list, err)
	}
}
