package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/session"
)

// An agent that has been allowed to run anything tries to answer a call that waits, from a
// script in which nobody sees it: with the mark of the environment, without it, and in a
// process that has left its group, and with the state directory under another name. None of
// that works, and all of it is on record.
func TestT1_AnAgentDoesNotAnswerItsOwnTicket(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	program, err := exec.LookPath("assent")
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(p.home, ".assent")
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	store, err := approval.Open(state)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.List(t.Context(), approval.Query{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	id := list[0].ID
	// GOCOVERDIR and GORACE keep programs under test quiet.
	bare := "env -i HOME=" + p.home + " PATH=/usr/bin:/bin GOCOVERDIR=" + t.TempDir() + " GORACE=" + noSleep + " " + program
	tries := map[string]string{
		"as it is":                program + " approve " + id,
		"without the environment": bare + " approve " + id + " --state " + state,
		"in a session of its own": "setsid -w " + bare + " approve " + id + " --state " + state,
		"without a terminal":      "nohup " + bare + " approve " + id + " --state " + state,
		"below other shells":      `sh -c "sh -c '` + bare + " approve " + id + " --state " + state + `; true'; true"`,
		"to deny it":              bare + " deny " + id + " --reason no --state " + state,
		"to serve an inbox":       bare + " serve --state " + state + " --listen 127.0.0.1:0",
		"at a server":             bare + " approve " + id + " --server http://127.0.0.1:1",
		"by parts of the directory with other names": "d=$(mktemp -d); for x in state.db sessions inbox; do ln -s " + state + "/$x $d/$x; done; " + bare + " approve " + id + " --state $d",
		"by other names of the same files": "d=$(mktemp -d -p " + p.home + "); for x in state.db state.db-wal state.db-shm; do ln " + state + "/$x $d/$x; done; ln -s " + state + "/sessions $d/sessions; " +
			bare + " approve " + id + " --state $d",
		"with a server below another name": "d=$(mktemp -d); for x in state.db sessions inbox; do ln -s " + state + "/$x $d/$x; done; timeout 20 " + bare + " serve --state $d --listen 127.0.0.1:0",
		"to trust the workspace":           "env -u ASSENT_SESSION " + program + " trust --yes",
	}
	for name, command := range tries {
		agent := session.NewID()
		file := strings.ReplaceAll(name, " ", "-")
		p.write(file+".sh", command+"\n")
		turn := p.playing(file+".yaml", "turns:\n  - call: {Bash: {command: sh "+file+".sh}}\nafterwards: Done.\n")
		said, complained, _ := p.say("-p", "--session-id", agent, "--model", turn, "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose", "answer it")
		if !strings.Contains(said, "is for a person, and this was started by the Bash tool of a session") {
			t.Errorf("%s: %s\n%s", name, said, complained)
		}
		now, err := store.Find(t.Context(), id)
		if err != nil || now.State != approval.Pending {
			t.Fatalf("%s: %+v, %v", name, now, err)
		}
		found := false
		for e, err := range audit.Read(filepath.Join(state, "audit"), audit.Query{Session: agent}) {
			if err != nil {
				t.Fatal(err)
			}
			found = found || e.Kind == "self-approval" && strings.HasPrefix(e.Reason, "self-approval refused")
		}
		if !found {
			t.Errorf("%s: it is not on record", name)
		}
	}
	// One that runs under another agent's name is told the same.
	for _, mark := range agentMarks {
		guarded := exec.Command(program, "approve", id)
		guarded.Dir, guarded.Env = p.dir, p.env(mark+"=1")
		if text, err := guarded.CombinedOutput(); err == nil || !strings.Contains(string(text), "is for a person, and this was started by an agent") {
			t.Errorf("%s: %v: %s", mark, err, text)
		}
	}
	// A person can.
	out := exec.Command(program, "approve", id)
	out.Dir, out.Env = p.dir, p.env()
	if text, err := out.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "deployed")); err == nil {
		t.Error("it ran")
	}
}
