package approval

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/internal/database"
)

// Still says whether a person may answer at the moment at which it is asked, with the
// transaction in which the answer counts: nothing else may be asked there. beside are votes of
// others with which his counts: none of them may be his own, whatever he is called there. The error
// is a [*Lapsed] when he may not. Any other one means that nobody can say, and ends the answer.
type Still func(ctx context.Context, q database.Querier, v Vote, beside ...Vote) error

// Lapsed: somebody may not answer any more. His own answer is refused, and a vote that he has
// given before counts for nothing.
type Lapsed struct {
	Voter string
	// Err says why.
	Err error
}

func (e *Lapsed) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *Lapsed) Unwrap() error { return e.Err }

// may refuses an answer of somebody who may not give it any more, or not beside those of others.
func (a *Answer) may(ctx context.Context, q database.Querier, beside ...Vote) error {
	if a.Still == nil {
		return nil
	}
	return a.Still(ctx, q, a.Vote(), beside...)
}

// Vote is the answer as one of several.
func (a *Answer) Vote() Vote {
	return Vote{Voter: a.Voter, By: a.By, Moment: a.Moment, At: a.At, Digest: a.Digest, Places: a.Places, Risk: a.Risk, Message: a.Message, Change: a.Change.Seen()}
}

// lapsed: a vote is that of somebody who may not answer any more, or not beside those of others.
func (a *Answer) lapsed(ctx context.Context, q database.Querier, v Vote, beside ...Vote) (bool, error) {
	if a.Still == nil {
		return false, nil
	}
	err := a.Still(ctx, q, v, beside...)
	if _, lapsed := errors.AsType[*Lapsed](err); lapsed {
		return true, nil
	}
	return false, err
}
