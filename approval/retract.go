package approval

import (
	"context"
	"time"

	"github.com/assent-dev/assent/permission"
)

// Retract takes an answer back that nobody has acted upon: the call waits again, for as
// long as it had. One whose time to be answered is over by then is denied: somebody has looked
// at it, and does not say yes any more. So is one that would run by itself before the answer had
// settled: nobody who takes a yes back has the time to say no as well. said is what the ticket
// said with that answer, see [Ticket.Said]: if somebody has said something else since, the error
// is an [*Overtaken]. One that has settled is a [*Settled]: somebody may be about to act on it.
// A no that has mended a damaged ticket is not taken back: nobody knows what was said before.
func (s *Store) Retract(ctx context.Context, id, said, by string) (Ticket, error) {
	var now time.Time
	return s.do(ctx, id, move{
		change: retract, who: by, note: "the answer was taken back",
		check: func(t Ticket) error {
			now = s.now()
			if said != t.Said() {
				return &Overtaken{t.ID}
			}
			if t.Answer != nil && t.Answer.Mends != NoDamage {
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if t.UnsettledUntil(now).IsZero() {
				return &Settled{t.ID, t.Answer}
			}
			return nil
		},
		apply: func(t *Ticket) {
			if !t.late(now) && !(t.lapses() && t.late(t.Answer.Settles)) {
				t.Answer = nil
				return
			}
			t.State = Denied
			t.Answer = &Answer{
				Behavior: permission.Deny, Digest: t.Digest, By: by, Voter: t.Answer.Voter, At: now.UTC(),
				Message: "the answer was taken back, and there was no time left for another one",
			}
		},
	})
}
