package inbox

import (
	"context"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/permission"
)

// termsOf are terms as they are shown; nil when nothing is asked for.
func termsOf(t permission.Terms) *client.Terms {
	if t.Approvers == 0 && !t.Reason && !t.NotRequester {
		return nil
	}
	return &client.Terms{Approvers: t.Need(), Reason: t.Reason, NotRequester: t.NotRequester}
}

// approvals is how many of the votes are for one input, the same files, and the same change of one.
func approvals(votes []approval.Vote, digest string, places []string, change string) (n int) {
	for _, vote := range votes {
		if vote.For(digest, places, change) {
			n++
		}
	}
	return n
}

// addApprovals says of listed calls that wait how many people have approved them. The files are
// those with which they were parked, and the change is the one that the last of them was shown: nobody
// looks at the disk for a list.
func (s *Server) addApprovals(ctx context.Context, tickets []approval.Ticket, listed []item) error {
	stillFor := s.looks() // one for all of them, so that everybody is read once
	for i := range tickets {
		t := &tickets[i]
		if t.State != approval.Pending {
			continue
		}
		votes, err := s.votesOn(ctx, t, t.Terms, stillFor)
		if err != nil {
			return err
		}
		listed[i].Approvals = approvals(votes, t.Digest, t.Places, approval.LastSeen(votes))
	}
	return nil
}
