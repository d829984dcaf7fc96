package inbox

import (
	"context"
	"errors"
	"net/http"

	"github.com/assent-dev/assent/link"
)

// linkView is what the link of a notification leads to.
type linkView struct {
	Ticket string `json:"ticket"`
	State  string `json:"state"`
	// Used: an answer was given with it.
	Used bool `json:"used"`
}

// maxLink is how long the text of a link may be.
const maxLink = 1000

// openLink says to which call a link leads. It decides nothing and uses nothing up: programs
// open links, too.
func (s *Server) openLink(r *http.Request) (any, error) {
	var body struct {
		Link string `json:"link"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if body.Link == "" || len(body.Link) > maxLink {
		return nil, invalid("link: want what stands behind #/confirm/ in the link")
	}
	if s.Links == nil {
		return nil, noLinks()
	}
	it, err := s.Links.Open(r.Context(), body.Link)
	if err != nil {
		return nil, err
	}
	m, err := s.matter(r.Context(), it.Ticket)
	if err != nil {
		return nil, err
	}
	return linkView{Ticket: it.Ticket, State: string(m.Ticket.State), Used: it.Used}, nil
}

// checkLink refuses an answer with a link that is not one to this call as it was shown.
func (s *Server) checkLink(ctx context.Context, text, ticket, digest string) error {
	if text == "" {
		return nil
	}
	if s.Links == nil || len(text) > maxLink {
		return noLinks()
	}
	it, err := s.Links.Open(ctx, text)
	switch {
	case err != nil:
		return err
	case it.Ticket != ticket:
		return goneLink("this link is for another call (look at the call in the inbox)")
	case it.Used:
		return errUsedLink
	case it.Digest != digest:
		return &Fault{Status: http.StatusConflict, Code: Changed, Message: "the call is not the one any more that the message was about (look at it again)"}
	}
	return nil
}

// withLink gives an answer and uses up the link with which it came, if there is one: of two answers
// with one link only the first counts, and one that is not taken leaves the link as it was.
func (s *Server) withLink(ctx context.Context, text, ticket string, answer func() error) error {
	if text == "" {
		return answer()
	}
	return s.Links.UseFor(ctx, text, ticket, answer)
}

// errUsedLink: somebody has answered with a link to the call already.
var errUsedLink = goneLink("an answer was given with this link already (look at the call in the inbox)")

// denyWithLink gives a no, and uses up the link with which it came. Where somebody has used that
// before it is given without: a no never fails because somebody else was faster with a yes.
func (s *Server) denyWithLink(ctx context.Context, text, ticket, digest string, no func() error) error {
	err := s.checkLink(ctx, text, ticket, digest)
	if err == nil {
		err = s.withLink(ctx, text, ticket, no)
		if linkFault(err) == nil {
			return err
		}
		return no() // it was used since it was looked at
	}
	if errors.Is(err, errUsedLink) {
		return no()
	}
	return err
}

func noLinks() *Fault {
	return goneLink("this link is none of this server (look for the call in the inbox)")
}

func goneLink(message string) *Fault {
	return &Fault{Status: http.StatusGone, Code: Gone, Message: message}
}

// linkFault is an error of a link as it is told; nil when it is another one.
func linkFault(err error) *Fault {
	if e, ok := errors.AsType[*link.Gone](err); ok {
		return goneLink(e.Error())
	}
	return nil
}
