package clerk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/session"
)

// copied makes the session one of which only a copy is here.
func (p *place) copied() {
	p.t.Helper()
	p.check(os.WriteFile(filepath.Join(p.dir, "sessions", sessionID, "copy"), nil, 0o600))
}

// A copy says what was so when it was made. Somebody may have answered since, and what is said to
// it here nobody hears: so nothing in it waits, and nobody answers it, by whatever name.
func TestT4_NobodyAnswersACopy(t *testing.T) {
	for name, ticketed := range map[string]bool{"without a ticket": false, "with a ticket of before": true} {
		t.Run(name, func(t *testing.T) {
			p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
			names := []string{sessionID, sessionID[:8]}
			if ticketed {
				all, err := p.MakeTickets(t.Context())
				p.check(err)
				names = append(names, all[0].Ticket.ID, all[0].Ticket.ID[:6])
			}
			p.copied()
			for _, id := range names {
				_, yes := p.Approve(t.Context(), id, Yes{By: "ann"})
				_, no := p.Deny(t.Context(), id, No{By: "ann", Reason: "no"})
				_, ran := p.Resolve(t.Context(), id, Finding{By: "ann", Ran: true})
				_, shown := p.Show(t.Context(), id)
				for what, err := range map[string]error{"approved": yes, "denied": no, "resolved": ran, "shown": shown} {
					if _, refused := errors.AsType[*session.Elsewhere](err); !refused || KindOf(err) != Refused {
						t.Errorf("%s is %s: %v", id, what, err)
					}
				}
			}
			if all, closed, err := p.Matters(t.Context()); err != nil || len(all)+len(closed) != 0 {
				t.Errorf("it waits: %+v, %v, %v", all, closed, err)
			}
			if o, err := p.Overview(t.Context(), 0); err != nil || len(o.Calls)+len(o.Sessions)+len(o.Unreadable) != 0 || o.Copies != 1 {
				t.Errorf("it is listed: %+v, %v", o, err)
			}
			if all, err := p.MakeTickets(t.Context()); err != nil || len(all) != 0 {
				t.Errorf("it is served: %+v, %v", all, err)
			}
			if ids, err := p.Recheck(t.Context(), &Round{}); err != nil || len(ids) != 0 {
				t.Errorf("it is rechecked: %+v, %v", ids, err)
			}
			if p.tickets == nil {
				return
			}
			if list, err := p.tickets.List(t.Context(), approval.Query{States: live()}); err != nil || len(list) != 0 {
				t.Errorf("%d tickets wait, %v", len(list), err)
			}
		})
	}
}

// Whoever removes sessions finds copies as well, also those in which a call waits: the session
// stays in its database.
func TestD8_ACopyIsRemoved(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	p.copied()
	found, err := p.FindToRemove(t.Context(), sessionID[:8])
	if err != nil || found.Session != sessionID {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := p.WouldRemove(t.Context(), sessionID, Careful); err != nil {
		t.Error(err)
	}
	_, err = p.Remove(t.Context(), sessionID, Careful)
	p.check(err)
	if !p.store.Gone(sessionID) {
		t.Error("it is still there")
	}
}

// comes marks the session as one that was about to come into a database.
func (p *place) comes() {
	p.t.Helper()
	p.check(os.WriteFile(p.mark(), []byte("a database"), 0o600))
}

// mark is the file that says so.
func (p *place) mark() string { return filepath.Join(p.dir, "sessions", sessionID, "coming") }

// A session of which nobody knows whether its database has it may be all there is: nobody removes it
// by the way, it is in the list with what one can do, and its tickets are not ended.
func TestD8_ASessionThatMayNotHaveComeIsKept(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	all, err := p.MakeTickets(t.Context())
	p.check(err)
	p.comes()
	_, would := p.WouldRemove(t.Context(), sessionID, Careful)
	_, did := p.Remove(t.Context(), sessionID, Careful)
	for _, err := range []error{would, did} {
		if kept, ok := errors.AsType[*Kept](err); !ok || kept.Way != ForceIt {
			t.Errorf("%v", err)
		}
	}
	_, err = p.MakeTickets(t.Context())
	p.check(err)
	if now, err := p.tickets.Find(t.Context(), all[0].Ticket.ID); err != nil || now.State != approval.Pending {
		t.Errorf("%+v, %v", now, err)
	}
	o, err := p.Overview(t.Context(), 0)
	if err != nil || o.Copies != 0 || len(o.Unreadable) != 1 || o.Unreadable[0].State != "coming" || !strings.Contains(o.Unreadable[0].Problem, "remove "+p.mark()) {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"}); KindOf(err) != Refused {
		t.Error(err)
	}
	p.check(os.Remove(p.mark())) // as it says
	if _, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"}); err != nil {
		t.Error(err)
	}
}

