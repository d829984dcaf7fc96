package permission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Trust says how far an answer is trusted. It is on record, and decides when two
// participants claim in the same instant.
type Trust uint8

// The degrees of trust, least first.
const (
	TrustClassifier Trust = iota + 1
	TrustPerson
	TrustHook
)

func (t Trust) String() string {
	switch t {
	case TrustClassifier:
		return "classifier"
	case TrustPerson:
		return "person"
	case TrustHook:
		return "hook"
	}
	return "none"
}

// Limits of stage 4.
const (
	// ClassifierLimit is how long a classifier may take.
	ClassifierLimit = 2 * time.Second
	// HeadStart is how long a person is spared a question that a classifier may
	// answer.
	HeadStart = 150 * time.Millisecond
	// sameInstant is how close two answers must be for trust to decide.
	sameInstant = time.Millisecond
)

// Question is what is put to the participants of stage 4.
type Question struct {
	Call     *Call
	Decision Decision // why it is asked
}

// Answer is what one of them says.
type Answer struct {
	Behavior     Behavior // Allow or Deny; anything else is no answer
	Message      string
	UpdatedInput []byte   // nil: unchanged
	Updates      []Update // "always allow"
	Interrupt    bool     // deny, and stop the agent
	// Answered: the answer holds what a person was asked for (AskUserQuestion), so
	// a hook may give it. It is for hooks; the answer of a person need not say so.
	Answered bool
}

// Candidate is a participant of the race. Ask returns when it has an answer or
// the context ends; an error, or an answer that is neither allow nor deny, is no
// answer and never lets a call through.
type Candidate struct {
	Name  string
	Trust Trust
	Ask   func(ctx context.Context, q Question) (Answer, error)
}

// Resolution is how a race ended.
type Resolution struct {
	Answer Answer
	Winner string // "" when nobody answered
	Trust  Trust
	Losers []Loser
}

// Loser is a participant that did not win, and what it said.
type Loser struct {
	Name   string
	Trust  Trust
	Answer Answer // zero when it gave none
	Err    error  // why it gave none; ErrCancelled when the winner was faster
}

// Errors on the record of a race.
var (
	ErrCancelled  = errors.New("cancelled: somebody else answered first")
	ErrNoAnswer   = errors.New("no answer")
	ErrMayNot     = errors.New("may not allow this: it needs a person")
	ErrNobody     = errors.New("nobody to ask")
	errClassifier = errors.New("the classifier did not answer in time")
)

// Resolver is stage 4: whoever may answer a question. The zero value has nobody.
type Resolver struct{ Candidates []Candidate }

// Resolve lets the candidates race: the first valid answer wins, the others are
// cancelled. If nobody answers, the answer is a denial that says so.
func (r Resolver) Resolve(ctx context.Context, q Question) Resolution {
	return resolve(ctx, q, r.Candidates)
}

func resolve(ctx context.Context, q Question, candidates []Candidate) Resolution {
	r := race{question: q, once: new(ResolveOnce), said: make(chan statement, len(candidates)), spared: make(chan struct{})}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running := r.start(ctx, candidates)
	return r.wait(ctx, candidates, running)
}

// statement is what a candidate says. claimed: its answer is the first that counts.
type statement struct {
	index   int
	answer  Answer
	err     error
	claimed bool
}

// race is one question put to all candidates. Whoever has an answer that counts claims
// the ticket; so does the end of the race. Only one of them gets it, so an answer is
// either the one that decides or known to have come too late.
type race struct {
	question    Question
	once        *ResolveOnce
	said        chan statement
	classifiers atomic.Int32  // that may still answer
	spared      chan struct{} // closed when all of them are out of the way
}

// start sets the candidates off and returns how many run. A classifier takes part
// only where the decision lets it.
func (r *race) start(ctx context.Context, candidates []Candidate) int {
	running := 0
	judged := r.question.Decision.Classify && !r.question.Decision.NeedsPerson
	for _, c := range candidates {
		if c.Trust == TrustClassifier && judged {
			r.classifiers.Add(1)
		}
	}
	spares := r.classifiers.Load() > 0
	for i, c := range candidates {
		switch {
		case c.Trust == TrustClassifier && !judged:
			continue
		case c.Trust == TrustClassifier:
			go r.classify(ctx, i, c)
		case c.Trust == TrustPerson && spares:
			go r.askLater(ctx, i, c)
		default:
			go r.ask(ctx, i, c)
		}
		running++
	}
	return running
}

func (r *race) ask(ctx context.Context, i int, c Candidate) {
	answer, err := r.put(ctx, c)
	r.say(i, answer, r.valid(c, answer, err))
}

