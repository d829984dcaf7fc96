package assent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
)

// deniedTicket is the ticket of a call that waits, which a person has denied.
func deniedTicket(t *testing.T, p *place, call assent.Deferred) {
	t.Helper()
	store, err := approval.Open(p.state)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ticket, err := store.OfCall(t.Context(), anID, call.ToolUseID)
	if err != nil || ticket == nil {
		t.Fatal(ticket, err)
	}
	if _, err := store.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "never"); err != nil {
		t.Fatal(err)
	}
}

// TestD_ForgetTakesNoSessionUp: without its record nobody would ask for the answers to its
// calls, so that one which a person has denied could run.
func TestD_ForgetTakesNoSessionUp(t *testing.T) {
	for name, by := range map[string][]assent.Option{
		"by its id":   {assent.Resume(anID)},
		"as the last": {assent.Continue()},
		"as a copy":   {assent.Resume(anID), assent.Fork()},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			deniedTicket(t, p, parked(t, p, deploy).Deferred[0])
			for _, prompt := range []string{"", "go on"} {
				_, err := assent.Run(t.Context(), prompt, p.with("turns: []\nafterwards: Well.\n", append(by, assent.Forget(), assent.Allow("Bash"))...)...)
				if err == nil || !strings.Contains(err.Error(), "assent.Forget") {
					t.Errorf("%v", err)
				}
			}
			if p.exists("deployed") {
				t.Error("a call ran that a person has denied")
			}
			if left, err := os.ReadDir(filepath.Join(p.state, "sessions")); err != nil || len(left) != 1 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
}
