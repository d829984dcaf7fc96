package hook

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
)

// Handler is one way to reach a hook. Implementations are safe for concurrent use.
type Handler interface {
	// Name says for a person which hook it is: "command ./check.sh".
	Name() string
	// Key is equal for handlers that do the same; identical ones run once. Empty
	// means that it is never identical to another.
	Key() string
	// Handle tells the hook what happens and waits for its answer, at most until the
	// context ends. It returns after everything it started has ended, unless the
	// reply goes on in the background.
	Handle(ctx context.Context, call Invocation) Reply
}

// Invocation is one run of a hook. It is shared by the hooks that run side by side:
// they read it and do not change it.
type Invocation struct {
	Input     Input
	JSON      []byte // the input as hooks read it
	ToolUseID string
	// Dir is where a command runs.
	Dir string
	// Env is added to the environment of a command: "NAME=value".
	Env []string
	// State is shared by the hooks of a session; nil when there is none.
	State State
}

// Reply is what came back from a hook, before anybody has judged it.
type Reply struct {
	// Output is the answer of a Go function; nil when Text has to be read.
	Output *Output
	// Text is what a command printed, or the body of an HTTP answer.
	Text []byte
	// JSONOnly: text that is no JSON object is no answer but a failure. A command may
	// print for people; what a server or a host sends is meant for us.
	JSONOnly bool
	// HeldOpen: others hold the output of a command that has ended, so that there may
	// be more to Text than we have.
	HeldOpen bool
	// Stderr is the complaint of a command.
	Stderr []byte
	// Exit is the exit status of a command; nil when there was none.
	Exit *int
	// Failure is why there is no answer to read.
	Failure *Failure
	// Background is set when the hook goes on after this reply: it is closed when
	// the hook has ended. Abandon ends it before its time. A failure may come with
	// it: a Go function that ignores the end of its context, a process that cannot be
	// killed.
	Background <-chan struct{}
	Abandon    func()
	// Ended says how it ended, once Background is closed: with its exit status, its
	// complaint, its failure. Nil means that nobody can tell.
	Ended func() Reply
	// Notes tell the author of the hook what was done about it.
	Notes []string
}

// Failure says how a hook failed.
type Failure struct {
	Kind FailureKind
	Text string // for a person: "not found", "ended by signal 9"
}

// FailureKind tells failures apart.
type FailureKind uint8

// The kinds of failure.
const (
	CannotStart   FailureKind = iota + 1 // not found, not executable, no connection
	Crashed                              // a signal, a panic, a connection that broke
	TimedOut                             // it took longer than it may
	TooMuch                              // more output than is read
	BadStatus                            // an HTTP status other than 2xx, a redirect
	ReturnedError                        // a Go function or callback returned an error
	Cancelled                            // nobody needs the answer any more
	Gone                                 // whoever was to answer is gone: [ErrGone]
)

// ErrGone: whoever was to answer is gone. It is never an answer: the error of a [Callback] or
// a [Function] for which [errors.Is] finds it leaves a call that waits where it is.
var ErrGone = errors.New("nobody is there to answer any more")

// String says it for a person.
func (k FailureKind) String() string {
	switch k {
	case CannotStart:
		return "cannot start"
	case Crashed:
		return "crashed"
	case TimedOut:
		return "timed out"
	case TooMuch:
		return "too much output"
	case BadStatus:
		return "bad status"
	case ReturnedError:
		return "returned an error"
	case Cancelled:
		return "cancelled"
	case Gone:
		return "gone"
	}
	return "unknown"
}

// failed is a reply that consists of a failure.
func failed(kind FailureKind, text string) Reply {
	return Reply{Failure: &Failure{Kind: kind, Text: text}}
}

// contextEnded says why a hook was ended early.
func contextEnded(ctx context.Context) *Failure {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return tookTooLong()
	}
	return &Failure{Kind: Cancelled, Text: "nobody needs its answer any more"}
}

func tookTooLong() *Failure {
	return &Failure{Kind: TimedOut, Text: `no answer in time; if it needs longer, raise its "timeout"`}
}

// nameLength is how much of a command or address a name shows.
const nameLength = 120

// oneLine makes text fit for a name: what cannot be seen is shown as a blank, so that
// no command can hide a part of itself or disturb the terminal.
func oneLine(text string) string {
	var b strings.Builder
	count := 0
	for _, r := range strings.TrimSpace(text) {
		if count++; count > nameLength {
			b.WriteString("…")
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// State is a small store of values that the hooks of one session share. Values are
// JSON. It is safe for concurrent use, also by several processes.
type State interface {
	// Get returns a value, nil when there is none.
	Get(key string) ([]byte, error)
	// All returns everything, as one JSON object.
	All() ([]byte, error)
	// Merge sets the keys of a JSON object; null deletes one.
	Merge(object []byte) error
	// Update changes the values as they are now, while nobody else can: it is the way
	// to count. If change returns an error nothing changes. It must not use the state
	// itself.
	Update(change func(Values) error) error
	// Address is what a command finds it by: the value of ASSENT_STATE.
	Address() string
}

// The limits of a hook.
const (
	// DefaultTimeout is how long a hook may take unless its entry says otherwise.
	DefaultTimeout = 60 * time.Second
	// MaxOutput is how much a hook may print or answer.
	MaxOutput = 1 << 20
)
