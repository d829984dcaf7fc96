package approval

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// A session that was begun without a database comes into one when somebody works on it there, and
// its calls get other tickets. What was said about them before is in those of the state directory
// of its machine. A no holds in the database as well, as it does in a fork. A yes and votes do
// not: the database has people and terms of its own. Whoever is to answer there is told of them.

// heeded is where something may have been said before.
type heeded struct {
	dir  string // empty for nowhere
	tell func(text string)
}

// Heed names the state directory from which sessions come into this database. A call for which a
// ticket is made only later, see [Parking.Belated], hears what was said about it there, and tell
// what has become of that. Whoever uses the store has said so before.
func (s *Store) Heed(dir string, tell func(text string)) { s.heeds = heeded{dir, tell} }

// NoBefore is what a person has said about a call before its session came into this database, and
// that holds here; nil when nobody has denied it. See [Store.Heed].
func (s *Store) NoBefore(ctx context.Context, p Parking) *Answer { return s.past(ctx, p).no }

// past is what was said about a call before its session came into this database.
type past struct {
	no  *Answer // nil when nobody has denied it
	yes []Vote  // those of everybody who has approved it
	// unread is why nobody can say whether somebody has denied it; nil when one can.
	unread error
}

func (s *Store) past(ctx context.Context, p Parking) past {
	if s.heeds.dir == "" || !p.belated || !Exists(s.heeds.dir) {
		return past{}
	}
	said, err := saidIn(ctx, s.heeds.dir, p)
	if said.no == nil {
		said.unread = err
	}
	return said
}

// saidIn is what the tickets of a state directory say about a call, and about the same one in the
// sessions of which its session is a fork.
func saidIn(ctx context.Context, dir string, p Parking) (past, error) {
	s, why := Open(dir)
	if why != nil {
		var err error
		if s, err = Look(dir, why); err != nil {
			return past{}, why // which says more
		}
	}
	defer s.Close()
	said, err := s.saidAbout(ctx, p)
	if said.no != nil || err != nil {
		return said, err
	}
	for _, fork := range p.Forks {
		no, err := s.NoIn(ctx, fork, p.Call.ToolUseID, p.At)
		if no != nil && no.From == "" {
			no.From = fork
		}
		if said.no = no; no != nil || err != nil {
			return said, err
		}
	}
	return said, nil
}

// saidAbout is what the last ticket of a call says.
func (s *Store) saidAbout(ctx context.Context, p Parking) (said past, err error) {
	tickets, err := allOfCall(ctx, s.reads(), p.Call.Session, p.Call.ToolUseID)
	if err != nil {
		return said, s.db.Explain(err)
	}
	i := slices.IndexFunc(tickets, func(t lastTicket) bool { return !t.Bygone(p.At) })
	if i < 0 {
		return said, nil
	}
	t := &tickets[i]
	said.no, err = t.no(ctx, s.reads())
	switch {
	case err != nil || said.no != nil:
		return said, s.db.Explain(err)
	case t.damaged != nil:
		return said, t.damaged
	case t.DeniedByPerson(): // also by a no that is none for forks
		said.no = t.Answer
	case t.Answer != nil && t.Answer.Behavior == permission.Allow:
		said.yes = append(t.Answer.Others, t.Answer.Vote())
	default:
		votes, err := votesOn(ctx, s.reads(), &t.Ticket)
		for _, one := range votes {
			said.yes = append(said.yes, one.Vote)
		}
		return said, s.db.Explain(err)
	}
	return said, nil
}

// note writes into the history of a ticket that was just made what whoever is to answer has to
// know: it waits, whatever was said.
func (p past) note(ctx context.Context, s *Store, tx *database.Tx, t *Ticket) error {
	var notes []string
	for _, one := range p.yes {
		notes = append(notes, joined(fmt.Sprintf("on %s %s approved it at %s, before its session came into this database: that does not count here, and it has to be approved anew", machine(), one.By, one.At.Format(WithZone)), one.Message))
	}
	if p.unread != nil {
		notes = append(notes, fmt.Sprintf("its session may have been on %s before it came into this database, and the tickets there cannot be relied on, so nobody can say whether somebody has denied it: %v", machine(), p.unread))
	}
	for _, text := range notes {
		if err := s.mention(ctx, tx, *t, KindComment, Self, text); err != nil {
			return err
		}
	}
	return nil
}

// wouldRun: somebody has approved it, or the end of its time has, and nobody has begun it.
func (t *Ticket) wouldRun() bool { return t.State == Approved || t.State == Expired }

// hold denies a call that waits, or would run, and was denied before.
func (p past) hold(ctx context.Context, s *Store, tx *database.Tx, t *Ticket) error {
	if p.no == nil || t.State != Pending && !t.wouldRun() {
		return nil
	}
	a := *p.no
	a.Digest, a.Settles = t.Digest, time.Time{} // nobody can take it back here
	a.Voter = ""                                // a person of that name may be another one here
	text := "denied"
	if a.From != "" {
		text += " in the session it was forked from, " + a.From + ","
	}
	text += fmt.Sprintf(" at %s on %s, before its session came into this database", a.At.Format(WithZone), machine())
	return s.apply(ctx, tx, t, move{change: deny, who: a.By, note: joined(text, a.Message), apply: func(t *Ticket) { t.Answer = &a }})
}

// machine is the one on which this process runs.
func machine() string {
	if host, err := os.Hostname(); err == nil {
		return host
	}
	return "another machine"
}

// told tells whoever brings a call what has become of what was said. isNew: its ticket was made
// just now.
func (h heeded) told(p past, t Ticket, isNew bool) {
	call := fmt.Sprintf("the call %s of %s", t.ToolUseID, t.Tool)
	switch {
	case p.no != nil && t.DeniedByPerson():
		h.tell(fmt.Sprintf("%s has denied %s on this machine before, and that holds in the database", p.no.By, call))
	case !isNew:
	case p.unread != nil:
		h.tell(fmt.Sprintf("the tickets in %s cannot be relied on, so nobody can say whether somebody has denied %s there: %v", h.dir, call, p.unread))
	case len(p.yes) > 0:
		var names []string
		for _, one := range p.yes {
			names = append(names, one.By)
		}
		h.tell(fmt.Sprintf("that %s approved %s on this machine before does not count in the database: it has to be approved anew", strings.Join(names, " and "), call))
	}
}
