package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whoever forgets the address of the database is not told that a call was answered: only a copy is
// here, and the call would run all the same, or never.
func TestT4_ACopyIsNotAnsweredWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch deployed")
	ticket := m.ticket()
	const only = "lies in a database, and this is only a copy (name the database with --database or ASSENT_DATABASE)"
	for _, args := range [][]string{
		{"approve", chosenID},
		{"deny", chosenID, "--reason", "no"},
		{"sessions", "show", chosenID},
		{"sessions", "resolve", chosenID, "--ran"},
		{"approve", chosenID[:6]},
		{"deny", chosenID[:6], "--reason", "no"},
		{"sessions", "export", chosenID, "-o", "out"},
		{"-p", "--resume", chosenID},
	} {
		if said, complained, status := m.say(args...); status == 0 || !strings.Contains(complained, only) {
			t.Errorf("%v: exit status %d\n%s%s", args, status, said, complained)
		}
	}
	said, complained, status := m.say("sessions", "list")
	if status != 0 || strings.Contains(said, chosenID) || !strings.Contains(said, "1 copy of a session that lies in a database is here, and not listed (name the database with --database or ASSENT_DATABASE)") {
		t.Errorf("exit status %d\n%s%s", status, said, complained)
	}
	if said, complained, status := m.say("inbox", "--once"); status != 0 || !strings.Contains(said, "Nothing waits") {
		t.Errorf("exit status %d\n%s%s", status, said, complained)
	}
	if got := m.ticket(); got != ticket {
		t.Errorf("another ticket waits: %s", got)
	}
	said, complained, status = m.say("sessions", "prune", "--older-than", "0d")
	if status != 0 || !strings.Contains(said, "removed the copy of "+chosenID) || !strings.Contains(said, "1 of them is a copy: its session lies in a database, and stays there") {
		t.Errorf("exit status %d\n%s%s", status, said, complained)
	}
	if _, complained, status := m.says("approve", ticket); status != 0 {
		t.Error("the session went with its copy: " + complained)
	}
}

// What somebody removes on one machine goes on those that have seen it as well.
func TestD8_CopiesGoWithTheirSession(t *testing.T) {
	t.Parallel()
	m := machines(t, 2)
	m[0].parks(chosenID, "touch deployed")
	copied := filepath.Join(m[0].home, ".assent", "sessions", chosenID)
	if _, err := os.Stat(copied); err != nil {
		t.Fatal(err)
	}
	if said, complained, status := m[1].says("sessions", "prune", "--force", chosenID); status != 0 || !strings.Contains(said, "removed 1 session") {
		t.Fatalf("exit status %d\n%s%s", status, said, complained)
	}
	c := m[0].start(m[0].env(databaseVariable+"="+m[0].database), "worker")
	c.stdin.Close()
	defer c.end()
	defer c.signal(syscall.SIGTERM)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(copied); os.IsNotExist(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the copy stays\n%s", c.stderr.String())
		}
	}
}

// A session that asks for something says so, wherever people look for what keeps it.
func TestD8_ASessionNamesItsLabels(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch deployed", "--labels", "gpu,eu")
	if _, complained, status := m.says("approve", m.ticket()); status != 0 {
		t.Fatal(complained)
	}
	for want, args := range map[string][]string{
		"waits for a worker with eu, gpu": {"sessions", "list"},
		"eu, gpu, which a worker must":    {"sessions", "show", chosenID},
		`"labels":["eu","gpu"]`:           {"sessions", "show", chosenID, "--json"},
	} {
		said, complained, status := m.says(args...)
		if status != 0 || !strings.Contains(strings.Join(strings.Fields(said), " "), want) && !strings.Contains(strings.Join(strings.Fields(said), ""), want) {
			t.Errorf("%v does not say %q: exit status %d\n%s%s", args, want, status, said, complained)
		}
	}
}
