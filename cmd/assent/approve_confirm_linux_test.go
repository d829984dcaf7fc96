package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// Whoever approves one call at a terminal is shown all of it first where its line does not, and
// is asked about it then.
func TestT16_OneCallIsReadBeforeItIsApproved(t *testing.T) {
	padding := strings.Repeat("logs/run ", 20)
	for name, test := range map[string]struct {
		call  func(*counterTest) session.PendingCall
		shows string // what stands on the screen before the question; empty when nothing is asked
	}{
		"a cut":  {func(w *counterTest) session.PendingCall { return w.bash("a", "touch "+padding+"deployed "+padding) }, padding + "deployed " + padding},
		"a mask": {func(w *counterTest) session.PendingCall { return w.bash("a", "deploy --token production") }, "deploy --token production"},
		"a file": {func(w *counterTest) session.PendingCall {
			return session.PendingCall{ToolUseID: "a", Tool: "Write", Input: strictjson.Raw(`{"file_path":"notes.txt","content":"what it holds"}`), Cwd: w.cwd, Why: "a hook wants it", Risk: "medium", Places: []string{filepath.Join(w.cwd, "notes.txt")}}
		}, "what it holds"},
		"all of it": {func(w *counterTest) session.PendingCall { return w.bash("a", "touch one") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCounter(t)
			w.park(firstID, test.call(w))
			p := &place{t: t, dir: w.cwd, home: w.home}
			if test.shows == "" {
				if screen, status := p.sit(p.env("ASSENT_HOME="+w.state), "approve", firstID).leaves(); status != 0 || strings.Contains(screen, "[y/N]") {
					t.Errorf("status %d:\n%s", status, screen)
				}
				return
			}
			y := p.sit(p.env("ASSENT_HOME="+w.state), "approve", firstID)
			if before := y.sees("? [y/N] "); !strings.Contains(before, test.shows) || strings.Contains(before, "approved") {
				t.Errorf("before the question:\n%s", before)
			}
			y.types("\n")
			if screen, status := y.leaves(); status != 1 || !strings.Contains(screen, "was not approved") {
				t.Errorf("status %d:\n%s", status, screen)
			}
			if got := w.stateOf(firstID, "a"); got != "pending" && got != "no ticket" {
				t.Errorf("the ticket is %s", got)
			}
			y = p.sit(p.env("ASSENT_HOME="+w.state), "approve", firstID)
			y.sees("? [y/N] ")
			y.types("y\n")
			if screen, status := y.leaves(); status != 0 || w.stateOf(firstID, "a") != "approved" {
				t.Errorf("status %d:\n%s", status, screen)
			}
		})
	}
}
