package inbox

import (
	"context"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// earlierView is what people have said about calls of the same sort.
type earlierView struct {
	Approved int `json:"approved"`
	Denied   int `json:"denied"`
	// Last are the newest of them.
	Last []item `json:"last"`
}

// remembered is how many calls of a sort are looked at.
const remembered = 200

// earlierOf is what people have said before about calls like one.
func earlierOf(akin []approval.Ticket) earlierView {
	const shown = 5
	e := earlierView{Last: []item{}}
	for _, other := range akin {
		if other.Answer == nil {
			continue
		}
		if other.Answer.Behavior == permission.Allow {
			e.Approved++
		} else {
			e.Denied++
		}
		if len(e.Last) < shown {
			e.Last = append(e.Last, itemOf(other))
		}
	}
	return e
}

// akin are the other calls of the same sort, the newest first.
func (s *Server) akin(ctx context.Context, t approval.Ticket) ([]approval.Ticket, error) {
	if t.Kin == "" {
		return nil, nil
	}
	list, err := s.Tickets.Akin(ctx, t.Kin, remembered)
	others := make([]approval.Ticket, 0, len(list))
	for _, other := range list {
		if other.ID != t.ID {
			others = append(others, other)
		}
	}
	return others, err
}
