package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// answersFor gives an answer that can be taken back for a while, as the page does.
func answersFor(t *testing.T, home string, ticket approval.Ticket, b permission.Behavior, grace time.Duration) (said approval.Ticket) {
	t.Helper()
	s, err := approval.Open(filepath.Join(home, ".assent"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	said, err = s.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: b, By: "ana", Message: "not today", Places: ticket.Places, Settles: time.Now().Add(grace)})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func takesBack(t *testing.T, home string, said approval.Ticket) {
	t.Helper()
	s, err := approval.Open(filepath.Join(home, ".assent"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Retract(t.Context(), said.ID, said.Said(), "ana"); err != nil {
		t.Fatal(err)
	}
}

// An answer that can be taken back is waited for by a process that knows nothing of the server
// at which it was given, and the person is told why that takes its time.
func TestA3_UndoHoldsInEveryProcess(t *testing.T) {
	t.Parallel()
	for behavior, runs := range map[permission.Behavior]bool{permission.Allow: true, permission.Deny: false} {
		p := newPlace(t)
		settings := p.parks()
		said := answersFor(t, p.home, p.ticketOf(chosenID), behavior, 2*time.Second)
		_, complained, status := p.say(append([]string{"-p", "--resume", chosenID, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n")}, settings...)...)
		if status != 0 || p.has("deployed") != runs || time.Now().Before(said.Answer.Settles) || strings.Count(complained, "can be taken back until") != 1 {
			t.Errorf("exit status %d, deployed: %v, %v too early, complained %q", status, p.has("deployed"), time.Until(said.Answer.Settles), complained)
		}
	}

	p := newPlace(t)
	settings := p.parks()
	said := answersFor(t, p.home, p.ticketOf(chosenID), permission.Allow, time.Hour)
	c := p.start(p.env(), append([]string{"-p", "--resume", chosenID, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n")}, settings...)...)
	c.stdin.Close()
	takesBack(t, p.home, said)
	c.rest()
	if status := c.end(); status != 0 || p.has("deployed") || p.ticketOf(chosenID).State != approval.Pending {
		t.Errorf("exit status %d, deployed: %v, %s", status, p.has("deployed"), p.ticketOf(chosenID).State)
	}
}

// The same for a guard that finds no server.
func TestA3_UndoHoldsForAGuard(t *testing.T) {
	g := newGuarded(t, `{"assent": {"guard": {"wait": "1ms"}}}`)
	id := g.pending(g.hook("thread-1", "make"))
	s, err := approval.Open(filepath.Join(g.home, ".assent"))
	g.makes(err)
	defer s.Close()
	ticket, err := s.Find(t.Context(), id)
	g.makes(err)
	said := answersFor(t, g.home, ticket, permission.Allow, time.Hour)
	if again := g.pending(g.hook("thread-1", "make")); again != id {
		t.Errorf("%s", again)
	}
	takesBack(t, g.home, said)
	said = answersFor(t, g.home, ticket, permission.Allow, 500*time.Millisecond)
	g.makes(os.WriteFile(filepath.Join(g.home, ".claude", "settings.json"), []byte(`{"assent": {"guard": {"wait": "20s"}}}`), 0o644))
	if out := g.hook("thread-1", "make"); out != "" || time.Now().Before(said.Answer.Settles) { // which Codex takes for yes
		t.Errorf("%s, %v too early", out, time.Until(said.Answer.Settles))
	}
}