// Somebody brings a session into a database while another one answers a call of it, and may have
// looked for answers before: whoever answers is not told that his word counts.
func TestD8_AnAnswerWhileItsSessionComes(t *testing.T) {
	for name, answer := range map[string]func(p *place) error{
		"a yes": func(p *place) error {
			_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Still: func(context.Context, database.Querier, approval.Vote, ...approval.Vote) error {
				p.comes()
				return nil
			}})
			return err
		},
		"a no": func(p *place) error {
			_, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "never", Still: func(context.Context, database.Querier, approval.Vote, ...approval.Vote) error {
				p.comes()
				return nil
			}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
			if err := answer(p); KindOf(err) != Refused || !strings.Contains(err.Error(), "may not count: session "+sessionID+" was about to come into a database") {
				t.Error(err)
			}
		})
	}
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann", Agree: func(Proposal) error { p.comes(); return nil }})
	if KindOf(err) != Refused || !strings.Contains(err.Error(), "was not answered: session "+sessionID+" was about to come into a database") || p.tickets != nil {
		t.Error(err)
	}
}

// Nobody answers a call in a database whose session lies on this machine: who goes on with it here would
// not know. Nothing of it comes there by itself either.
func TestD8_NobodyAnswersInADatabaseWhatIsNotThere(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	m, err := p.One(t.Context(), sessionID, ToApprove)
	p.check(err)
	p.check(p.need())
	d, err := depot.On(t.Context(), p.tickets.Database(), "test")
	p.check(err)
	p.store.Depot = d.Sessions(nil)
	if all, err := p.MakeTickets(t.Context()); err != nil || len(all) != 1 || all[0].Ticket != nil {
		t.Errorf("%+v, %v", all, err)
	}
	_, yes := p.Approve(t.Context(), sessionID, Yes{By: "ann"})
	_, found := p.ApproveThis(t.Context(), m, Yes{By: "ann"})
	_, no := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "never"})
	for what, err := range map[string]error{"a yes": yes, "a yes to what was found": found, "a no": no} {
		if KindOf(err) != Refused || !strings.Contains(err.Error(), "lies on this machine only") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if tickets, err := p.tickets.List(t.Context(), approval.Query{}); err != nil || len(tickets) != 0 || !p.store.OnlyHere(sessionID) {
		t.Errorf("%+v, %v", tickets, err)
	}
	came, err := p.store.Resume(sessionID)
	p.check(err)
	p.check(came.Close())
	if _, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "never"}); err != nil {
		t.Error(err)
	}
}

// A fork of what lies in a database that nobody has named: somebody may have denied the call there.
func TestD8_AForkOfWhatLiesElsewhere(t *testing.T) {
	for name, ticketed := range map[string]bool{"there are tickets": true, "there are none yet": false} {
		p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
		p.fork()
		p.copied()
		if ticketed {
			p.check(p.need())
		}
		if m, err := p.One(t.Context(), forkID, ToDeny); err != nil || m.Problem != "" || !strings.Contains(m.Reason(), "it may have been denied in a session of which this one is a fork, and nobody can say that here (session "+sessionID) {
			t.Errorf("%s: %q, %q, %v", name, m.Problem, m.Reason(), err)
		}
	}
}

// The links in messages about its calls go with a session.
func TestD8_LinksGoWithTheirSession(t *testing.T) {
	p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
	all, err := p.MakeTickets(t.Context())
	p.check(err)
	db := p.tickets.Database()
	links, err := link.On(t.Context(), db)
	p.check(err)
	var text string
	p.check(db.Within(t.Context(), func(tx *database.Tx) (err error) {
		text, err = links.Make(t.Context(), tx, all[0].Ticket.ID, all[0].Ticket.Digest, "ops", time.Time{})
		return err
	}))
	if _, err := links.Open(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	_, err = p.Remove(t.Context(), sessionID, Forced)
	p.check(err)
	if _, err := links.Open(t.Context(), text); !errors.As(err, new(*link.Gone)) {
		t.Errorf("the link is still there: %v", err)
	}
}
