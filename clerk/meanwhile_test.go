package clerk

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// A whole run lies between the look at the transcript and the one at the ticket. The call is
// over then, and nobody is asked to find out what became of it.
func TestA3_ACallThatEndsWhileSomebodyLooks(t *testing.T) {
	for _, end := range []approval.State{approval.Done, approval.Failed, approval.Refused} {
		c := bash("deploy")
		p := waitingIn(t, "Bash(forbidden)", c)
		m, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"})
		p.check(err)
		once := false
		p.meanwhile = func() {
			if once {
				return
			}
			once = true
			tr, err := p.store.Resume(sessionID)
			p.check(err)
			defer tr.Close()
			result := model.Block{Kind: model.ToolResult, ToolUseID: c.ToolUseID, Result: []model.Block{model.TextBlock("ok")}}
			if end == approval.Refused {
				p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{result}}))
				p.check(p.tickets.Refuse(t.Context(), m.Ticket.ID, "process 1", "a rule"))
				return
			}
			fence, err := p.tickets.Claim(t.Context(), m.Ticket.ID, m.Call, nil, "process 1")
			p.check(err)
			p.check(tr.Append(session.Began, session.Beginning{ToolUseID: c.ToolUseID}))
			p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{result}}))
			p.check(p.tickets.Finish(t.Context(), m.Ticket.ID, fence, end == approval.Done, ""))
		}
		seen, err := p.Inspect(t.Context(), Target{Session: sessionID, Ticket: m.Ticket})
		p.check(err)
		if len(seen.Matters) != 1 || seen.Matters[0].Standing != Over || seen.Matters[0].Problem != "" {
			t.Errorf("%s: %+v", end, seen.Matters)
		}
	}
}

// A no that may be taken back does not swallow that of somebody else.
func TestA3_TwoPeopleSayNo(t *testing.T) {
	p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
	first, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "no", Settles: time.Now().Add(time.Hour)})
	p.check(err)
	second, err := p.Deny(t.Context(), first.Ticket.ID, No{By: "bob", Reason: "never"})
	p.check(err)
	if a := second.Ticket.Answer; a.By != "bob" || !a.Settles.IsZero() {
		t.Errorf("%+v", a)
	}
	if _, err := p.tickets.Retract(t.Context(), first.Ticket.ID, first.Ticket.Said(), "ann"); err == nil {
		t.Error("the first no was taken back, and the second with it")
	}
	if _, err := p.Deny(t.Context(), first.Ticket.ID, No{By: "carl", Reason: "no"}); KindOf(err) != Refused {
		t.Errorf("a no that holds is said again: %v", err)
	}
	yes, err := p.Approve(t.Context(), first.Ticket.ID, Yes{By: "dora"})
	if KindOf(err) != Refused {
		t.Errorf("%+v, %v", yes, err)
	}
}

// A session goes on, or is removed, while a server or worker reads all of them, or in the moment in which it
// makes a ticket. Nobody is asked about a call for which it waits no more.
func TestA3_NoTicketIsMadeForACallThatIsOver(t *testing.T) {
	for name, happens := range endings() {
		for after, look := range map[string]int{"after it was read": 1, "while its ticket is made": 2, "after it was rechecked": 1, "while it is rechecked": 2} {
			t.Run(name+" "+after, func(t *testing.T) {
				p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
				p.meanwhile = func() {
					if look--; look == 0 {
						happens(p)
					}
				}
				var err error
				if strings.Contains(after, "recheck") {
					_, err = p.Recheck(t.Context(), &Round{begun: true})
				} else {
					_, err = p.MakeTickets(t.Context())
				}
				p.check(err)
				if p.tickets == nil { // which nobody has needed
					return
				}
				list, err := p.tickets.List(t.Context(), approval.Query{States: live()})
				if p.check(err); len(list) != 0 {
					t.Errorf("%+v", list)
				}
			})
		}
	}
}

// Somebody takes his time to say yes to a call without a ticket, and its session goes on meanwhile.
func TestA3_NobodyApprovesACallThatIsOver(t *testing.T) {
	for name, happens := range endings() {
		t.Run(name, func(t *testing.T) {
			p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
			_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Agree: func(Proposal) error {
				happens(p)
				return nil
			}})
			if KindOf(err) != Refused || !strings.Contains(err.Error(), "its session does not wait for it any more") || p.tickets != nil {
				t.Errorf("%v", err)
			}
		})
	}
}

// endings are how a session comes to wait no more for the call with which it began.
func endings() map[string]func(*place) {
	c := bash("deploy")
	return map[string]func(*place){
		"it goes on": func(p *place) {
			tr, err := p.store.Resume(sessionID)
			p.check(err)
			result := model.Block{Kind: model.ToolResult, ToolUseID: c.ToolUseID, Result: []model.Block{model.TextBlock("no")}}
			p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{result}}))
			p.check(tr.Close())
		},
		"it is removed": func(p *place) {
			_, err := p.store.Remove(sessionID, nil)
			p.check(err)
			p.check(p.store.Discard(sessionID))
		},
		"it waits for another call with that id": func(p *place) {
			tr, err := p.store.Resume(sessionID)
			p.check(err)
			other := c
			other.Since = time.Now()
			p.check(tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{other}}))
			p.check(tr.Close())
		},
	}
}
