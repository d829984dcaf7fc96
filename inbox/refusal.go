package inbox

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// ticketID is how the name of a ticket looks.
var ticketID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]{12}$`) })

// ticketOf is the ticket that a request is about, if its name can be one.
func ticketOf(r *http.Request) (string, error) {
	if id := r.PathValue("id"); ticketID().MatchString(id) {
		return id, nil
	}
	return "", nothing()
}

// faultOf is an error as it is told. What is told is a sentence for the person who has
// asked, who has the token and may see the call.
func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if _, none := errors.AsType[*approval.NoTicket](err); none || errors.Is(err, session.ErrUnknown) || errors.Is(err, session.ErrBadID) {
		return nothing()
	}
	if f := termsFault(err); f != nil {
		return f
	}
	if moved, ok := errors.AsType[*approval.WrongState](err); ok {
		return outdated(moved)
	}
	if _, ok := errors.AsType[*approval.Changed](err); ok {
		return conflict(Changed, err)
	}
	if moved, ok := errors.AsType[*clerk.Moved](err); ok {
		return movedFault(moved)
	}
	if _, ok := errors.AsType[*session.InUse](err); ok {
		return conflict(Busy, err)
	}
	if f := peopleFault(err); f != nil {
		return f
	}
	if f := linkFault(err); f != nil {
		return f
	}
	switch clerk.KindOf(err) {
	case clerk.NotFound, clerk.Ambiguous:
		return nothing()
	case clerk.Invalid:
		return invalid("%s", policy.WellFormed(err.Error()))
	case clerk.Refused:
		return refused(err)
	case clerk.Broken:
	}
	return broken(err)
}

// refused is what the clerk would not do.
func refused(err error) *Fault {
	e, ok := errors.AsType[*clerk.Error](err)
	if !ok {
		return conflict(Busy, err)
	}
	switch e.Way {
	case clerk.SeeCall, clerk.DenyIt, clerk.FindOut, clerk.SayRan, clerk.SeeSession:
		return conflict(Changed, err)
	case clerk.GoOn:
		return conflict(Expired, err)
	case clerk.SeeRules:
		return &Fault{Status: http.StatusForbidden, Code: Denied, Message: policy.WellFormed(err.Error())}
	case clerk.NoWay, clerk.SeeList, clerk.ChangeInput, clerk.MoveSession, clerk.ForceIt, clerk.Forget, clerk.ForgetOrNew, clerk.AnswerHere:
	}
	return conflict(Changed, err)
}

func conflict(code Code, err error) *Fault {
	return &Fault{Status: http.StatusConflict, Code: code, Message: policy.WellFormed(err.Error())}
}

// movedView is where a call leads now, and where it led when it was shown or parked.
type movedView struct {
	Places []string `json:"places"`
	Shown  []string `json:"shown"`
}

// movedFault is an answer to a call that leads to other files than the person was shown.
func movedFault(moved *clerk.Moved) *Fault {
	f := conflict(Changed, fmt.Errorf("%w: look at the call again", moved))
	f.Details = movedView{legiblePlaces(moved.Now), legiblePlaces(moved.Shown)}
	return f
}

// legiblePlaces is a list of files; none is an empty list.
func legiblePlaces(places []string) []string { return append([]string{}, places...) }

// answeredView is what somebody else has said first.
type answeredView struct {
	State  string    `json:"state"`
	Answer *decision `json:"answer,omitempty"`
}

// outdated is an answer to a call that does not wait for one any more. Its details are the
// first answer.
func outdated(e *approval.WrongState) *Fault {
	f := conflict(Answered, e)
	f.Details = answeredView{string(e.State), decisionOf(e.Answer)}
	switch e.State {
	case approval.Expired:
		f.Code = Expired
	case approval.Pending, approval.Unknown:
		f.Code = Changed
	case approval.Approved, approval.Denied, approval.Cancelled, approval.Running, approval.Done, approval.Failed, approval.Handed, approval.Refused:
	}
	return f
}

// deniedBy names the rule that denies a call.
func deniedBy(j judged) *Fault {
	reply := j.judgement.Reply()
	where := ""
	if reply.RuleSource != nil {
		ref := policy.RuleRef{Source: reply.RuleSource.Source, File: reply.RuleSource.File, Line: reply.RuleSource.Line}
		where = " (" + ref.Place() + ")"
	}
	return &Fault{Status: http.StatusForbidden, Code: Denied, Message: "the rule " + reply.Rule + where + " denies it, and nobody can approve it as long as the rule stands"}
}