// put asks a candidate. One that breaks has given no answer, and takes nobody along.
func (r *race) put(ctx context.Context, c Candidate) (answer Answer, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			answer, err = Answer{}, fmt.Errorf("%s broke: %v", c.Name, fault)
		}
	}()
	return c.Ask(ctx, r.question)
}

// say passes on what a candidate has said. There is room for everybody, so that nobody
// waits for being heard.
func (r *race) say(i int, answer Answer, err error) {
	r.said <- statement{index: i, answer: answer, err: err, claimed: err == nil && r.once.Claim()}
}

func (r *race) classify(ctx context.Context, i int, c Candidate) {
	limited, cancel := context.WithTimeoutCause(ctx, ClassifierLimit, errClassifier)
	defer cancel()
	answer, err := r.put(limited, c)
	if limited.Err() != nil && ctx.Err() == nil {
		err = context.Cause(limited)
	}
	err = r.valid(c, answer, err)
	r.say(i, answer, err)
	if err != nil && r.classifiers.Add(-1) == 0 {
		close(r.spared)
	}
}

// askLater gives the classifiers their head start before a person is disturbed.
func (r *race) askLater(ctx context.Context, i int, c Candidate) {
	wait := time.NewTimer(HeadStart)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.spared:
	case <-ctx.Done():
		r.say(i, Answer{}, ctx.Err())
		return
	}
	r.ask(ctx, i, c)
}

// valid says why an answer does not count, if it does not.
func (r *race) valid(c Candidate, answer Answer, err error) error {
	switch {
	case err != nil:
		return err
	case c.Trust == 0:
		return ErrNoAnswer // nobody knows who this is
	case answer.Behavior != Allow && answer.Behavior != Deny:
		return ErrNoAnswer
	case answer.Behavior == Allow && r.question.Decision.NeedsPerson && c.Trust != TrustPerson:
		if r.question.Call != nil && r.question.Call.Kind == Person && answer.Answered {
			return nil
		}
		return ErrMayNot
	}
	return nil
}

// wait takes the answer that has claimed the ticket; of those that arrive in the same
// instant the most trusted one.
func (r *race) wait(ctx context.Context, candidates []Candidate, running int) Resolution {
	var heard []statement
	ended := ctx.Done()
	for ; running > 0; running-- {
		select {
		case s := <-r.said:
			heard = append(heard, s)
			if s.claimed {
				return r.decided(candidates, heard)
			}
		case <-ended:
			if r.once.Claim() {
				return nobody(candidates, heard, context.Cause(ctx))
			}
			ended = nil // somebody has answered and is about to say so
			running++
		}
	}
	return nobody(candidates, heard, ErrNobody)
}

func (r *race) decided(candidates []Candidate, heard []statement) Resolution {
	heard = r.listen(candidates, heard)
	valid := slices.DeleteFunc(slices.Clone(heard), func(s statement) bool { return s.err != nil })
	best := slices.MaxFunc(valid, func(a, b statement) int { return cmp.Compare(rank(candidates, a), rank(candidates, b)) })
	won := candidates[best.index]
	return Resolution{Answer: best.answer, Winner: won.Name, Trust: won.Trust, Losers: losers(candidates, heard, best.index)}
}

// listen takes what is said in the same instant, if somebody more trusted may
// still speak.
func (r *race) listen(candidates []Candidate, heard []statement) []statement {
	instant := time.NewTimer(sameInstant)
	defer instant.Stop()
	for outranked(candidates, heard) {
		select {
		case s := <-r.said:
			heard = append(heard, s)
		case <-instant.C:
			return heard
		}
	}
	return heard
}

// outranked: a candidate that has not spoken is trusted more than all who have.
func outranked(candidates []Candidate, heard []statement) bool {
	var best Trust
	for _, s := range heard {
		best = max(best, rank(candidates, s))
	}
	for i, c := range candidates {
		spoken := slices.ContainsFunc(heard, func(s statement) bool { return s.index == i })
		if !spoken && c.Trust > best {
			return true
		}
	}
	return false
}

func rank(candidates []Candidate, s statement) Trust {
	if s.err != nil {
		return 0
	}
	return candidates[s.index].Trust
}

func nobody(candidates []Candidate, heard []statement, why error) Resolution {
	return Resolution{
		Answer: Answer{Behavior: Deny, Message: why.Error()},
		Losers: losers(candidates, heard, -1),
	}
}

func losers(candidates []Candidate, heard []statement, winner int) []Loser {
	var out []Loser
	for i, c := range candidates {
		if i == winner {
			continue
		}
		loser := Loser{Name: c.Name, Trust: c.Trust, Err: ErrCancelled}
		for _, s := range heard {
			if s.index == i {
				loser.Answer, loser.Err = s.answer, s.err
			}
		}
		out = append(out, loser)
	}
	return out
}
