package inbox

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// account is what the settings say that hold in every project of the account of the server.
func (w *world) account() string {
	text, _ := os.ReadFile(filepath.Join(w.top, "home", ".claude", "settings.json")) // which need not be there
	return string(text)
}

// heldHere is a call that the guard of another agent holds.
func (w *world) heldHere(command string) approval.Ticket {
	w.t.Helper()
	input, err := strictjson.Marshal(map[string]string{"command": command})
	w.must(err)
	call := approval.Call{Session: "theirs", Tool: "Bash", Input: input, Cwd: w.cwd}
	held, err := w.Tickets.Hold(w.t.Context(), "codex", approval.Parking{Call: call, By: "codex", Lasts: time.Hour, Risk: permission.LowRisk})
	w.must(err)
	return held
}

// The place that is chosen first is the narrowest, also where a rule does nothing there: the files of a
// workspace that nobody has trusted must not lead to those of the whole account.
func TestT9_TheNarrowestPlaceComesFirst(t *testing.T) {
	for _, trusted := range []bool{true, false} {
		w := newWorld(t)
		checker := w.Checker
		w.Checker = func(cwd string) (*policy.Checker, error) {
			c, err := checker(cwd)
			c.Settings.TrustWorkspace = trusted
			return c, err
		}
		for want, ticket := range map[string]approval.Ticket{"session": w.park(bash("npm test"))[0], "local": w.heldHere("npm test")} {
			u := w.look(ticket.ID).Suggestion.Updates[0]
			all := []string{"session", "local", "project", "user"}
			if all = all[slices.Index(all, want):]; u.Destination != want || !slices.Equal(u.Scopes, all) || u.File != u.Files[want] || u.Account != "ann@test" {
				t.Errorf("trusted %v: %+v", trusted, u)
			}
		}
	}
}

// The server decides who adds a rule that holds in every project of its account: an admin, and nobody
// else, whatever a page sends.
func TestT9_OnlyAdminsAddRulesForTheAccount(t *testing.T) {
	c := newCrowd(t)
	c.deputy("ada", "ben")
	for who, may := range map[string]bool{"abe": false, "ben": false, "ada": true} {
		for name, ticket := range map[string]approval.Ticket{"parked": c.park(bash("npm run " + who))[0], "held": c.heldHere("npm run " + who)} {
			w := c.as(who)
			if offered := slices.Contains(w.look(ticket.ID).Suggestion.Updates[0].Scopes, "user"); offered != may {
				t.Errorf("%s, %s: it is offered: %v", who, name, offered)
			}
			got := w.approveAs(ticket.ID, ruled(ticket, "user"))
			if want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[may]; got.status != want {
				t.Errorf("%s, %s: %d %s", who, name, got.status, got.body)
			}
			if state := c.found(ticket.ID).State; (state == approval.Approved) != may {
				t.Errorf("%s, %s: it is %s", who, name, state)
			}
		}
	}
	if c.account() != "" {
		t.Error("a rule was added before its answer holds")
	}
}

// Who is no admin any more when the answer holds has added nothing.
func TestT9_ARuleForTheAccountEndsWithTheAdmin(t *testing.T) {
	c := newCrowd(t)
	c.promote("abe") // one admin stays
	ticket := c.park(bash("npm test"))[0]
	c.as("ada").approveAs(ticket.ID, ruled(ticket, "user")).into(t, new(detailView))
	c.must(c.People.SetRole(t.Context(), operator, "ada", people.Approver))
	c.at(time.Minute)
	c.settleRules()
	if c.account() != "" {
		t.Errorf("%s", c.account())
	}
}
