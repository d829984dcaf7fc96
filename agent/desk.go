package agent

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
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
	// Policy stands for the rules by which it was judged.
	Policy string
	// Since is when it was parked, Until the end of the time in which somebody may answer;
	// zero means that there is none. Outcome holds then.
	Since, Until time.Time
	Outcome      permission.Behavior
	// Risk is how much harm it could do, Kin what sort of call it is.
	Risk permission.Risk
	Kin  string
	// Places are the files that it led to when it was parked, with all links followed.
	Places []string
	// Requester is who wanted the call: everybody who has spoken in its session, as account.Join
	// writes them; empty when nobody knows. Terms are what has to be so before a person's yes
	// counts.
	Requester string
	Terms     permission.Terms
	// Forks are the sessions of which its session is a fork, and has the call, the nearest first: what
	// a person has denied there is denied here as well.
	Forks []string
	// New: it is parked at this moment. Of one that was parked before nobody knows what was
	// said about it elsewhere, so the end of its time does not let it run.
	New bool
}

// Terms are what holds for calls that are parked.
type Terms struct {
	// Policy stands for the rules by which they were judged.
	Policy string
	// Lasts is how long somebody may answer; zero means for ever. Outcome holds then: Deny,
	// or Allow.
	Lasts   time.Duration
	Outcome permission.Behavior
	// Approvals is what has to be so before a person's yes to a call of a risk counts, and how
	// long such a call waits at most, zero for no limit; nil means that any yes does. A call
	// whose time is over by that is denied.
	Approvals func(permission.Risk) (terms permission.Terms, expires time.Duration)
}

// approvals is what a yes to a call of a risk needs.
func (t Terms) approvals(risk permission.Risk) (permission.Terms, time.Duration) {
	if t.Approvals == nil {
		return permission.Terms{}, 0
	}
	return t.Approvals(risk)
}

// end is how long a call waits, zero for ever, and what holds then. Where settings say what a
// yes needs, time that passes gives none.
func (t Terms) end(needs permission.Terms, expires time.Duration) (lasts time.Duration, outcome permission.Behavior) {
	lasts, outcome = t.Lasts, permission.Deny
	if t.Outcome == permission.Allow && !needs.Personal() && !needs.Reason {
		outcome = permission.Allow
	}
	if expires > 0 && (lasts == 0 || expires <= lasts) {
		lasts, outcome = expires, permission.Deny
	}
	return lasts, outcome
}

// Desk is where parked calls lie for people to answer. Without one, hooks and rules
// answer alone. It is safe for concurrent use.
type Desk interface {
	// Park puts a call on the desk. One that lies there already stays as it is, whatever
	// has been said about it.
	Park(ctx context.Context, c ParkedCall) error
	// Look is what has been said about a call.
	Look(ctx context.Context, c ParkedCall) (Word, error)
	// Claim makes a call the caller's to run, which nobody else can do then; runs is the
	// input with which it will run, and seen the word after which that was decided. The
	// error is why it must not run: [ErrAnswered] if another word holds by now.
	Claim(ctx context.Context, c ParkedCall, runs strictjson.Raw, seen Word) (Claim, error)
	// Refuse tells that the call is not run. seen is the word after which that was decided:
	// if another one holds by now the error is [ErrAnswered], and nothing is changed.
	Refuse(ctx context.Context, c ParkedCall, seen Word, why string) error
	// Cancel tells that the session goes on without calls, because nobody has answered. It
	// is [ErrAnswered] if somebody has answered one of them by now; nothing is changed then.
	Cancel(ctx context.Context, calls []ParkedCall, why string) error
	// Settle tells what became of a call whose result is on record, where whoever wrote that
	// down may have died before it could tell.
	Settle(ctx context.Context, c ParkedCall, fate Fate) error
}

// Recaller is a desk that also says which calls of a session were ever put on it: a session that
// is taken up must have all of them on record.
type Recaller interface {
	Recall(ctx context.Context, id string) ([]session.Ticketed, error)
}

// Fate is what became of a parked call.
type Fate uint8

// The fates of calls.
const (
	NotRun   Fate = iota // it was refused, or left out
	RanWell              // it ran
	RanBadly             // it ran, and failed
)

var fates = [...]string{NotRun: "not run", RanWell: "ran well", RanBadly: "ran badly"}

func (f Fate) String() string { return fates[f] }

// ErrAnswered: something has been said about a call since somebody looked at it.
var ErrAnswered = errors.New("somebody has answered meanwhile")

// Claim is a call that somebody runs.
type Claim interface {
	// Finish tells how it ended.
	Finish(ctx context.Context, ok bool) error
	// Release gives it back, because nothing of it was done: what was said about it before still
	// holds.
	Release(ctx context.Context) error
}

// Word is what somebody has said about a parked call.
type Word struct {
	Kind WordKind
	// By says who; empty when nobody has answered in time. Of a call that has ended it is who
	// had approved it.
	By string
	// Input runs in place of the parked one; nil means that one.
	Input   strictjson.Raw
	Message string
	// Places are the files that a yes is for, with all links followed as they were then; none
	// for a call about none.
	Places []string
	// Risk is the one that whoever said yes was shown; zero means that nobody knows.
	Risk permission.Risk
	// Unheard is why nobody can say whether the call was denied elsewhere, so that only an answer at
	// the desk lets it run; empty when somebody can.
	Unheard string
	// Ticket is the name by which people answer the call, and Said what stands there: the
	// desk knows by it whether something was said since. Both are empty without a ticket.
	Ticket, Said string
}

// WordKind is the kind of a word.
type WordKind uint8

// The kinds of words.
const (
	NoWord WordKind = iota // nobody has said anything
	// Yes is that of a person.
	Yes
	No
	// Lapsed: nobody has answered in time, and settings let the call run then. It stands in
	// for the hook that wanted to wait, and for no person.
	Lapsed
	// OutcomeUnknown: somebody has run it, and nobody knows how that ended.
	OutcomeUnknown
	// Ended: it was refused, or the session went on without it, and the process that did so
	// died before the session knew. It does not run any more; the message says why.
	Ended
)

// resolution is the word of a person as the outcome of a race that had one participant.
func (w Word) resolution() permission.Resolution {
	if w.Kind == Ended {
		r := permission.Resolution{Answer: permission.Answer{Behavior: permission.Deny, Message: w.Message}}
		if w.By != "" {
			r.Losers = []permission.Loser{{Name: w.By, Trust: permission.TrustPerson, Answer: permission.Answer{Behavior: permission.Allow}}}
		}
		return r
	}
	answer := permission.Answer{Behavior: permission.Deny, Message: w.Message}
	if w.Kind == Yes {
		answer = permission.Answer{Behavior: permission.Allow, Message: w.Message, UpdatedInput: w.Input, Answered: true}
	}
	return permission.Resolution{Answer: answer, Winner: w.By, Trust: permission.TrustPerson}
}
