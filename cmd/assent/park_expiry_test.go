package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// ticketOf is the only ticket of a session.
func (p *place) ticketOf(id string) approval.Ticket {
	p.t.Helper()
	s, err := approval.Open(filepath.Join(p.home, ".assent"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	list, err := s.List(p.t.Context(), approval.Query{Session: id})
	if err != nil || len(list) != 1 {
		p.t.Fatalf("%+v, %v", list, err)
	}
	return list[0]
}

// A call whose time has ended is resumed: it runs, or is refused, as the settings said when
// it was parked, and the model is told. Settings of today do not change that.
func TestD7_ACallWhoseTimeHasEndedIsResumed(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]struct {
		declared permission.Behavior
		state    approval.State
		runs     bool
		told     string
	}{
		`"outcome":"allow",`: {permission.Allow, approval.Done, true, ""},
		`"outcome":"deny",`:  {permission.Deny, approval.Refused, false, "Nobody answered in time."},
		``:                   {permission.Deny, approval.Refused, false, "Nobody answered in time."}, // S41: by default
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.deferring()
			hooks := `"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"cat answer.json"}]}]}`
			before := p.write("before.json", `{"assent":{"parking":{`+outcome+`"lasts":"1ms"}},`+hooks+`}`)
			if _, complained, status := p.say("-p", "--session-id", chosenID, "--settings", before, "--model", p.playing("s.yaml", deploys), "deploy"); status != 0 {
				t.Fatal(complained)
			}
			c := p.waits(chosenID)[0]
			if c.Until.Sub(c.Since) != time.Millisecond || c.Outcome != want.declared.String() {
				t.Errorf("on record: %+v", c)
			}
			if ticket := p.ticketOf(chosenID); ticket.State != approval.Expired || ticket.Outcome != want.declared || !ticket.Expires.Equal(c.Until) {
				t.Errorf("%+v", ticket)
			}
			now := p.write("now.json", `{"assent":{"parking":{"outcome":"allow","lasts":"1000h"}},`+hooks+`}`)
			end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
			said, complained, status := p.say("-p", "--resume", chosenID, "--settings", now, "--model", end, "--output-format", "stream-json", "--verbose")
			r := resultOf(t, said)
			if status != 0 || r.Text != "Done." || p.has("deployed") != want.runs || len(r.Denials) > 0 == want.runs || !strings.Contains(said, want.told) || p.waits(chosenID) != nil {
				t.Errorf("exit status %d, deployed: %v, said %s, complained %q", status, p.has("deployed"), said, complained)
			}
			if ticket := p.ticketOf(chosenID); ticket.State != want.state {
				t.Errorf("the ticket is %s", ticket.State)
			}
		})
	}
}

// Beside the digest of a call the ticket holds the version of the policy by which it was
// judged: the same for the same settings, another for others.
func TestS27_TheVersionOfThePolicyIsOnTheTicket(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.deferring()
	park := func(more string) approval.Ticket {
		id := session.NewID()
		settings := p.write("hooks.json", `{`+more+`"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"cat answer.json"}]}]}}`)
		if _, complained, status := p.say("-p", "--session-id", id, "--settings", settings, "--model", p.playing("s.yaml", deploys), "deploy"); status != 0 {
			t.Fatal(complained)
		}
		return p.ticketOf(id)
	}
	one, same, other := park(""), park(""), park(`"permissions":{"deny":["Bash(rm:*)"]},`)
	if one.Policy == "" || one.Policy != same.Policy || one.Policy == other.Policy {
		t.Errorf("%q, %q, %q", one.Policy, same.Policy, other.Policy)
	}
}
