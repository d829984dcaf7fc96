package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// machine is a home directory of its own, as a machine has, on which the same project lies.
type machine struct {
	*place
	database string
}

// machines are some that share a database.
func machines(t *testing.T, n int) []machine {
	t.Helper()
	first := newPlace(t)
	address := testpostgres.Database(t)
	var all []machine
	for i := range n {
		p := *first
		p.home = filepath.Join(filepath.Dir(first.home), "home"+string(rune('A'+i)))
		if err := os.Mkdir(p.home, 0o755); err != nil {
			t.Fatal(err)
		}
		all = append(all, machine{&p, address})
	}
	return all
}

// says runs the program on a machine.
func (m machine) says(args ...string) (said, complained string, status int) {
	m.t.Helper()
	c := m.start(m.env(databaseVariable+"="+m.database), args...)
	c.stdin.Close()
	said = c.rest()
	status = c.end()
	return said, c.stderr.String(), status
}

// must runs a command that succeeds, and names no database by itself.
func (m machine) must(args ...string) {
	m.t.Helper()
	if said, complained, status := m.say(args...); status != 0 {
		m.t.Fatalf("assent %q: exit status %d: %s%s", args, status, said, complained)
	}
}

// parks parks a call of a new session.
func (m machine) parks(id, command string, flags ...string) {
	m.t.Helper()
	flags = append(append(m.deferring(), "-p", "--session-id", id, "--model", m.playing("park.yaml", "turns:\n  - call: {Bash: {command: "+command+"}}\nafterwards: Done.\n")), flags...)
	if _, complained, status := m.says(append(flags, "deploy")...); status != 0 || !strings.Contains(complained, "1 call waits") {
		m.t.Fatalf("exit status %d, %s", status, complained)
	}
}

// ticket is the one that waits.
func (m machine) ticket() string {
	m.t.Helper()
	said, complained, status := m.says("sessions", "list")
	words := strings.Fields(said)
	for i, word := range words {
		if word == "pending" && i > 0 && status == 0 {
			return words[i-1]
		}
	}
	m.t.Fatalf("nothing waits: exit status %d\n%s\n%s", status, said, complained)
	return ""
}

// A call is parked on one machine, approved on another, and runs on a third, with nothing
// between them but the database.
func TestA5_OneMachineParksAnotherApprovesAThirdRuns(t *testing.T) {
	t.Parallel()
	m := machines(t, 3)
	m[0].parks(chosenID, "touch deployed")
	id := m[1].ticket()
	if said, complained, status := m[1].says("sessions", "show", id); status != 0 || !strings.Contains(said, "touch deployed") {
		t.Fatalf("exit status %d, %s%s", status, said, complained)
	}
	if _, complained, status := m[1].says("approve", id); status != 0 {
		t.Fatal(complained)
	}
	if m[0].has("deployed") {
		t.Fatal("it ran before anybody has gone on")
	}
	end := m[2].playing("end.yaml", "turns: []\nafterwards: Done.\n")
	if said, complained, status := m[2].says("-p", "--resume", chosenID, "--model", end); status != 0 || !strings.Contains(said, "Done.") {
		t.Fatalf("exit status %d, %s%s", status, said, complained)
	}
	if !m[0].has("deployed") {
		t.Fatal("it did not run")
	}
	for _, one := range m { // it does not run again, wherever somebody tries
		if _, complained, status := one.says("-p", "--resume", chosenID, "--model", end); status != 1 || !strings.Contains(complained, "nothing to go on with") {
			t.Errorf("exit status %d, %s", status, complained)
		}
		if said, _, status := one.says("sessions", "show", id); status != 0 || !strings.Contains(said, "done") {
			t.Errorf("exit status %d, %s", status, said)
		}
	}
}

// A copy that a machine has left over is nothing to go on with where the database is not
// named: another machine may have gone on since.
func TestD8_ACopyDoesNotRunWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch deployed")
	_, complained, status := m.say("-p", "--resume", chosenID, "--model", m.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
	if status != 1 || !strings.Contains(complained, "--database") || m.has("deployed") {
		t.Errorf("exit status %d, %s", status, complained)
	}
}

// The address of the database opens the tickets to whoever has it: no command and no hook of
// an agent inherits it, and no sentence has its password.
func TestT1_NoCommandOfAnAgentKnowsTheDatabase(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.write("hook.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"env > of-hook"}]}]}}`)
	_, complained, status := m.says("-p", "--settings", filepath.Join(m.dir, "hook.json"), "--allowedTools", "Bash", "--model",
		m.playing("env.yaml", "turns:\n  - call: {Bash: {command: env > of-command}}\nafterwards: Done.\n"), "look")
	if status != 0 {
		t.Fatal(complained)
	}
	for _, name := range []string{"of-hook", "of-command"} {
		text, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil || strings.Contains(string(text), databaseVariable) || strings.Contains(string(text), "postgres://") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	for address, commands := range map[string][][]string{
		"postgres://ann:hidden@127.0.0.1:1/none": {{"sessions", "list"}, {"worker"}},
		"postgres://ann:hidden@%zz/none":         {{"inbox"}, {"approve", "x"}, {"-p", "--model", "script:none.yaml", "x"}, {"serve"}},
		"mysql://ann:hidden@h/none":              {{"sessions", "list"}, {"serve"}},
	} {
		for _, args := range commands {
			c := m.start(m.env(databaseVariable+"="+address), args...)
			c.stdin.Close()
			said := c.rest()
			if status := c.end(); status == 0 || strings.Contains(said+c.stderr.String(), "hidden") || !strings.Contains(c.stderr.String(), "cannot be used") {
				t.Errorf("%s %v: exit status %d\n%s%s", address, args, status, said, c.stderr)
			}
		}
	}
}

// No command that takes the address connects to another machine without TLS.
func TestS26_NoCommandConnectsWithoutTLS(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	const address = "postgres://ann:hidden@db.example.com/none"
	for _, args := range [][]string{
		{"-p", "--model", "script:none.yaml", "x"},
		{"serve"},
		{"worker"},
		{"inbox"},
		{"approve", "x"},
		{"deny", "x", "--reason", "no"},
		{"sessions", "list"},
		{"sessions", "show", "x"},
		{"sessions", "prune"},
		{"sessions", "resolve", "x", "--ran"},
		{"sessions", "export", "x"},
		{"people", "list"},
		{"people", "rules", "ana"},
		{"people", "deputy", "list"},
		{"people", "account", "list"},
		{"doctor"},
	} {
		for way, c := range map[string]*worker{
			"the variable": m.start(m.env(databaseVariable+"="+address), args...),
			"the flag":     m.start(m.env(databaseVariable+"=postgres://127.0.0.1:1/other"), slices.Concat(args, []string{"--database", address})...),
		} {
			c.stdin.Close()
			said := c.rest()
			status := c.end()
			if all := said + c.stderr.String(); status == 0 || strings.Contains(all, "hidden") || !strings.Contains(all, "to db.example.com may go without TLS") || !strings.Contains(all, "sslmode=verify-full") {
				t.Errorf("%v, %s: exit status %d\n%s", args, way, status, all)
			}
		}
	}
}
