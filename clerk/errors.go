package clerk

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// Kind is what an error means for whoever has asked.
type Kind uint8

// The kinds of errors.
const (
	Broken    Kind = iota // something does not work: a disk, a settings file
	Refused               // the answer is no: somebody was faster, the time is over, a rule denies it
	NotFound              // there is no such session or ticket
	Ambiguous             // an ID means several
	Invalid               // what was said does not fit the call
)

// KindOf says what an error means, also one of the tickets and sessions.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	_, unanswered := errors.AsType[*Unanswered](err)
	_, noReason := errors.AsType[*approval.NoReason](err)
	_, noComment := errors.AsType[*approval.BadComment](err)
	if unanswered || noReason || noComment {
		return Invalid
	}
	_, moved := errors.AsType[*approval.WrongState](err)
	_, changed := errors.AsType[*approval.Changed](err)
	_, inUse := errors.AsType[*session.InUse](err)
	_, elsewhere := errors.AsType[*session.Elsewhere](err)
	_, kept := errors.AsType[*Kept](err)
	_, unsigned := errors.AsType[*approval.Unsigned](err)
	_, own := errors.AsType[*approval.OwnRequest](err)
	_, noVote := errors.AsType[*approval.NoVote](err)
	if moved || changed || inUse || elsewhere || kept || unsigned || own || noVote || errors.Is(err, session.ErrExists) {
		return Refused
	}
	return Broken
}

// Subject is the part of what a person has said that an error is about.
type Subject uint8

// The subjects of errors.
const (
	NoSubject Subject = iota
	TheInput          // [Yes.Input]
	TheAnswer         // one of [Yes.Answers]
)

var subjects = [...]string{NoSubject: "", TheInput: "the input", TheAnswer: "the answer"}

func (s Subject) String() string { return subjects[s] }

// Way is what a person can do about an error.
type Way uint8

// The ways out.
const (
	NoWay       Way = iota
	SeeList         // look at the list of what there is
	SeeSession      // look at the session
	SeeCall         // look at the call
	SeeRules        // look at the rules
	DenyIt          // deny it, and let the model make the call again
	FindOut         // find out whether it ran, and say so
	SayRan          // say that it ran
	GoOn            // let the session go on
	ChangeInput     // change the input instead
	MoveSession     // make the directory, or bind the session to another one
	ForceIt         // remove it all the same
	Forget          // forget what is left of a session that is gone
	ForgetOrNew     // the same, or start a new session
	AnswerHere      // answer without the database, or let the session come there first
)

var ways = [...]string{
	NoWay: "", SeeList: "look at the list", SeeSession: "look at the session", SeeCall: "look at the call", SeeRules: "look at the rules",
	DenyIt: "deny it, and let the model make the call again", FindOut: "find out, and say whether it ran", SayRan: "say that it ran",
	GoOn: "let the session go on", ChangeInput: "change the input instead",
	MoveSession: "make it, or bind the session to another one", ForceIt: "it can be removed all the same",
	Forget: "forget it", ForgetOrNew: "start a new session, or forget what is left of the one that was here",
	AnswerHere: "answer without the database, or let the session come there first: hooks and rules judge its calls anew then",
}

func (w Way) String() string { return ways[w] }

// Error is why something was not done, and what a person can do about it.
type Error struct {
	Kind Kind
	// Subject begins the sentence, if there is one, and Said is the rest of it.
	Subject Subject
	Said    string
	Way     Way
	// ID is what the way out is about: a session, or the name of a call.
	ID string
	// Err is what has led to it; nil when nothing has. The sentence says it already.
	Err error
}

func (e *Error) Error() string {
	text := e.Subject.String() + e.Said
	if e.Way != NoWay {
		text += " (" + e.Way.String() + ")"
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Unanswered is a plain yes to questions.
type Unanswered struct {
	// Questions are numbered lines for whoever is to answer.
	Questions []string
}

func (e *Unanswered) Error() string {
	return "questions need answers, and a plain yes is none: answer each of " + strings.Join(e.Questions, "; ")
}
