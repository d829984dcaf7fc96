package approval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// A session that was begun without a database comes into one when somebody works on it there, and its
// calls get other tickets. What was said about them before is in those of the state directory of its
// machine. A no holds in the database as well, as it does in a fork. A yes and votes do not: the
// database has people and terms of its own. Whoever is to answer there is told of them. Where nobody
// can say what was said, the session does not come. A fork may be in the database while what it is a
// fork of is not: it hears a no that is said there later.

// heeded is where something may have been said before.
type heeded struct {
	dir  string // empty for nowhere
	tell func(text string)
}

// Heed names the state directory from which sessions come into this database. A call for which a
// ticket is made only later, see [Parking.Belated], hears what was said about it there, and tell what
// has become of that. Whoever uses the store has said so before.
func (s *Store) Heed(dir string, tell func(text string)) { s.heeds = heeded{dir, tell} }

// Before is what was said about a call before its session comes into this database.
type Before struct {
	// No is what holds here; nil when nobody has denied it.
	No *Answer
	// Yes are the votes of everybody who has approved it, which do not count here.
	Yes []Vote
}

// Before is what was said about a call where it comes from. The error is why nobody can say; see
// [Store.Heed].
func (s *Store) Before(ctx context.Context, p Parking) (Before, error) {
	if s.heeds.dir == "" {
		return Before{}, nil
	}
	if _, err := os.Lstat(filepath.Join(s.heeds.dir, fileName)); errors.Is(err, fs.ErrNotExist) {
		return Before{}, nil
	}
	said, err := saidIn(ctx, s.heeds.dir, p)
	if err != nil && said.No == nil {
		return said, fmt.Errorf("nobody can say whether somebody has denied the call %s of %s here: %w", p.Call.ToolUseID, p.Call.Tool, err)
	}
	return said, nil
}

// saidIn is what the tickets of a state directory say about a call, and about the same one in the
// sessions of which its session is a fork.
func saidIn(ctx context.Context, dir string, p Parking) (Before, error) {
	s, why := Open(dir)
	if why != nil {
		var err error
		if s, err = Look(dir, why); err != nil {
			return Before{}, why // which says more
		}
	}
	defer s.Close()
	said, err := s.saidAbout(ctx, p)
	if said.No != nil || err != nil {
		return said, err
	}
	for _, fork := range p.Forks {
		no, err := s.NoIn(ctx, fork, p.Call.ToolUseID, p.At)
		if no != nil && no.From == "" {
			no.From = fork
		}
		if said.No = no; no != nil || err != nil {
			return said, err
		}
	}
	return said, nil
}

// saidAbout is what the last ticket of a call says.
func (s *Store) saidAbout(ctx context.Context, p Parking) (said Before, err error) {
	tickets, err := allOfCall(ctx, s.reads(), p.Call.Session, p.Call.ToolUseID)
	if err != nil {
		return said, s.db.Explain(err)
	}
	i := slices.IndexFunc(tickets, func(t lastTicket) bool { return !t.Bygone(p.At) })
	if i < 0 {
		return said, nil
	}
	t := &tickets[i]
	said.No, err = t.no(ctx, s.reads())
	switch {
	case err != nil || said.No != nil:
		return said, s.db.Explain(err)
	case t.damaged != nil:
		return said, t.damaged
	case t.DeniedByPerson(): // also by a no that is none for forks
		said.No = t.Answer
	case t.Answer != nil && t.Answer.Behavior == permission.Allow:
		said.Yes = append(t.Answer.Others, t.Answer.Vote())
	default:
		votes, err := votesOn(ctx, s.reads(), &t.Ticket)
		for _, one := range votes {
			said.Yes = append(said.Yes, one.Vote)
		}
		return said, s.db.Explain(err)
	}
	return said, nil
}

// note writes into the history of a ticket that was just made what whoever is to answer has to know: it waits, whatever
// was said.
func (b Before) note(ctx context.Context, s *Store, tx *database.Tx, t *Ticket) error {
	for _, one := range b.Yes {
		text := joined(fmt.Sprintf("on %s %s approved it at %s, before its session came into this database: that does not count here, and it has to be approved anew", machine(), one.By, one.At.Format(WithZone)), one.Message)
		if err := s.mention(ctx, tx, *t, KindComment, Self, text); err != nil {
			return err
		}
	}
	return nil
}

// wouldRun: somebody has approved it, or the end of its time has, and nobody has begun it.
func (t *Ticket) wouldRun() bool { return t.State == Approved || t.State == Expired }

// hold denies a call that waits, or would run, and was denied before.
func (b Before) hold(ctx context.Context, s *Store, tx *database.Tx, t *Ticket) error {
	if b.No == nil || t.State != Pending && !t.wouldRun() {
		return nil
	}
	a := *b.No
	a.Digest, a.Settles = t.Digest, time.Time{} // nobody can take it back here
	a.Voter = ""                                // a person of that name may be another one here
	text := "denied"
	if a.From != "" {
		text += " in the session it was forked from, " + a.From + ","
	}
	text += fmt.Sprintf(" at %s on %s", a.At.Format(WithZone), machine())
	if a.From == "" {
		text += ", before its session came into this database"
	}
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
func (h heeded) told(b Before, t Ticket, isNew bool) {
	call := fmt.Sprintf("the call %s of %s", t.ToolUseID, t.Tool)
	switch {
	case b.No != nil && t.DeniedByPerson():
		h.tell(fmt.Sprintf("%s has denied %s on this machine before, and that holds in the database", b.No.By, call))
	case isNew && b.No == nil && len(b.Yes) > 0:
		var names []string
		for _, one := range b.Yes {
			names = append(names, one.By)
		}
		h.tell(fmt.Sprintf("that %s approved %s on this machine before does not count in the database: it has to be approved anew", strings.Join(names, " and "), call))
	}
}
