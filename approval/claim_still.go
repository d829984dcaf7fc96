package approval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// Between a yes and the moment at which its call begins there may be days: a worker has to come
// that can do it. Whoever has said it may be disabled by then, because somebody else has used his
// name. So the claim asks again, in its transaction.

// StillFor is [Still] for the calls of those who wanted them and must not approve them; barred
// are their accounts, and empty where that does not matter.
type StillFor func(barred string) Still

// Mind makes every claim ask whether the yes by which its call begins still counts. asks is called
// before the transaction of each, and returns nil where there are no people. Whoever uses the
// store has said so before.
func (s *Store) Mind(asks func(context.Context) (StillFor, error)) { s.minds = asks }

// still is what a claim asks; nil means nobody.
func (s *Store) still(ctx context.Context) (StillFor, error) {
	if s.minds == nil {
		return nil, nil
	}
	return s.minds(ctx)
}

// WaitsAgain: a call was to begin by a yes that does not count any more. It was not begun, and
// waits again.
type WaitsAgain struct {
	ID string
	// By is whose yes it was, and Err why it does not count.
	By  string
	Err error
}

func (e *WaitsAgain) Error() string {
	return fmt.Sprintf("the call of the ticket %s did not begin, and waits again: %s (somebody has to approve it anew, or deny it)", e.ID, e.why())
}

// why is also what stands in the history.
func (e *WaitsAgain) why() string { return fmt.Sprintf("%s%s: %v", lapsedNote, e.By, e.Err) }

// lapsedNote is how the history begins to say that a yes does not count any more.
const lapsedNote = "a yes does not count any more, that of "

// YesLapsed: a call waits again because a yes does not count any more, and not because whoever has
// given it has taken it back.
func (e Event) YesLapsed() bool {
	return e.Moves() && e.From == Approved && e.To == Pending && strings.HasPrefix(e.Note, lapsedNote)
}

// Unwrap returns the reason.
func (e *WaitsAgain) Unwrap() error { return e.Err }

// lapsed is the yes of a ticket that does not count any more; nil when all of them do. That of
// somebody who has not signed in nobody can take from him.
func (t *Ticket) lapsed(ctx context.Context, q database.Querier, stillFor StillFor) (*WaitsAgain, error) {
	if stillFor == nil || t.State != Approved || t.Answer == nil {
		return nil, nil
	}
	barred := ""
	if t.Terms.NotRequester {
		barred = t.Requester
	}
	still := stillFor(barred)
	all := append(slices.Clone(t.Answer.Others), t.Answer.Vote())
	for i, v := range all {
		if v.Speaker() == "" {
			continue
		}
		err := still(ctx, q, v, all[:i]...)
		if lapsed, ok := errors.AsType[*Lapsed](err); ok {
			return &WaitsAgain{t.ID, v.By, lapsed}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// reopens is the change that lets a ticket wait again; nil when nothing has lapsed. What others
// have said counts as it did before the last yes, and that one as well if it was another that has
// lapsed. A rule that came with it is named, because it stays.
func (s *Store) reopens(ctx context.Context, tx *database.Tx, t *Ticket, again *WaitsAgain, who string) (*move, error) {
	if again == nil {
		return nil, nil
	}
	if last := t.Answer.Vote(); t.Terms.Need() > 1 && last.By != again.By {
		if err := writeVote(ctx, tx, t, last); err != nil {
			return nil, err
		}
	}
	if err := s.ruleStays(ctx, tx, t, again.By); err != nil {
		return nil, err
	}
	now := s.now()
	return &move{change: retract, who: who, note: again.why(), apply: func(t *Ticket) {
		t.Answer = nil
		t.waitAnew(now)
	}}, nil
}

// waitAnew: time gives no yes to what was approved once, and no no either, however little of it is
// left: nobody has said one. Only a held call comes to an end, because agents forget theirs: it has at
// least as long once more as it had.
func (t *Ticket) waitAnew(now time.Time) {
	t.Outcome = permission.Deny
	switch {
	case t.Asker == "":
		t.Expires = time.Time{}
	case !t.Expires.IsZero():
		t.Expires = now.Add(t.Expires.Sub(t.Created))
	}
}
