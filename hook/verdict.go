package hook

import (
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Verdict is what all hooks of one event said together.
type Verdict struct {
	// Permission is the answer of PreToolUse hooks, for the pipeline.
	Permission permission.Verdict
	// Denials are all reasons to deny, in the order of the configuration. That of a
	// hook that did not work starts with "hook broken".
	Denials []string
	// Input is the tool's input after all changes; nil when nothing changed it.
	Input strictjson.Raw
	// Changes say which hook changed what in the input.
	Changes []Change
	// Announce: the model shall be told that the input was changed.
	Announce bool
	// Withheld are the changes that have no effect because another hook wants to defer the
	// call; nil when there are none.
	Withheld *Withheld
	// Context is text for the model, in the order of the configuration.
	Context []string
	// Messages are for the person: what hooks want to tell, and which did not work.
	Messages []string
	// Block is set when a hook objects where there is nothing to permit: a prompt, a
	// result, the end of a turn. Feedback holds its reasons.
	Block    bool
	Feedback []string
	// Halt: the session stops after this turn; HaltReason is why.
	Halt       bool
	HaltReason string
	// ToolOutput replaces what the model sees of a result; MCPToolOutput does for
	// the tools of MCP servers. At most one of them is set.
	ToolOutput, MCPToolOutput strictjson.Raw
	// Answer is that of PermissionRequest hooks; nil when none answered.
	Answer *permission.Answer
	// Gone: whoever was to answer for one of them is gone, so it is not known what the hook
	// would have said.
	Gone bool
	// Retry: the model may try again.
	Retry bool
	// Runs are the hooks that ran, in the order of the configuration.
	Runs []Run
}

// Withheld is what hooks would have made of a call that another one defers.
type Withheld struct {
	Input    strictjson.Raw
	Changes  []Change
	Announce bool
}

// Change is what one hook did to an input.
type Change struct {
	Hook string
	Keys []string // that it set or deleted, sorted
	// Before and After are digests of the whole input.
	Before, After string
}

// Run is the record of one hook at one event.
type Run struct {
	// ID is its number, which no other run of the same [Runner] has.
	ID      int
	Hook    string
	Origin  rule.Origin
	Event   Event
	Matcher string
	Started time.Time
	Took    time.Duration
	Outcome Outcome
	// Decision is what it said at PreToolUse or PermissionRequest; Pass for nothing.
	Decision permission.Behavior
	Reason   string
	Exit     *int
	Stdout   string
	Stderr   string
	// Answer is what a Go function said; nil for other hooks, which print it.
	Answer *Output
	// Changed are the keys of the input that it set or deleted.
	Changed []string
	// SuppressOutput: the hook asked that what it printed is not shown.
	SuppressOutput bool
	// Notes tell its author what was ignored, and why.
	Notes []string
}

// Outcome is how the run of a hook ended.
type Outcome uint8

// The outcomes.
const (
	Okay         Outcome = iota + 1 // it answered, or had no opinion
	Blocked                         // it denied or blocked
	Broken                          // it did not work
	OutOfTime                       // it did not answer in time
	InBackground                    // it goes on without anybody waiting
	Dropped                         // nobody needed its answer any more
)

// worked: the hook was heard.
func (o Outcome) worked() bool {
	switch o {
	case Okay, Blocked, InBackground:
		return true
	case Broken, OutOfTime, Dropped:
		return false
	}
	return false
}

var outcomeNames = [...]string{
	Okay: "ok", Blocked: "blocked", Broken: "broken", OutOfTime: "timed out", InBackground: "in the background", Dropped: "cancelled",
}

func (o Outcome) String() string {
	if int(o) < len(outcomeNames) && outcomeNames[o] != "" {
		return outcomeNames[o]
	}
	return "unknown"
}
