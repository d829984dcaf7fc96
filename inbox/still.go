package inbox

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/policy"
)

// Who somebody is was found out before his request was read, and he may have been slow: he may
// have been disabled since, or demoted, or be no deputy any more. So the gate's look is only the
// first one. The second is when all of the request is there, and the third is in the change itself:
// for all of them whether his sign-in still counts, and for answers whether he may give them.

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
// program has no vote, and answers as long as its person may and its token is not revoked. The accounts are
// those that wanted the call and may not answer, as [barred] says it; empty where that does not matter.
func (s *Server) still(accounts string) approval.Still {
	if s.People == nil {
		return nil
	}
	return voice.Counts(s.People)(accounts)
}

// looks is how somebody finds out which votes count who only looks; nil where there are no people.
func (s *Server) looks() approval.StillFor {
	if s.People == nil {
		return nil
	}
	return voice.Looks(s.People)
}

// counting are the votes of those who may still answer, each of them once.
func (s *Server) counting(ctx context.Context, votes []approval.Vote, stillFor approval.StillFor, accounts string) ([]approval.Vote, error) {
	if stillFor == nil {
		return votes, nil
	}
	still := stillFor(accounts)
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

// notBeside is why the yes of whoever asks would not count beside those of others to the same, in
// the words that it would get; empty when it would.
func (s *Server) notBeside(ctx context.Context, by, digest string, places []string, change string, votes []approval.Vote) (string, error) {
	v := visitorIn(ctx)
	own := approval.Vote{Voter: v.voter(), By: by, Moment: v.in.Moment, At: time.Now(), Digest: digest, Places: places, Change: change}
	his := func(vote approval.Vote) bool { return account.Alike(vote.Voter, own.Voter) } // which counts once, with this one
	others := slices.DeleteFunc(own.With(votes), his)
	if s.People == nil || len(others) == 0 {
		return "", nil
	}
	err := voice.Counts(s.People)("")(ctx, s.Tickets.Database().Reads(), own, others...)
	if lapsed, ok := errors.AsType[*approval.Lapsed](err); ok {
		return policy.WellFormed(lapsed.Error()), nil
	}
	return "", err
}
