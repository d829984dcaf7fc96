package clerk

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

const forkID = "22222222-2222-4222-8222-222222222222"

// fork makes a copy of the session.
func (p *place) fork() {
	p.t.Helper()
	tr, err := p.store.Fork(sessionID, forkID, session.Start{Cwd: p.cwd, Model: "m"})
	p.check(err)
	p.check(tr.Close())
}

// What a person denies is shown in a fork that was made before, and nobody approves it there.
func TestS34_ADenialThatComesLaterReachesAFork(t *testing.T) {
	for name, ticket := range map[string]bool{"with a ticket": true, "without one": false} {
		p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
		p.fork()
		if ticket {
			_, err := p.MakeTickets(t.Context())
			p.check(err)
		}
		_, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "no"})
		p.check(err)
		m, err := p.One(t.Context(), forkID, ToDeny)
		if err != nil || !strings.Contains(m.Problem, "ann has denied it in session "+sessionID) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		if _, err := p.Approve(t.Context(), forkID, Yes{By: "bob"}); err == nil || KindOf(err) != Refused || !strings.Contains(err.Error(), "is denied") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A ticket that is made later says what the session has on record about the risk; what is
// not on record counts as high.
func TestS27_ATicketOfALaterDayHasItsRisk(t *testing.T) {
	for recorded, want := range map[string]permission.Risk{"medium": permission.MediumRisk, "": permission.HighRisk, "none": permission.HighRisk} {
		call := bash("deploy")
		call.Risk, call.Kin = recorded, "Bash deploy"
		p := waitingIn(t, "Bash(rm:*)", call)
		if m, err := p.One(t.Context(), sessionID, ToApprove); err != nil || m.Ticket != nil || m.Risk() != want {
			t.Errorf("%q: %v, %v", recorded, m.Risk(), err)
		}
		_, err := p.MakeTickets(t.Context())
		p.check(err)
		list, err := p.tickets.List(t.Context(), approval.Query{})
		if err != nil || len(list) != 1 || list[0].Risk != want || list[0].Kin != "Bash deploy" {
			t.Errorf("%q: %+v, %v", recorded, list, err)
		}
	}
}

// A no that only mends a damaged ticket is for that ticket: a fork waits for an answer of
// its own, and can be given one.
func TestS34_ANoThatOnlyMendsStaysBehind(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	p.fork()
	_, err := p.MakeTickets(t.Context())
	p.check(err)
	p.damage(sessionID)
	if m, err := p.One(t.Context(), forkID, ToApprove); err != nil || !strings.Contains(m.Problem, "nobody can say whether it was denied in session "+sessionID) {
		t.Errorf("%+v, %v", m, err)
	}
	_, err = p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "mended"})
	p.check(err)
	p.damaged = nil // the next errand
	m, err := p.One(t.Context(), forkID, ToApprove)
	if err != nil || m.Problem != "" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := p.Approve(t.Context(), forkID, Yes{By: "bob"}); err != nil {
		t.Error(err)
	}
}

// What was kept of a no and cannot be read is told about the call, and keeps nobody from the
// others, or from a no.
func TestS34_AKeptNoThatCannotBeRead(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	p.fork()
	deny(p)
	prune(p)
	p.spoil("UPDATE noes SET answer = 'no'")
	all, _, err := p.Matters(t.Context())
	if err != nil || len(all) != 1 || !strings.Contains(all[0].Problem, "nobody can say whether it was denied in session "+sessionID) {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := p.Approve(t.Context(), forkID, Yes{By: "bob"}); err == nil {
		t.Error("it was approved")
	}
	if _, err := p.Deny(t.Context(), forkID, No{By: "bob", Reason: "no"}); err != nil {
		t.Error(err)
	}
}

// damage spoils the tickets of a session.
func (p *place) damage(session string) {
	p.t.Helper()
	p.spoil("UPDATE tickets SET state = 'dome' WHERE session = $1", session)
}

// spoil changes the database as nobody does who means well.
func (p *place) spoil(how string, args ...any) {
	p.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(p.dir, "state.db"))
	p.check(err)
	defer db.Close()
	_, err = db.Exec(how, args...)
	p.check(err)
}
