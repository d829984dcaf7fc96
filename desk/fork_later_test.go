package desk_test

import (
	"context"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
)

// What somebody denies while a fork waits is heard when the fork is taken up.
func TestS34_ADenialThatComesLaterIsHeard(t *testing.T) {
	o, c := newOffice(t), deploy()
	o.park(c)
	fork := forkOf(c, secondID)
	o.park(fork)
	o.people(func(ctx context.Context, s *approval.Store, _ approval.Ticket) error {
		first, err := s.OfCall(ctx, c.Session, c.ToolUseID)
		if err == nil {
			_, err = s.Deny(ctx, first.ID, first.Digest, "ann", "no")
		}
		return err
	})
	o.park(fork)
	if word := o.look(fork); word.Kind != agent.No || word.By != "ann" {
		t.Errorf("%+v", word)
	}
}
