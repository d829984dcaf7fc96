package approval

import "context"

// Retract takes an answer back that nobody has acted upon: the call waits again, for as
// long as it had. said is what the ticket said with that answer, see [Ticket.Said]: if
// somebody has said something else since, the error is an [*Overtaken]. One that has settled
// is a [*Settled]: somebody may be about to act on it. So is one to a call whose time to be
// answered is over by now. A no that has mended a damaged ticket
// is not taken back: nobody knows what was said before.
func (s *Store) Retract(ctx context.Context, id, said, by string) (Ticket, error) {
	return s.do(ctx, id, move{
		change: retract, who: by, note: "the answer was taken back",
		check: func(t Ticket) error {
			if said != t.Said() {
				return &Overtaken{t.ID}
			}
			if t.Answer != nil && t.Answer.Mends != NoDamage {
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if t.UnsettledUntil(s.now()).IsZero() || t.late(s.now()) { // without an answer its time would be over, and it might run for that
				return &Settled{t.ID, t.Answer}
			}
			return nil
		},
		apply: func(t *Ticket) { t.Answer = nil },
	})
}
