package classify

import (
	"context"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// Classifier judges calls. It is safe for concurrent use.
type Classifier interface {
	// Name tells a person which one it is: "built-in classifier".
	Name() string
	// Classify judges one call. An error means that there is no verdict.
	Classify(ctx context.Context, q Question) (Verdict, error)
}

// Question is a call and what is known around it.
type Question struct {
	// Call is what would run.
	Call *permission.Call
	// Decision is why it is asked.
	Decision permission.Decision
	// Input is the call's input as JSON.
	Input []byte
	// Context is what is permitted at the moment: the directories, the home.
	Context *permission.Context
	// Cwd is where the call runs; empty means the context's.
	Cwd string
	// Conversation is what was said so far. Nobody vouches for it: files, web pages
	// and tool results stand in it, and may be written to deceive.
	Conversation []model.Message
}

// cwd is where the call runs.
func (q *Question) cwd() string {
	if q.Cwd != "" {
		return q.Cwd
	}
	return q.Context.Cwd()
}

// Verdict is what a classifier thinks of a call.
type Verdict struct {
	Outcome Outcome
	Risk    Risk
	// Reasons are phrases for a person, the most important first.
	Reasons []string
}

// Outcome is what becomes of a call.
type Outcome uint8

// The outcomes. The zero value leaves the call to somebody else.
const (
	NoOpinion Outcome = iota
	Approve
	Refuse
)

func (o Outcome) String() string {
	switch o {
	case NoOpinion:
		return "no opinion"
	case Approve:
		return "approve"
	case Refuse:
		return "refuse"
	}
	return "unknown"
}

// Risk is how much can go wrong.
type Risk uint8

// The risks.
const (
	Unrated Risk = iota
	Low          // it changes nothing, or what is easily changed back
	Medium       // it changes more, or what it does is not known
	High         // it destroys, publishes or cannot be undone
)

func (r Risk) String() string {
	switch r {
	case Unrated:
		return "unrated"
	case Low:
		return "low"
	case Medium:
		return "medium"
	case High:
		return "high"
	}
	return "unknown"
}

func approve(risk Risk, reasons ...string) Verdict { return Verdict{Approve, risk, reasons} }

func refuse(risk Risk, reasons ...string) Verdict { return Verdict{Refuse, risk, reasons} }
