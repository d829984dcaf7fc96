package clerk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
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
