package desk_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
)

// wanted makes a ticket of a call that whoever wanted it must not approve.
func (c *crowded) wanted(session, requester string, approvers int) approval.Ticket {
	c.t.Helper()
	call := deploy()
	ticket, err := c.Park(c.t.Context(), approval.Parking{
		Call:      approval.Call{Session: session, ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input},
		Requester: requester, Terms: permission.Terms{Approvers: approvers, NotRequester: true},
	})
	must(c.t, err)
	return ticket
}

// saysTo is says for a call of others.
func (c *crowded) saysTo(ticket approval.Ticket, by string) (approval.State, error) {
	voter, _, _ := strings.Cut(by, " ")
	got, err := c.Say(c.t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: by, Voter: voter, Still: voice.Counts(c.people)(ticket.Requester)})
	return got.State, err
}

func (c *crowded) owns(account, name string) {
	c.t.Helper()
	must(c.t, c.people.GiveAccount(c.t.Context(), people.Operator("root@vm"), account, name))
}

func (c *crowded) deputy(from, to string) {
	c.t.Helper()
	_, err := c.people.Delegate(c.t.Context(), people.Operator("root@vm"), from, to, time.Now().Add(time.Hour), "")
	must(c.t, err)
}

// Whoever could be one human with one who wanted a call is refused as that one is, whatever makes
// him alike and however it is known who wanted it, and so is a deputy in his place.
func TestA4_NobodyApprovesHisOwnCallByAnotherName(t *testing.T) {
	crowdedOnBoth(t, func(t *testing.T, c *crowded) {
		c.adds(map[string]string{
			"abe": "abe.smith@corp.com", "zoe": " Abe.Smith@Corp.com", "abe@corp.com": "", "abe.smith@corp.com": "",
			"hal": "hal@corp.com", "dee": "dee@corp.com", "nil": "", "nix": "",
		})
		c.owns("root", "abe")
		c.owns("agent", "nil")
		c.owns("runner", people.Nobody)
		c.deputy("zoe", "dee")
		c.deputy("hal", "zoe")
		c.deputy("hal", "dee")
		for _, tt := range []struct {
			requester, by string
			says          string // empty where he may
		}{
			{"root@build-7", "abe", "which is his account"},
			{"root@build-7", "zoe", "an account of abe, who could be the same person by the e-mail (somebody else has to)"},
			{"root@build-7", "abe.smith@corp.com", "an account of abe, who could be the same person by the e-mail"},
			{"root@build-7", "abe@corp.com", "an account of abe, who could be the same person by the name"},
			{"abe@desk", "zoe", "an account of abe, who could be the same person by the e-mail"},
			{"runner@ci, root@build-7", "zoe", "an account of abe, who could be the same person by the e-mail"},
			{"root@build-7", approval.DeputySignature("dee", "zoe"), "zoe may not approve"},
			{"root@build-7", approval.DeputySignature("zoe", "hal"), "zoe may not approve"},
			{"root@build-7", approval.DeputySignature("dee", "hal"), ""},
			{"root@build-7", "hal", ""},
			{"root@build-7", "nil", ""},
			{"agent@vm", "nix", ""}, // that neither has an e-mail makes nobody alike
			{"runner@ci", "zoe", ""},
		} {
			state, err := c.saysTo(c.wanted(tt.requester+tt.by, tt.requester, 0), tt.by)
			lapsed, refused := errors.AsType[*approval.Lapsed](err)
			if refused != (tt.says != "") || !refused && (err != nil || state != approval.Approved) || refused && !strings.Contains(lapsed.Error(), tt.says) {
				t.Errorf("%s says yes to a call of %s: %s, %v", tt.by, tt.requester, state, err)
			}
		}
	})
}

// What makes somebody alike, or says who wanted a call, may come after the yes. Then the call does
// not begin by it, and a vote counts for nothing.
func TestA4_ItComesOutThatAYesWasThatOfTheRequester(t *testing.T) {
	crowdedOnBoth(t, func(t *testing.T, c *crowded) {
		c.adds(map[string]string{"abe": "abe@corp.com", "zoe": "zoe@corp.com", "zed": "zoe@corp.com", "hal": "", "ike": ""})
		c.comes("9", "a.be", "")
		c.owns("root", "abe")
		c.owns("runner", people.Nobody)
		for _, tt := range []struct {
			name, requester, voter string
			comesOut               func()
		}{
			{"an e-mail is verified", "root@build-7", "a.be", func() { c.comes("9", "a.be", "abe@corp.com") }},
			{"an account is given", "runner@ci", "zoe", func() { c.owns("runner@ci", "zed") }},
		} {
			one, two := c.wanted(tt.name+", one", tt.requester, 0), c.wanted(tt.name+", two", tt.requester, 2)
			for _, ticket := range []approval.Ticket{one, two} {
				_, err := c.saysTo(ticket, tt.voter)
				must(t, err)
			}
			tt.comesOut()
			_, err := c.Claim(t.Context(), one.ID, one.Call, nil, "worker")
			if again, waits := errors.AsType[*approval.WaitsAgain](err); !waits || !strings.Contains(again.Error(), "could be the same person by the e-mail") {
				t.Errorf("%s: %v", tt.name, err)
			}
			if state, err := c.saysTo(two, "hal"); err != nil || state != approval.Pending {
				t.Errorf("%s: %s, %v", tt.name, state, err)
			}
			if state, err := c.saysTo(two, "ike"); err != nil || state != approval.Approved {
				t.Errorf("%s: %s, %v", tt.name, state, err)
			}
			if state, err := c.saysTo(one, "hal"); err != nil || state != approval.Approved {
				t.Errorf("%s: %s, %v", tt.name, state, err)
			}
			for _, ticket := range []approval.Ticket{one, two} {
				if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker"); err != nil {
					t.Errorf("%s: %v", tt.name, err)
				}
			}
		}
	})
}
