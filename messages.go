package assent

import (
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/wire"
)

// Message is something that happens in a session: a pointer to one of the types below.
// Use a type switch, and leave out what you do not need:
//
//	switch m := message.(type) {
//	case *assent.Assistant:
//		fmt.Println(m.Text())
//	case *assent.Result:
//		fmt.Println(m.Denials, m.Deferred, m.TotalCostUSD)
//	}
type Message = wire.Message

// JSON is a JSON value as it was written: what a tool is given, what it has answered. Hook
// inputs, calls and results all hold it, and this is its name. It is a slice of bytes, and
// fmt prints its text. It has these methods:
//
//	func (j JSON) Decode(into any) error // reads it into a value, strictly
//	func (j JSON) String() string
//	func (j JSON) MarshalJSON() ([]byte, error)
//	func (j *JSON) UnmarshalJSON(text []byte) error
//
// Decode refuses what two readers could understand differently, as a key that occurs twice;
// members that the value has no field for are left out.
type JSON = strictjson.Raw

// The messages that most programs look at.
type (
	// Init tells what a session works with: its tools, model and mode. It comes before anything
	// of the model; warnings may come before it.
	Init = wire.Init
	// Assistant is one block of what the model said: [wire.Assistant.Text] is its text, or
	// [wire.Assistant.Call] the tool call that it is.
	Assistant = wire.Assistant
	// User is what the model is told in return, mostly the result of a tool.
	User = wire.User
	// Result is the end of a prompt: the last text, what was denied, what waits, which hooks
	// ran, what it cost.
	Result = wire.Result
)

// What a [Result] holds.
type (
	// Subtype is how a prompt ended.
	Subtype = wire.Subtype
	// Denial is a call that was refused.
	Denial = wire.Denial
	// Deferred is a call that waits for somebody's decision. Its ticket, which people answer,
	// is what [approval.Store.OfCall] finds by the id of the session and ToolUseID.
	Deferred = wire.Deferred
)

// How a prompt ended: the subtypes of a [Result].
const (
	SubtypeSuccess              = wire.Success
	SubtypeErrorDuringExecution = wire.ErrorDuringExecution
	SubtypeErrorMaxTurns        = wire.ErrorMaxTurns
)

// Why a prompt stopped, in the StopReason of a [Result]: calls wait, or the tool of a call
// that waits is gone, so that its answer cannot be acted on. Any other reason is the word of
// the model: "end_turn", "max_tokens".
const (
	StopReasonToolDeferred            = wire.ToolDeferred
	StopReasonToolDeferredUnavailable = wire.ToolDeferredUnavailable
)

// The messages about what happens beside the conversation.
type (
	// HookStarted is a hook that runs; see [HookEvents].
	HookStarted = wire.HookStarted
	// HookResponse is how it ended. Every result has all of its prompt.
	HookResponse = wire.HookResponse
	// Informational is something that a person should know, for instance a warning.
	Informational = wire.Informational
	// Status is a change of the permission mode.
	Status = wire.Status
	// ToolProgress is a sign of life of a call that takes its time.
	ToolProgress = wire.ToolProgress
	// StreamEvent is a piece of the model's answer; see [Partial].
	StreamEvent = wire.StreamEvent
	// CompactBoundary is where the conversation starts anew with a summary.
	CompactBoundary = wire.CompactBoundary
	// APIRetry is a request to the model that failed and is tried again.
	APIRetry = wire.APIRetry
	// Unknown is something that an external program tells and this package does not know;
	// see [External].
	Unknown = wire.Unknown
)
