package approval

import "context"

// Retract takes an answer back that nobody has acted upon: the call waits again, for as
// long as it had. said is what the ticket said with that answer, see [Ticket.Said]: if
// somebody has said something else since, the error is an [*Overtaken].
func (s *Store) Retract(ctx context.Context, id, said, by string) (Ticket, error) {
	return s.do(ctx, id, move{
		change: retract, who: by, note: "the answer was taken back",
		check: func(t Ticket) error {
			if said != t.Said() {
				return &Overtaken{t.ID}
			}
			return nil
		},
		apply: func(t *Ticket) { t.Answer = nil },
	})
}
