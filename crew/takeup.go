package crew

import (
	"context"

	"github.com/assent-dev/assent/approval"
)

// TakeUp lets the session of an answered call go on, if it can here; false means that it is for
// others. It is for whoever was told about the call by something else than its change, perhaps
// for the second time: when there is nothing to do any more, nothing is done.
func (c *Crew) TakeUp(ctx context.Context, t approval.Ticket) (bool, error) {
	if c == nil || t.Asker != "" {
		return false, nil
	}
	serves, err := c.serves(ctx, t.Session)
	if err != nil || !serves {
		return false, err
	}
	select {
	case <-c.drained: // nothing new is begun here
		return false, nil
	default:
	}
	c.hear([]word{{t.ID, spoken}})
	return true, nil
}
