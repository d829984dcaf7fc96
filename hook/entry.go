package hook

import (
	"context"
	"time"

	"github.com/assent-dev/assent/rule"
)

// Entry is one configured hook.
type Entry struct {
	Event   Event
	Matcher Matcher
	Handler Handler
	// If is a rule that the call must match as well; nil means any call. See
	// [Condition] for what the hook can allow then.
	If *Condition
	// Timeout is how long it may take; zero means [DefaultTimeout].
	Timeout time.Duration
	// Async: it runs in the background and decides nothing.
	Async bool
	// Once: it runs until it has worked once in a session. At PreToolUse a run that
	// broke does not count, since nobody has heard what the hook thinks, nor does one
	// that denied, asked or deferred: whoever repeats the call meets it again. A call
	// that comes while the hook runs for another one waits for the outcome.
	Once bool
	// OnFailure is what a failure means.
	OnFailure OnFailure
	// RestrictOnly: its matcher cannot be understood, or stands where or as none
	// does, so it runs for every call, and only its deny, ask or defer counts. A
	// [Runner] sets it where the matcher is broken.
	RestrictOnly bool
	// Origin is where it was configured; zero for hooks of a Go program or a host.
	Origin rule.Origin
	// Defect is why the entry cannot work as it was written; "" when it can. The
	// hook counts as broken whenever it would have run.
	Defect string
}

// OnFailure is what happens when a hook does not work.
type OnFailure uint8

// The answers to a failure.
const (
	// AsEvent: closed at PreToolUse, open at all other events.
	AsEvent OnFailure = iota
	// FailOpen: the call goes on ("onFailure": "allow").
	FailOpen
	// FailClosed: "onFailure": "block", also at events that would go on.
	FailClosed
)

// closed reports whether a failure of the entry holds something up.
func (e *Entry) closed() bool {
	switch e.OnFailure {
	case FailOpen:
		return false
	case FailClosed:
		return true
	case AsEvent:
	}
	return e.Event.failsClosed()
}

func (e *Entry) timeout() time.Duration {
	if e.Timeout > 0 {
		return e.Timeout
	}
	return DefaultTimeout
}

// identity asks a handler for its name and key. It is not our code, so it may panic;
// fault says so.
func identity(h Handler) (name, key, fault string) {
	defer func() {
		if p := recover(); p != nil {
			name, key, fault = orElse(name, unusable{}.Name()), "", panicText(p)
		}
	}()
	if h == nil {
		return unusable{}.Name(), "", "it has no handler"
	}
	name = h.Name()
	return name, h.Key(), ""
}

// unusable stands in for a handler that could not be made.
type unusable struct{}

func (unusable) Name() string { return "unreadable hook" }
func (unusable) Key() string  { return "" }
func (unusable) Handle(context.Context, Invocation) Reply {
	return Reply{Failure: &Failure{Kind: CannotStart, Text: "it cannot be read"}}
}
