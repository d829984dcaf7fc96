package main

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// A call of high risk needs its word here as it does at a server, and whoever is asked for it
// is shown the call first.
func TestT16_AWordForHighRiskWithoutAServer(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "git push --force origin main"))
	w.park(secondID, w.bash("a", "git tag v2"))
	waits := func(id string) {
		t.Helper()
		if got := w.stateOf(id, "a"); got != "pending" && got != "no ticket" {
			t.Fatalf("the ticket is %s", got)
		}
	}
	w.run(1, "approve", firstID)
	waits(firstID)
	for _, want := range []string{"Run `git push --force origin main`", "high risk: ", "overwrites the history", `"command": "git push --force origin main"`, "in " + w.cwd, "assent approve " + firstID + " --confirm main"} {
		if !strings.Contains(w.errText, want) {
			t.Errorf("%q is missing: %s", want, w.errText)
		}
	}
	w.run(1, "approve", firstID, "--confirm", "origin")
	if !strings.Contains(w.errText, "origin is not its word") || strings.Contains(w.errText, "a plain yes") {
		t.Error(w.errText)
	}
	waits(firstID)
	w.run(1, "approve", secondID, "--input", `{"command":"git push --force origin main"}`) // what would run counts
	waits(secondID)
	w.run(1, "approve", firstID, secondID, "--confirm", "main") // it is for one who looks at it alone
	waits(firstID)
	w.run(0, "approve", firstID, "--confirm", "main")
	if got := w.stateOf(firstID, "a"); got != "approved" {
		t.Errorf("the ticket is %s", got)
	}
}

// Whoever starts a server is told which calls it runs that were approved before, the
// dangerous ones first.
func TestT16_AServerTellsWhatWasApprovedBefore(t *testing.T) {
	w := newCounter(t)
	calls := map[string]permission.Risk{"make docs": permission.LowRisk, "git push --force origin main": permission.HighRisk, "git tag v2": permission.MediumRisk}
	w.tickets(func(ctx context.Context, s *approval.Store) {
		for command, risk := range calls {
			ticket, err := s.Park(ctx, approval.Parking{Call: callIn(firstID, w.bash(command, command)), By: "hook", Risk: risk})
			w.check(err)
			_, err = s.Say(ctx, ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ann"})
			w.check(err)
		}
		_, err := s.Park(ctx, approval.Parking{Call: callIn(firstID, w.bash("waits", "make all")), By: "hook", Risk: 1})
		w.check(err)
		before, err := approvedBefore(ctx, s)
		w.check(err)
		text := strings.Join(listBefore(before), "\n")
		lines := strings.Split(text, "\n")
		if len(lines) != 4 || lines[0] != "3 calls that were approved before go on now:" || !strings.Contains(lines[1], "high risk  Run `git push --force origin main`") ||
			!strings.Contains(lines[2], "medium risk  Run `git tag v2`") || !strings.Contains(lines[3], "low risk  Run `make docs`") {
			t.Error(text)
		}
	})
}

// Whoever approves several calls is shown all of one whose sentence has something masked,
// before the yes: what is masked may be the target.
func TestT16_SeveralShowWhatIsMasked(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "make one"))
	w.park(secondID, w.bash("a", "deploy --token production"))
	w.run(0, "approve", firstID, secondID)
	shown, yes := strings.Index(w.out, `"command": "deploy --token production"`), strings.Index(w.out, "Bash deploy")
	if shown < 0 || yes < shown || strings.Contains(w.out, `"command": "make one"`) {
		t.Error(w.out)
	}
}

// The same of one whose sentence is cut: what matters may stand in the middle.
func TestT16_SeveralShowWhatIsCut(t *testing.T) {
	w := newCounter(t)
	padding := strings.Repeat("logs/run ", 20)
	w.park(firstID, w.bash("a", "touch one"))
	w.park(secondID, w.bash("a", "touch "+padding+"deployed "+padding))
	w.run(0, "approve", firstID, secondID)
	shown, yes := strings.Index(w.out, padding+"deployed "+padding), strings.Index(w.out, "approved "+secondID)
	if shown < 0 || !strings.Contains(w.out, "its line does not show all of it; this is all of it:") || yes >= 0 && yes < shown || strings.Contains(w.out, `"command": "touch one"`) {
		t.Error(w.out)
	}
}

// And of one that is approved alone, where there is nobody to ask.
func TestT16_OneShowsWhatIsCut(t *testing.T) {
	w := newCounter(t)
	padding := strings.Repeat("logs/run ", 20)
	w.park(firstID, w.bash("a", "touch "+padding+"deployed "+padding))
	w.park(secondID, w.bash("a", "touch two"))
	w.run(0, "approve", firstID)
	if shown, yes := strings.Index(w.out, padding+"deployed "+padding), strings.Index(w.out, "approved "); shown < 0 || yes < shown {
		t.Error(w.out)
	}
	w.run(0, "approve", secondID, "--input", `{"command":"touch `+padding+padding+`"}`)
	if strings.Contains(w.out, "this is all of it") { // whoever writes the input knows it
		t.Error(w.out)
	}
}
