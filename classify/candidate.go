package classify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// ErrNoOpinion says that a classifier leaves a call to somebody else.
var ErrNoOpinion = errors.New("the classifier has no opinion")

var errLate = errors.New("the classifier did not answer in time")

// Candidate is a classifier as a participant of the race for an answer. An approval
// allows, a refusal denies with its reasons, anything else is no answer.
//
// q is what the question is about; its call and decision are those of the race. b
// counts the refusals, and may be nil. Once it is open the classifier is not asked
// any more, and already the refusal that opens it is left to the person: the error on
// record is then an [*OpenError], which says so.
func Candidate(c Classifier, q Question, b *Breaker) permission.Candidate {
	return permission.Candidate{
		Name: c.Name(), Trust: permission.TrustClassifier,
		Ask: func(ctx context.Context, asked permission.Question) (permission.Answer, error) {
			if asked.Decision.NeedsPerson || !asked.Decision.Classify {
				return permission.Answer{}, permission.ErrMayNot
			}
			if opening := b.Opening(); opening != Closed {
				return permission.Answer{}, &OpenError{Opening: opening, Counts: b.Counts()}
			}
			q := q
			q.Call, q.Decision = asked.Call, asked.Decision
			v, err := ask(ctx, c, q)
			if err != nil {
				return permission.Answer{}, err
			}
			return answer(c, v, b)
		},
	}
}

// answer is a verdict in the words of the race.
func answer(c Classifier, v Verdict, b *Breaker) (permission.Answer, error) {
	switch v.Outcome {
	case Approve:
		b.Approved()
		return permission.Answer{Behavior: permission.Allow, Message: sentence(c.Name()+" approves", v.Reasons)}, nil
	case Refuse:
		if opening := b.Refused(); opening != Closed {
			return permission.Answer{}, &OpenError{Opening: opening, Counts: b.Counts(), Reasons: v.Reasons}
		}
		return permission.Answer{Behavior: permission.Deny, Message: sentence(c.Name()+" refuses", v.Reasons)}, nil
	case NoOpinion:
		return permission.Answer{}, silence(v.Reasons)
	}
	return permission.Answer{}, fmt.Errorf("%w: outcome %d", ErrNoOpinion, v.Outcome)
}

// silence is ErrNoOpinion with the reasons for it.
func silence(reasons []string) error {
	if len(reasons) == 0 {
		return ErrNoOpinion
	}
	return fmt.Errorf("%w: %s", ErrNoOpinion, strings.Join(reasons, "; "))
}

func sentence(what string, reasons []string) string {
	if len(reasons) == 0 {
		return what
	}
	return what + ": " + strings.Join(reasons, "; ")
}

// ask gets a verdict in time. A classifier that does not heed the context is left
// behind: nobody waits for it, and what it says then counts for nothing.
func ask(ctx context.Context, c Classifier, q Question) (Verdict, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, permission.ClassifierLimit, errLate)
	defer cancel()
	if q.Input == nil && q.Call != nil {
		input, err := strictjson.Marshal(q.Call.Input)
		if err != nil {
			return Verdict{}, err
		}
		q.Input = input
	}
	type said struct {
		verdict Verdict
		err     error
	}
	done := make(chan said, 1)
	go func() {
		var s said
		defer func() {
			if r := recover(); r != nil {
				s = said{err: fmt.Errorf("%s broke: %v", c.Name(), r)}
			}
			done <- s
		}()
		s.verdict, s.err = c.Classify(ctx, q)
	}()
	select {
	case s := <-done:
		if ctx.Err() != nil {
			return Verdict{}, context.Cause(ctx) // too late, whatever it says
		}
		return s.verdict, s.err
	case <-ctx.Done():
		return Verdict{}, context.Cause(ctx)
	}
}
