package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// The ticket of a call that a session parks says who began the session, whatever variables are
// set, and what a yes needs.
func TestA4_TheTicketOfAParkedCall(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.deferring()
	p.write("defer.json", `{"assent":{"parking":{"lasts":"72h","outcome":"allow"},"approvals":{"any":{"approvers":2,"expires":"4h"}}},"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"cat answer.json"}]}]}}`)
	flags := []string{"--settings", filepath.Join(p.dir, "defer.json"), "--model", p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n")}
	c := p.start(p.env("ASSENT_REQUESTER=mallory@elsewhere", "USER=mallory", "LOGNAME=mallory"), append([]string{"-p", "--session-id", chosenID, "deploy"}, flags...)...)
	c.rest()
	if status := c.end(); status != 0 {
		t.Fatal(c.stderr)
	}
	tickets, err := approval.Open(filepath.Join(p.home, ".assent"))
	if err != nil {
		t.Fatal(err)
	}
	defer tickets.Close()
	list, err := tickets.List(t.Context(), approval.Query{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	got := list[0]
	if got.Requester != whoami() || got.Terms.Approvers != 2 || got.Expires.Sub(got.Created) != 4*time.Hour || got.Outcome.String() != "deny" {
		t.Errorf("wanted by %q, needs %+v, expires after %v, then %v", got.Requester, got.Terms, got.Expires.Sub(got.Created), got.Outcome)
	}
	if p.has("deployed") {
		t.Error("it ran")
	}
}
