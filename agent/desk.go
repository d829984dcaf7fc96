package agent

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Parking says which calls may be parked: kept until somebody has answered, while the
// process ends.
type Parking uint8

// The ways of parking. The zero value is for a session with a person at hand.
const (
	// NoParking: a hook that wants to defer a call gets a question instead.
	NoParking Parking = iota
	// ParkAlone: a call that is alone in its turn.
	ParkAlone
	// ParkBatch: every call that asks for it; the others of its turn are run.
	ParkBatch
)

// ParkedCall is a call that waits for an answer.
type ParkedCall struct {
	Session, ToolUseID string
	Tool               string
	Input              strictjson.Raw // the model's
	Cwd                string
	// Why is the reason that a person reads.
	Why string
	Terms
}

// Terms are what holds for calls that are parked.
type Terms struct {
	// Policy stands for the rules by which they were judged.
	Policy string
	// Lasts is how long somebody may answer; zero means for ever. Outcome holds then: Deny,
	// or Allow.
	Lasts   time.Duration
	Outcome permission.Behavior
}

// Desk is where parked calls lie for people to answer. Without one, hooks and rules
// answer alone. It is safe for concurrent use.
type Desk interface {
	// Park puts a call on the desk. One that lies there already stays as it is.
	Park(ctx context.Context, c ParkedCall) error
	// Look is what has been said about a call.
	Look(ctx context.Context, c ParkedCall) (Word, error)
	// Claim makes a call the caller's to run, which nobody else can do then. The error
	// is why it must not run.
	Claim(ctx context.Context, c ParkedCall) (Claim, error)
	// Refuse tells that the call was not run, and the model knows.
	Refuse(ctx context.Context, c ParkedCall, why string) error
	// Cancel tells that the session goes on without the call.
	Cancel(ctx context.Context, c ParkedCall, why string) error
	// Settle tells that the outcome of a call is on record, where whoever wrote it down
	// may have died before it could tell. ok is how it ended, if it ran.
	Settle(ctx context.Context, c ParkedCall, ok bool) error
}

// Claim is a call that somebody runs.
type Claim interface {
	// Finish tells how it ended.
	Finish(ctx context.Context, ok bool) error
}

// Word is what somebody has said about a parked call.
type Word struct {
	Kind WordKind
	// By says who.
	By string
	// Input runs in place of the parked one; nil means that one.
	Input   strictjson.Raw
	Message string
}

// WordKind is the kind of a word.
type WordKind uint8

// The kinds of words.
const (
	NoWord WordKind = iota // nobody has said anything
	Yes
	No
	// OutcomeUnknown: somebody has run it, and nobody knows how that ended.
	OutcomeUnknown
)

// answer is the word as an answer to a question.
func (w Word) answer() permission.Answer {
	if w.Kind != Yes {
		return permission.Answer{Behavior: permission.Deny, Message: w.Message}
	}
	return permission.Answer{Behavior: permission.Allow, Message: w.Message, UpdatedInput: w.Input, Answered: true}
}

// resolution is the word as the outcome of a race that had one participant.
func (w Word) resolution() permission.Resolution {
	return permission.Resolution{Answer: w.answer(), Winner: w.By, Trust: permission.TrustPerson}
}
