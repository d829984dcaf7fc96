package inbox

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people/voice"
)

// Who somebody is was found out before his request was read, and he may have been slow: he may
// have been disabled since, or demoted, or be no deputy any more. So the gate's look is only the
// first one. The second is when all of the request is there, and the third, for answers, is in
// the change itself.

// attended is the body of a request, at whose end its sender is looked at once more.
type attended struct {
	io.ReadCloser
	again func() *Fault
}

func (b *attended) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if f := b.again(); f != nil {
			return n, f
		}
	}
	return n, err
}

// attend lets nobody go on with a request who may not send it any more when its body has come.
func (s *Server) attend(r *http.Request, who access) {
	v := visitorIn(r.Context())
	if !v.signedIn() || r.Body == nil {
		return
	}
	r.Body = &attended{r.Body, func() *Fault {
		now, f := s.meet(r)
		if f != nil {
			return f
		}
		*v = *now
		return who.refuses(v)
	}}
}

// still asks people who may answer at the moment of an answer; nil where there are none. A
// program has no vote, and answers as long as its person may and its token is not revoked. Whoever wanted the call is the
// account that may not answer, as [barred] says it; empty where that does not matter.
func (s *Server) still(account string) approval.Still {
	if s.People == nil {
		return nil
	}
	return voice.Counts(s.People)(account)
}

// counting are the votes of those who may still answer, each of them once.
func (s *Server) counting(ctx context.Context, votes []approval.Vote, account string) ([]approval.Vote, error) {
	still := s.still(account)
	if still == nil {
		return votes, nil
	}
	var counted []approval.Vote
	for _, vote := range votes {
		err := still(ctx, s.Tickets.Database().Reads(), vote, vote.With(counted)...)
		if _, lapsed := errors.AsType[*approval.Lapsed](err); lapsed {
			continue
		}
		if err != nil {
			return nil, err
		}
		counted = append(counted, vote)
	}
	return counted, nil
}
