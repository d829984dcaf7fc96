//go:build linux

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// Where what a fork comes from is gone, nobody can say whether the call was denied there. No hook lets it
// run, and nobody is asked who is not told so: whoever answers the call itself is.
func TestS34_ACallOfAForkWhoseOriginIsGone(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]bool{"here": false, "at a server": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newPlace(t).answersAFork(server)
		})
	}
}

// answersAFork answers the call of a fork whose origin is gone, here or at a server.
func (p *place) answersAFork(server bool) {
	t := p.t
	settings := p.parks()
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	fork := append([]string{"--resume", secondID, "--model", end}, settings...)
	for _, args := range [][]string{
		append([]string{"-p", "--resume", chosenID, "--fork-session", "--session-id", secondID, "--model", end}, settings...),
		{"sessions", "prune", "--force", chosenID},
	} {
		if _, complained, status := p.say(args...); status != 0 {
			t.Fatal(complained)
		}
	}
	const why = "somebody has to approve or deny it in this one"
	for _, answer := range []string{"allow", "ask"} {
		p.write("answer.json", wants(answer))
		said, complained, status := p.say(append(fork, "-p")...)
		if status != 0 || p.has("deployed") || strings.Count(complained, why) != 1 {
			t.Fatalf("%s: exit status %d: %s%s", answer, status, said, complained)
		}
		y := p.sit(p.env(), fork...)
		if screen := y.sees("\n> "); strings.Contains(screen, "answer>") || !strings.Contains(strings.Join(strings.Fields(screen), " "), why) {
			t.Error(screen)
		}
		y.types(ctrlD)
		if screen, status := y.leaves(); status != 0 || p.has("deployed") {
			t.Errorf("exit status %d\n%s", status, screen)
		}
	}
	if shown, _, _ := p.say("sessions", "show", secondID); !strings.Contains(shown, "it may have been denied in a session of which this one is a fork, and nobody can say that here (session "+chosenID) || !strings.Contains(shown, "assent approve") {
		t.Error(shown)
	}
	if listed, _, _ := p.say("sessions", "list"); !strings.Contains(listed, "only a person lets it run") {
		t.Error(listed)
	}
	_, link := p.serving("--no-resume", "--", "--model", end)
	address, token, _ := strings.Cut(link, "/#token=")
	if err := os.Chmod(p.write("token", token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := []string{"--server", address, "--token-file", "token"}
	for _, where := range [][]string{nil, at} {
		said, complained, status := p.say(append([]string{"approve", secondID, secondID}, where...)...)
		if status != 1 || !strings.Contains(complained, "not approved together with others") || p.ticketOf(secondID).State != approval.Pending {
			t.Errorf("%v: exit status %d: %s%s", where, status, said, complained)
		}
	}
	where := at
	if !server {
		where = nil
	}
	y := p.sit(p.env(), append([]string{"approve", secondID}, where...)...) // who reads it can still say no
	if screen := y.sees("[y/N]"); !strings.Contains(strings.Join(strings.Fields(screen), " "), "it may have been denied in a session") {
		t.Error(screen)
	}
	y.types("n\n")
	if screen, status := y.leaves(); status != 1 || p.ticketOf(secondID).State != approval.Pending {
		t.Errorf("exit status %d\n%s", status, screen)
	}
	if said, complained, status := p.say(append([]string{"approve", secondID}, where...)...); status != 0 || !strings.Contains(said, "it may have been denied in a session") {
		t.Fatal(said, complained)
	}
	if _, complained, status := p.say(append(fork, "-p")...); status != 0 || !p.has("deployed") {
		t.Errorf("exit status %d: %s", status, complained)
	}
}
