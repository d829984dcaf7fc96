package tool

import (
	"context"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Runner is a tool that can do its work. The built-in ones are in package
// builtin. It is safe for concurrent use.
type Runner interface {
	permission.Tool
	// Description tells the model what the tool does and how to use it.
	Description() string
	// Schema is the JSON Schema of the input, as the model gets it.
	Schema() []byte
	// Order says whether a call may run beside others.
	Order(call *permission.Call) Order
	// Run does the work and returns when everything it started has ended. The
	// context ends it early; the result is then Interrupted, or NothingDone.
	Run(ctx context.Context, job Job) Result
}

// Order is how a call stands to the other calls of its turn.
type Order uint8

// The orders. The zero value is the safe one.
const (
	// Alone: it may change something, so it waits for those before it.
	Alone Order = iota
	// Beside: it only reads, so it runs side by side with its neighbours.
	Beside
)

// Job is one call that was allowed.
type Job struct {
	// Call is what was judged: its paths are those the engine has looked at.
	Call *permission.Call
	// Input is the same as JSON.
	Input     []byte
	ToolUseID string
	// Cwd is where relative paths start and commands run.
	Cwd string
	// MayRead reports whether a file may be read that the call does not name, as those
	// that a search finds. Nil means that all may.
	MayRead func(path string) bool
	// Begins is asked by a tool that takes its time before it does anything, just before it does: its
	// error keeps the call from being made. Nil means that it may.
	Begins func(ctx context.Context) error
	// Progress hears how far the call has come, from any goroutine. Nil means that nobody
	// wants to know.
	Progress func(Progress)
}

// Progress is how far a call has come, as its tool says.
type Progress struct {
	Done    float64
	Total   float64 // 0 when it is not known
	Message string
}

// Result is what came of a call.
type Result struct {
	// Text is what the model reads.
	Text string
	// Blocks stand in for Text where a result is more than text: content blocks as
	// the Messages API has them.
	Blocks []strictjson.Raw
	// Data is the result for programs: what hooks and hosts get. Nil means Text.
	Data strictjson.Raw
	// Outcome tells success from failure.
	Outcome Outcome
	// Mode is set by tools that change the permission mode of the session.
	Mode permission.Mode
}

// Outcome is how a call ended.
type Outcome uint8

// The outcomes. The zero value is the safe one: whoever forgets to say so has
// not succeeded.
const (
	Failed Outcome = iota
	Succeeded
	// Interrupted: somebody ended it before its time.
	Interrupted
	// NothingDone: somebody ended it before it had changed anything, and before anybody else was
	// told to. The call may run once more, as if it had never been begun. A tool that does not know
	// says Interrupted.
	NothingDone
)

// Cut reports whether somebody ended the call early.
func (o Outcome) Cut() bool { return o == Interrupted || o == NothingDone }

// Succeed is a result that went well.
func Succeed(text string) Result { return Result{Text: text, Outcome: Succeeded} }

// Fail is a result that went wrong; the model reads why.
func Fail(text string) Result { return Result{Text: text, Outcome: Failed} }
