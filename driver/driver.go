package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/process"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// Options say which program, and what it finds here.
type Options struct {
	// Path and Args are the command line: with the flags that make the program read and
	// print lines of JSON; see [Flags]. A path is relative to the directory of this process:
	// in that of the session anybody may have put a program.
	Path string
	Args []string
	// Dir is where it works, Home that of the user, which conditions of hooks call ~. Env
	// is its environment; nil means that of this process.
	Dir, Home string
	Env       []string
	// Replays: the program prints a prompt again when it begins with it, because it was
	// told so with --replay-user-messages. That tells the result of the prompt from that
	// of calls which had waited, in a session that goes on.
	Replays bool

	// Tell is told what happens; the program's questions wait until it has returned.
	Tell func(wire.Message)
	// Warn is told what a person should know about the hooks of this process, by any
	// goroutine. Nil means that nobody is.
	Warn func(text string)
	// CanUseTool answers whether a call may run. Nil refuses all.
	CanUseTool func(ctx context.Context, q Question) (permission.Answer, error)
	// Elicit answers the questions of MCP servers. Nil declines them.
	Elicit func(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error)
	// Hooks run here, whatever their kind. Links are for their conditions; nil means none.
	Hooks []hook.Entry
	Links permission.Links
	// Servers are MCP servers in this process.
	Servers []Server

	// Patience is how long the program may take; zero values mean the defaults.
	Patience Patience

	maxUnread, maxUntold int // for tests; zero means the standard
}

// Server is an MCP server in this process.
type Server interface {
	// Server is its name.
	Server() string
	// Send hands it one JSON-RPC message and returns its answer; nil for a notification.
	Send(ctx context.Context, message []byte) ([]byte, error)
}

// Patience is how long a program may take.
type Patience struct {
	// Start is for the answer to the first request: a minute.
	Start time.Duration
	// Stop is for the end of the work after an interrupt: 5 seconds.
	Stop time.Duration
	// End is for its end after that of its input, when its own hooks run: 25 seconds. Term
	// is for its end after SIGTERM: 2 seconds.
	End, Term time.Duration
}

func (p Patience) filled() Patience {
	fill := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	fill(&p.Start, time.Minute)
	fill(&p.Stop, 5*time.Second)
	fill(&p.End, 25*time.Second)
	fill(&p.Term, 2*time.Second)
	return p
}

// Flags are those that make a program speak the protocol.
var Flags = []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"}

// Driver is a program that is driven. Its methods may be called by any goroutine, but
// for one prompt at a time.
type Driver struct {
	options Options
	process *os.Process
	group   *process.Group
	stderr  tail
	out     *outbox
	in      *intake
	asked   asked
	hooks   *hooks

	// working ends when the work is to end, life when nobody needs an answer any more.
	working, life context.Context
	stopWork, die context.CancelFunc
	prompts       sync.WaitGroup // that are worked off
	tasks         sync.WaitGroup // answers that are made

	failing chan error    // has room for one: why the program is to be ended
	closing chan struct{} // closed when the program is to end by itself
	hurry   chan struct{} // closed when there is no time for that
	gone    chan struct{} // closed when it has ended
	told    chan struct{} // closed when all that it said was told, too

	mu      sync.Mutex
	session string
	work    *work
	last    *wire.Result
	// leftOpen: an empty prompt goes on with what the session has left open; nil for a program
	// that does not say so.
	leftOpen *bool
	// begun: it was given work. Early: it has done some before that.
	begun, early bool
	exit         ExitError
	reported     bool // somebody knows how it ended
	ending       sync.Once
	ended        error
}

// Start starts the program and tells it what there is here. ctx ends the attempt, not
// the program. Close it.
func Start(ctx context.Context, options Options) (*Driver, error) {
	options.Patience = options.Patience.filled()
	if options.Warn == nil {
		options.Warn = func(string) {}
	}
	d := &Driver{
		options: options, failing: make(chan error, 1), closing: make(chan struct{}), hurry: make(chan struct{}),
		gone: make(chan struct{}), told: make(chan struct{}),
	}
	d.working, d.stopWork = context.WithCancel(context.Background())
	d.life, d.die = context.WithCancel(context.Background())
	d.in = newIntake(d)
	var err error
	if d.hooks, err = newHooks(options); err != nil {
		return nil, err
	}
	if err := d.launch(); err != nil {
		d.hooks.release(ctx)
		return nil, err
	}
	if err := d.initialize(ctx); err != nil {
		d.fail(err) // one who could not say which hooks there are must not go on without them
		<-d.told
		exit := d.exited()
		_ = d.Close(ctx)
		if ctx.Err() != nil && !errors.As(err, new(*RequestError)) {
			return nil, context.Cause(ctx)
		}
		// It may have ended before anybody could end it for that.
		if !errors.As(err, new(*ExitError)) && !errors.Is(exit.Cause, err) {
			exit.Cause = errors.Join(err, exit.Cause)
		}
		return nil, exit
	}
	return d, nil
}

// initialize is the first request.
func (d *Driver) initialize(ctx context.Context) error {
	limited, cancel := context.WithTimeoutCause(ctx, d.options.Patience.Start, ErrSilent)
	defer cancel()
	names := []string{}
	for _, s := range d.options.Servers {
		names = append(names, s.Server())
	}
	body, err := d.request(limited, "initialize", map[string]any{
		"hooks": d.hooks.registrations(), "sdkMcpServers": names, "forwardSubagentText": true, "waitForPrompt": true, // as in a session of this process
	})
	if err != nil {
		return fmt.Errorf("it could not be told which hooks and tools there are: %w", err)
	}
	var answer struct {
		LeftOpen *bool `json:"left_open"`
	}
	if strictjson.Unmarshal(body, &answer) == nil { // a program may have nothing to say
		d.mu.Lock()
		defer d.mu.Unlock()
		d.leftOpen = answer.LeftOpen
	}
	return nil
}

// Refused is why a SessionStart hook of this process wants no session; empty if none has
// said so. A program may make a result like any other of that.
func (d *Driver) Refused() string {
	d.hooks.mu.Lock()
	defer d.hooks.mu.Unlock()
	return d.hooks.refused
}

// SessionID is the session of the program, as soon as a message has named it.
func (d *Driver) SessionID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.session
}
