package clerk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// What was denied in a session holds in a fork that waits, also after the session was
// removed and its tickets were forgotten, however that came about.
func TestS34_ADenialOutlivesItsSession(t *testing.T) {
	for name, test := range map[string]struct {
		fork   func(p *place) // what has happened in the fork before
		parent func(*place)   // and in the session
		remove func(*place)   // how it goes
		want   approval.State // of the fork
	}{
		"a fork with a ticket":    {ticketOfFork, deny, prune, approval.Denied},
		"a fork without one":      {nothing, deny, prune, approval.Denied},
		"one that was approved":   {approveFork, deny, prune, approval.Approved},
		"nobody has denied it":    {ticketOfFork, nothing, force, approval.Pending},
		"forced":                  {ticketOfFork, denyOnly, force, approval.Denied},
		"what is left of it":      {ticketOfFork, deny, forget, approval.Denied},
		"denied, then damaged":    {ticketOfFork, func(p *place) { deny(p); p.damage(sessionID) }, force, approval.Denied},
		"damaged, and not denied": {ticketOfFork, func(p *place) { p.damage(sessionID) }, force, approval.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
			p.fork()
			test.fork(p)
			test.parent(p)
			test.remove(p)
			if left, err := p.tickets.List(t.Context(), approval.Query{Session: sessionID}); err != nil || len(left) > 0 {
				t.Errorf("%+v, %v", left, err)
			}
			found, err := p.tickets.OfCall(t.Context(), forkID, "a")
			if err != nil || found == nil || found.State != test.want {
				t.Fatalf("%+v, %v", found, err)
			}
			if found.State == approval.Denied && found.Answer.From != sessionID {
				t.Errorf("%+v", found.Answer)
			}
		})
	}
}

func nothing(*place) {}

func ticketOfFork(p *place) {
	_, err := p.MakeTickets(p.t.Context())
	p.check(err)
}

func approveFork(p *place) {
	_, err := p.Approve(p.t.Context(), forkID, Yes{By: "bob"})
	p.check(err)
}

// denyOnly denies the call, and deny lets the session go on as well.
func denyOnly(p *place) {
	_, err := p.Deny(p.t.Context(), sessionID, No{By: "ann", Reason: "no"})
	p.check(err)
}

func deny(p *place) {
	denyOnly(p)
	ticket, err := p.tickets.OfCall(p.t.Context(), sessionID, "a")
	p.check(err)
	p.check(p.tickets.Refuse(p.t.Context(), ticket.ID, "assent", "no"))
	tr, err := p.store.Resume(sessionID)
	p.check(err)
	result := model.Block{Kind: model.ToolResult, ToolUseID: "a", Result: []model.Block{model.TextBlock("no")}, IsError: true}
	p.check(tr.Append(session.Settled, session.Settlement{ToolUseID: "a", Result: result}))
	p.check(tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{result}}))
	p.check(tr.Close())
}

func remove(p *place, how Care) {
	_, err := p.Remove(p.t.Context(), sessionID, how)
	p.check(err)
}

func prune(p *place) { remove(p, Careful) }
func force(p *place) { remove(p, Forced) }

// forget is for a session that somebody has removed by hand.
func forget(p *place) {
	p.check(os.RemoveAll(filepath.Join(p.dir, "sessions", sessionID)))
	p.check(p.Forget(p.t.Context(), sessionID))
}
