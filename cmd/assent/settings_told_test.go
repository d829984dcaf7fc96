//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// oddSettings are settings with which everything starts, and which say less than they seem to.
const oddSettings = `{"sandbox":{"enabled":true},
"permissions":{"deny":["Bsah",
"Bash(rm"],
"blockReadsExemptPaths":["/etc"]}}`

// oddWords are what -p says about them.
var oddWords = []string{
	"settings.json:1: sandbox.enabled asks for a sandbox, and assent has none",
	"settings.json:2: deny rule Bsah names no tool that exists",
	"settings.json:3: deny rule Bash(rm is malformed",
	"settings.json:4: permissions.blockReadsExemptPaths has no effect in this file",
}

// settingsOf writes the user's settings.
func settingsOf(t *testing.T, home, text string) {
	t.Helper()
	file := filepath.Join(home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// toldOnce: the log has each of the words in one warning.
func toldOnce(t *testing.T, log string, words ...string) {
	t.Helper()
	for _, want := range words {
		told := 0
		for line := range strings.Lines(log) {
			if strings.Contains(line, want) && strings.Contains(line, "level=WARN") {
				told++
			}
		}
		if told != 1 || strings.Count(log, want) != 1 {
			t.Errorf("%q is told %d times:\n%s", want, told, log)
		}
	}
}

// A server and a worker say at their start what is wrong with the settings of their sessions, as -p
// does: what a session says there is not read. What a session adds is said once.
func TestS47_AServerSaysWhatIsWrongWithItsSettings(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo canary}}\nafterwards: Done.\n")
	flags := p.deferring()
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, flags...)...); status != 0 {
		t.Fatal(complained)
	}
	settingsOf(t, p.home, oddSettings)
	if err := os.MkdirAll(filepath.Join(p.dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.write(".claude/settings.json", `{"permissions": {"deny": ["Bash(odd"]}}`)
	server, _ := p.serving(append([]string{"--", "--model", script}, flags...)...)
	if said, complained, status := p.say("approve", chosenID); status != 0 {
		t.Fatal(said + complained)
	}
	for deadline := time.Now().Add(patienceOfTests); !strings.Contains(server.stderr.String(), "Bash(odd"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the session says nothing:\n%s", server.stderr)
		}
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	log := server.stderr.String()
	toldOnce(t, log, append([]string{"deny rule Bash(odd is malformed"}, oddWords...)...)
	if begun, _, _ := strings.Cut(log, "the inbox is open"); !strings.Contains(begun, oddWords[1]) {
		t.Errorf("not told at the start:\n%s", log)
	}
	if strings.Contains(log, "goes on in") {
		t.Errorf("what every session does is told:\n%s", log)
	}
}
