package inbox

import (
	"errors"
	"net/http"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

// auditView is what is on record about a call.
type auditView struct {
	State recordState `json:"state"`
	// Problem is why the record is not verified.
	Problem string       `json:"problem,omitempty"`
	Records []recordView `json:"records"`
	// OfSession is how many records there are of the whole session.
	OfSession int `json:"of_session"`
	// Last is the number of the last record, Head its number and sum, which stand for all
	// before it, and At when it was read.
	Last int       `json:"last"`
	Head string    `json:"head"`
	At   time.Time `json:"at"`
}

// recordState is what the record proves.
type recordState string

const (
	recordVerified   recordState = "verified"   // it is as it was written, up to the last
	recordUnverified recordState = "unverified" // it was changed, or cannot be read
	recordEmpty      recordState = "empty"      // nothing is on record here
)

// recordView is one decision.
type recordView struct {
	Number   int       `json:"number"`
	At       time.Time `json:"at"`
	Decision string    `json:"decision"`
	Who      string    `json:"who,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Rule     string    `json:"rule,omitempty"`
	Place    string    `json:"place,omitempty"`
	// Head proves that the record is this one: `assent audit verify --head HEAD`.
	Head string `json:"head"`
}

// audit is what is on record about a ticket.
func (s *Server) audit(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	t, err := s.Tickets.Find(r.Context(), id)
	if damaged, bad := errors.AsType[*approval.Damaged](err); bad {
		t, err = damaged.Ticket, nil
	}
	if err != nil {
		return nil, err
	}
	return s.ledger.of(r.Context(), t)
}

// view is what is told about a call.
func (l *ledger) view(records []noted, ofSession int) auditView {
	clean := func(text string) string { return mask(policy.WellFormed(text)) }
	v := auditView{State: recordVerified, Problem: clean(l.problem), Records: []recordView{}, OfSession: ofSession, Last: l.reached.number, Head: l.reached.head.String(), At: l.at}
	switch {
	case l.problem != "":
		v.State = recordUnverified
	case l.reached.number == 0:
		v.State = recordEmpty
	}
	for _, n := range records {
		v.Records = append(v.Records, recordView{
			Number: n.Number, At: n.Time, Decision: policy.WellFormed(n.Decision), Who: clean(n.Who), Reason: clean(n.Reason),
			Rule: clean(n.Rule), Place: policy.WellFormed(n.Place()), Head: n.head.String(),
		})
	}
	return v
}
