package inbox

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// A file of the workspace that is the account's own holds in every project, so an approver is neither
// offered it nor writes to it, by whatever way the workspace leads there.
func TestT9_NoFileOfAWorkspaceIsTheAccountsForAnApprover(t *testing.T) {
	for name, prepare := range map[string]func(c *crowd) (scope string){
		"at home": func(c *crowd) string {
			c.cwd = filepath.Join(c.top, "home")
			return "project"
		},
		"at home by a link": func(c *crowd) string {
			c.must(os.Symlink("home", filepath.Join(c.top, "work")))
			c.cwd = filepath.Join(c.top, "work")
			return "project"
		},
		"the settings were moved": func(c *crowd) string {
			checker := c.Checker
			c.Checker = func(cwd string) (*policy.Checker, error) {
				made, err := checker(cwd)
				made.Settings.ConfigDir = filepath.Join(c.top, "project", ".claude")
				return made, err
			}
			return "project"
		},
		"a link to the file": func(c *crowd) string {
			c.must(os.MkdirAll(filepath.Join(c.top, "home", ".claude"), 0o700))
			c.must(os.WriteFile(filepath.Join(c.top, "home", ".claude", "settings.json"), []byte("{}\n"), 0o600))
			c.must(os.Symlink("../../home/.claude/settings.json", filepath.Join(c.cwd, ".claude", "settings.local.json")))
			return "local"
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t)
			scope := prepare(c)
			before := c.account()
			for _, who := range []string{"ben", "ada"} {
				ticket := c.park(bash("npm test"))[0]
				w := c.as(who)
				u := w.look(ticket.ID).Suggestion.Updates[0]
				if slices.Contains(u.Scopes, scope) || slices.Contains(u.Scopes, "user") != (who == "ada") || slices.Contains(u.Held, "user") {
					t.Errorf("%s is offered %v, held %v", who, u.Scopes, u.Held)
				}
				got := w.approveAs(ticket.ID, ruled(ticket, scope))
				if want := map[string]int{"ben": http.StatusForbidden, "ada": http.StatusBadRequest}[who]; got.status != want {
					t.Errorf("%s: %d %s", who, got.status, got.body)
				}
				c.at(time.Minute)
				c.settleRules()
				if c.found(ticket.ID).State != approval.Pending || c.account() != before {
					t.Errorf("%s: it is %s, and the account has %s", who, c.found(ticket.ID).State, c.account())
				}
			}
		})
	}
}

// Where the way to the account's file appears only after the yes, nothing is written either.
func TestT9_AFileThatBecomesTheAccountsIsNotWritten(t *testing.T) {
	c := newCrowd(t)
	ticket := c.park(bash("npm test"))[0]
	c.as("ben").approveAs(ticket.ID, ruled(ticket, "project")).into(t, new(detailView))
	c.must(os.Rename(c.cwd, filepath.Join(c.top, "moved")))
	c.must(os.Symlink("home", c.cwd))
	c.at(time.Minute)
	c.settleRules()
	if c.account() != "" {
		t.Errorf("the account has %s", c.account())
	}
}

// The file that is named is the one that is written.
func TestT9_TheFileOfARuleIsTheOneThatALinkLeadsTo(t *testing.T) {
	w := newWorld(t)
	written := filepath.Join(w.cwd, "other.json")
	w.must(os.WriteFile(written, []byte("{}\n"), 0o644))
	w.must(os.Symlink("../other.json", filepath.Join(w.cwd, ".claude", "settings.json")))
	ticket := w.park(bash("npm test"))[0]
	if u := w.look(ticket.ID).Suggestion.Updates[0]; u.Files["project"] != written {
		t.Errorf("%v are offered, in %v", u.Scopes, u.Files)
	}
	var d detailView
	w.approveAs(ticket.ID, ruled(ticket, "project")).into(t, &d)
	w.at(time.Minute)
	w.settleRules()
	if text, _ := os.ReadFile(written); !strings.Contains(string(text), "npm test") {
		t.Errorf("%s says %s", written, text)
	}
}
