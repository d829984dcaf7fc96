package clerk

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// What was denied in a session holds in a fork, also after the session was removed and its
// tickets were forgotten, however that came about, and whatever the fork has been through
// meanwhile: people are told, and it is denied when the fork goes on.
func TestS34_ADenialOutlivesItsSession(t *testing.T) {
	for name, test := range map[string]struct {
		fork   func(*place)   // what has happened in the fork before
		parent func(*place)   // and in the session
		remove func(*place)   // how it goes
		after  func(*place)   // and what happens in the fork then
		want   approval.State // of the fork
	}{
		"a fork with a ticket":    {ticketOfFork, deny, prune, nothing, approval.Denied},
		"a fork without one":      {nothing, deny, prune, nothing, approval.Denied},
		"one that was approved":   {approveFork, deny, prune, nothing, approval.Approved},
		"nobody has denied it":    {ticketOfFork, nothing, force, nothing, approval.Pending},
		"forced":                  {ticketOfFork, denyOnly, force, nothing, approval.Denied},
		"what is left of it":      {ticketOfFork, deny, forget, nothing, approval.Denied},
		"denied, then damaged":    {ticketOfFork, func(p *place) { deny(p); p.damage(sessionID) }, force, nothing, approval.Denied},
		"damaged, and not denied": {ticketOfFork, func(p *place) { p.damage(sessionID) }, force, nothing, approval.Pending},
		"one that is unknown":     {loseFork, deny, prune, notRun, approval.Denied},
		"one whose answer is taken back": {
			denyFork, deny, prune, takeBack, approval.Denied,
		},
		"one that was away":                  {sendAway, deny, prune, bringBack, approval.Denied},
		"one that was away, of what is back": {func(p *place) { keepCopy(p); sendAway(p) }, deny, prune, func(p *place) { bringBackParent(p); bringBack(p) }, approval.Denied},
		"a session that is back":             {func(p *place) { keepCopy(p); ticketOfFork(p) }, deny, prune, bringBackParent, approval.Denied},
		"one that is back, and approved": {
			func(p *place) { keepCopy(p); ticketOfFork(p) }, deny, prune, func(p *place) { bringBackParent(p); approve(p, sessionID) }, approval.Pending,
		},
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
			test.after(p)
			p.damaged = nil // the next errand
			m, err := p.One(t.Context(), forkID, ToDeny)
			p.check(err)
			if told := strings.Contains(m.Problem, "ann has denied it in session "+sessionID); told != (test.want == approval.Denied) {
				t.Errorf("people are told: %v, %q", told, m.Problem)
			}
			if got := p.goesOn(forkID); got.State != test.want || got.State == approval.Denied && (got.Answer.By != "ann" || got.Answer.From != sessionID) {
				t.Errorf("%s, %+v", got.State, got.Answer)
			}
		})
	}
}

// goesOn is the ticket of the call when its session goes on.
func (p *place) goesOn(id string) approval.Ticket {
	p.t.Helper()
	stand, err := p.store.Standing(id)
	p.check(err)
	call := stand.Calls[0]
	t, err := p.tickets.Park(p.t.Context(), approval.Parking{
		Call: approval.Call{Session: id, ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd},
		At:   call.Since, Forks: stand.Start.Forks(),
	})
	p.check(err)
	return t
}

func nothing(*place) {}

func ticketOfFork(p *place) {
	_, err := p.MakeTickets(p.t.Context())
	p.check(err)
}

func approve(p *place, id string) {
	_, err := p.Approve(p.t.Context(), id, Yes{By: "bob"})
	p.check(err)
}

func approveFork(p *place) { approve(p, forkID) }

// loseFork runs the call of the fork in a process that dies, and notRun says that it has not
// run.
func loseFork(p *place) {
	approveFork(p)
	ticket, err := p.tickets.OfCall(p.t.Context(), forkID, "a")
	p.check(err)
	tr, err := p.store.Resume(forkID)
	p.check(err)
	p.check(tr.Append(session.Began, session.Beginning{ToolUseID: "a"}))
	p.check(tr.Close())
	fence, err := p.tickets.Claim(p.t.Context(), ticket.ID, ticket.Call, nil, "a process")
	p.check(err)
	p.check(p.tickets.Lose(p.t.Context(), ticket.ID, fence, "it died"))
}

func notRun(p *place) {
	_, err := p.Resolve(p.t.Context(), forkID, Finding{By: "bob", Note: "looked"})
	p.check(err)
}

// denyFork denies the call in the fork itself, and takeBack takes that back.
func denyFork(p *place) {
	ticketOfFork(p)
	ticket, err := p.tickets.OfCall(p.t.Context(), forkID, "a")
	p.check(err)
	_, err = p.tickets.Say(p.t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Deny, By: "bob", Settles: time.Now().Add(time.Hour)})
	p.check(err)
}

func takeBack(p *place) {
	ticket, err := p.tickets.OfCall(p.t.Context(), forkID, "a")
	p.check(err)
	_, err = p.tickets.Retract(p.t.Context(), ticket.ID, ticket.Said(), "bob")
	p.check(err)
}

// sendAway exports the fork and removes it, and bringBack imports it. keepCopy exports the
// session.
func sendAway(p *place) {
	p.export(forkID)
	_, err := p.Remove(p.t.Context(), forkID, Forced)
	p.check(err)
}

func bringBack(p *place)       { p.bring(forkID) }
func keepCopy(p *place)        { p.export(sessionID) }
func bringBackParent(p *place) { p.bring(sessionID); ticketOfFork(p) }

func (p *place) export(id string) {
	p.t.Helper()
	f, err := os.Create(filepath.Join(p.cwd, id))
	p.check(err)
	defer f.Close()
	_, err = p.store.Export(id, f, "ann", "test")
	p.check(err)
}

func (p *place) bring(id string) {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.cwd, id))
	p.check(err)
	x, err := session.ReadExport(bytes.NewReader(data), int64(len(data)))
	p.check(err)
	p.check(p.Import(p.t.Context(), x, "", "bob"))
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
