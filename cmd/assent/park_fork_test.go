package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// What a person has denied is denied in a fork as well, whatever a hook or a rule says by
// then. What somebody has approved stays behind: the fork has a call of its own.
func TestS34_ADenialGoesWithAFork(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer []string
		hook   string
		flags  []string
		state  approval.State
		told   string
		runs   bool
	}{
		"denied, and a hook allows it":   {[]string{"deny", "--reason", "not today"}, "allow", nil, approval.Refused, "not today (denied in the session it was forked from)", false},
		"denied, and a rule allows it":   {[]string{"deny", "--reason", "not today"}, "", []string{"--allowedTools", "Bash"}, approval.Refused, "not today (denied in the session it was forked from)", false},
		"denied, and the mode allows it": {[]string{"deny", "--reason", "not today"}, "", []string{"--dangerously-skip-permissions"}, approval.Refused, "not today (denied in the session it was forked from)", false},
		"approved, and a hook defers it": {[]string{"approve"}, "defer", nil, approval.Pending, "tool_deferred", false},
		"approved, and a hook allows it": {[]string{"approve"}, "allow", nil, approval.Done, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			settings := p.parks()
			p.answered(tt.answer[0], tt.answer[1:]...)
			answer := "{}"
			if tt.hook != "" {
				answer = wants(tt.hook)
			}
			p.write("answer.json", answer)
			args := append([]string{"-p", "--resume", chosenID, "--fork-session", "--session-id", secondID, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n"), "--output-format", "stream-json", "--verbose"}, settings...)
			said, complained, status := p.say(append(args, tt.flags...)...)
			if status != 0 || p.has("deployed") != tt.runs || !strings.Contains(said, tt.told) {
				t.Errorf("exit status %d, deployed: %v, said %s, complained %q", status, p.has("deployed"), said, complained)
			}
			if fork := p.ticketOf(secondID); fork.State != tt.state || fork.State == approval.Refused && (fork.Answer == nil || fork.Answer.From != chosenID) {
				t.Errorf("%+v", fork)
			}
			if tt.state == approval.Refused {
				shown, _, _ := p.say("sessions", "show", secondID)
				if !strings.Contains(shown, "denied in the session it was forked from, "+chosenID+": not today") {
					t.Error(shown)
				}
			}
		})
	}
}

// Nobody approves in a fork what a person has denied before, also if the fork has had no
// ticket yet.
func TestS34_ADeniedCallIsNotApprovedInAFork(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.run(0, "deny", firstID, "--reason", "not today")
	fork, err := w.sessions.Fork(firstID, secondID, session.Start{Cwd: w.cwd, Model: "m"})
	w.check(err)
	w.check(fork.Close())
	w.run(1, "approve", secondID)
	w.says("is denied")
	w.run(0, "sessions", "show", secondID)
	w.says("denied by ", "in session "+firstID+", which this one was forked from: not today")
}

// A host lives on while somebody moves damaged tickets away, as is advised. An answer that
// people give then reaches it.
func TestS27_TicketsAreMovedAwayUnderAHost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := "turns:\n  - {call: {Bash: {command: touch deployed}}}\n  - {say: Deployed.}\nafterwards: Well.\n"
	c := p.start(p.env(), append(append(hosted, p.deferring()...), "--session-id", chosenID, "--model", p.playing("s.yaml", script))...)
	c.send(prompt)
	c.expect(`"type":"result"`, "tool_deferred")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		path := filepath.Join(p.home, ".assent", "state.db"+suffix)
		if err := os.Rename(path, path+".old"); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	p.answered("approve")
	c.send(prompt)
	c.expect(`"type":"result"`, `"subtype":"success"`, "Well.")
	c.stdin.Close()
	if status := c.end(); status != 0 || !p.has("deployed") {
		t.Errorf("exit status %d, deployed: %v, %s", status, p.has("deployed"), c.stderr)
	}
	if ticket := p.ticketOf(chosenID); ticket.State != approval.Done {
		t.Errorf("the ticket is %s", ticket.State)
	}
}

// What a person denies while a fork waits is denied there as well, whatever a hook says by
// then.
func TestS34_ADenialThatComesLaterReachesAFork(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	settings := p.parks()
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	p.write("answer.json", wants("defer"))
	if _, complained, status := p.say(append([]string{"-p", "--resume", chosenID, "--fork-session", "--session-id", secondID, "--model", end}, settings...)...); status != 0 {
		t.Fatal(complained)
	}
	p.answered("deny", "--reason", "not today")
	p.write("answer.json", wants("allow"))
	_, complained, status := p.say(append([]string{"-p", "--resume", secondID, "--model", end}, settings...)...)
	if status != 0 || p.has("deployed") {
		t.Errorf("exit status %d, deployed: %v, complained %q", status, p.has("deployed"), complained)
	}
	if fork := p.ticketOf(secondID); fork.State != approval.Refused || fork.Answer == nil || fork.Answer.From != chosenID {
		t.Errorf("%+v", fork)
	}
}

// A no outlives the session in which it was said: what a hook would let run in a fork is
// refused there, also after the session was removed.
func TestS34_ADenialOutlivesItsSessionInAFork(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	settings := p.parks()
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	goOn := func(id string, more ...string) {
		t.Helper()
		args := append([]string{"-p", "--resume", id, "--model", end}, more...)
		if _, complained, status := p.say(append(args, settings...)...); status != 0 {
			t.Fatal(complained)
		}
	}
	p.write("answer.json", wants("defer"))
	goOn(chosenID, "--fork-session", "--session-id", secondID)
	p.answered("deny", "--reason", "not today")
	goOn(chosenID)
	if _, complained, status := p.say("sessions", "prune", chosenID); status != 0 {
		t.Fatal(complained)
	}
	if said, _, _ := p.say("sessions", "list"); !strings.Contains(said, "has denied it in session "+chosenID) {
		t.Error(said)
	}
	p.write("answer.json", wants("allow"))
	goOn(secondID)
	if fork := p.ticketOf(secondID); p.has("deployed") || fork.State != approval.Refused || fork.Answer == nil || fork.Answer.From != chosenID {
		t.Errorf("deployed: %v, %+v", p.has("deployed"), fork)
	}
}

// What a fork has parked itself is its own: nobody can have denied it in the session that it is a fork
// of, whatever became of that.
func TestS34_AForksOwnCallNeedsNobodyElse(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	settings := p.deferring()
	run := func(args ...string) {
		t.Helper()
		if said, complained, status := p.say(append(args, settings...)...); status != 0 {
			t.Fatalf("exit status %d: %s%s", status, said, complained)
		}
	}
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	run("-p", "--session-id", chosenID, "--model", end, "hello")
	run("-p", "--resume", chosenID, "--fork-session", "--session-id", secondID, "--model", p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n"), "deploy")
	if _, complained, status := p.say("sessions", "prune", chosenID); status != 0 {
		t.Fatal(complained)
	}
	p.write("answer.json", wants("allow"))
	if run("-p", "--resume", secondID, "--model", end); !p.has("deployed") {
		t.Error("it did not run")
	}
}
