package inbox

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

// maxComments is how many comments one person may write on one call.
const maxComments = 100

// comment writes down what somebody says about a call. Who may look may say something.
func (s *Server) comment(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Text string `json:"text"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	if err := s.checkTalk(r.Context(), id, v.name); err != nil {
		return nil, err
	}
	if err := s.Tickets.Comment(r.Context(), id, v.speaker(), policy.WellFormed(body.Text)); err != nil {
		return nil, err
	}
	s.poke()
	return s.show(r.Context(), id)
}

// checkTalk refuses more comments of somebody who has written very many on a call: whoever opens
// it loads them all. What his programs write, who stand there with a number behind his name, counts
// for him. Some that come at the same moment may be too many, which does no harm.
func (s *Server) checkTalk(ctx context.Context, id, who string) error {
	history, err := s.Tickets.History(ctx, id)
	if err != nil {
		return err
	}
	said := 0
	for _, event := range history {
		if event.Kind == approval.KindComment && (event.Who == who || strings.HasPrefix(event.Who, who+" (")) {
			said++
		}
	}
	if said >= maxComments {
		return mayNot(fmt.Sprintf("you have written %d comments on this call, and nobody may write more (say it elsewhere, or let somebody else say it)", said))
	}
	return nil
}
