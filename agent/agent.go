package agent

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// Config is what an Agent is made of. Fields without a default are required.
type Config struct {
	// Provider and Model answer; System is what the model is told about its task.
	Provider model.Provider
	Model    string
	System   string
	// Tools are what the model may call. With Agents or not, it also gets Task, which
	// starts sub-agents.
	Tools []tool.Runner
	// Servers offer more tools, which may change while the session works; nil means none.
	Servers Servers
	// NoSubAgents: the model does not get Task.
	NoSubAgents bool
	// Agents are the kinds of sub-agents besides the general one.
	Agents []Definition
	// Command finds the custom command that a prompt names: nil for a prompt that names
	// none. With an error the model is not asked; it is the result. Nil means that there
	// are no commands.
	Command func(prompt string) (*Command, error)
	// ResolveModel is the full name of a model; nil means that all names are full.
	ResolveModel func(name string) string
	// Links reads symbolic links for the engine; nil means that there are none.
	Links permission.Links
	// Permissions is the context to start with; it also says where the session works.
	Permissions *permission.Context
	// Hooks run at the events of the session. The agent fills in who is told when one
	// begins, and the engine if there is none.
	Hooks hook.Config
	// Transcript keeps the conversation. The agent does not close it.
	Transcript Transcript
	// Audit keeps the decisions; nil means that nobody does.
	Audit Recorder
	// Asker answers questions; nil means that nobody can be asked.
	Asker Asker
	// Parking says which calls may be parked, and Desk is where they lie; nil means that
	// only hooks and rules can answer them.
	Parking Parking
	Desk    Desk
	Terms   Terms
	// Requester is who can say something in the session, and so wants its calls: an account as
	// "user@host", or a person; empty for nobody. In one that goes on, those on record want them too.
	Requester string
	// Classifier judges in auto mode; nil means the built-in one.
	Classifier classify.Classifier
	// Emit is told what happens. It may block, and several goroutines may call it. Nil
	// means nobody.
	Emit func(wire.Message)
	// Persist makes a permission update last; nil means that none does.
	Persist func(permission.Update) error
	// HeldBack says why what the files of a source permit does not count, for instance
	// because nobody has trusted the workspace; empty when it does. Nil means that all of
	// it does.
	HeldBack func(rule.Source) string
	// Unattended: nobody interrupts the work. Where its context ends, or the model does not
	// answer, it stays open on record: whoever goes on with the session takes it up there.
	Unattended bool
	// MaxTurns is how often the model is asked for one prompt; zero means without end.
	MaxTurns int
	// HookEvents: all hooks are told about in messages, not only those at the start.
	HookEvents bool
	// Partial: pieces of the model's answer are messages, too.
	Partial bool
	// Environment is what init messages say about things the agent does not know itself.
	Environment Environment
}

// Environment describes the session to a host.
type Environment struct {
	Version      string
	APIKeySource string
	MCPServers   []wire.MCPServer
	Commands     []string
	Agents       []string
}

// Transcript is where the conversation is kept: a [session.Transcript], or one in
// memory.
type Transcript interface {
	// ID is that of the session, Path where hooks find the file.
	ID() string
	Path() string
	// Append writes a record; it is on disk when Append returns.
	Append(kind session.Kind, body any) error
	// StillOurs makes sure that no other machine has taken the session.
	StillOurs(ctx context.Context) error
}

// Recorder takes the record of a decision; see [audit.Log].
type Recorder interface {
	Append(audit.Record) error
}

// Agent is one session at work.
type Agent struct {
	config  Config
	tools   *toolbox
	engine  *permission.Engine
	emit    func(wire.Message)
	breaker *classify.Breaker
	counted classify.Counts // by it, as written down; mu guards it
	descent *descent        // nil for the agent that no other has started

	runner      atomic.Pointer[hook.Runner]
	permissions atomic.Pointer[permission.Context]
	model       atomic.Pointer[string]

	// mu guards what may change while a prompt is worked off.
	mu        sync.Mutex
	overrides []permission.Update // of this session only, in order
	resume    permission.Mode     // the mode that plan mode was entered from
	allowed   []rule.Rule         // what the custom command may do that is worked off
	swapped   commandModels       // its model, and the one before
	interrupt context.CancelCauseFunc
	prompted  bool
	spent     []*wire.Result // what sub-agents have cost since the last result
	former    []*hook.Runner // those before hooks were added

	// What follows belongs to the goroutine that works.
	conversation []model.Message
	words        []words  // which blocks of it are the person's own
	revision     string   // of the servers whose tools are in place
	opening      []string // context of SessionStart hooks for the first prompt
	pending      *session.Pending
	troubles     []Trouble // what has kept the last run from going on
	heritage     heritage
	owed         bool     // the process before died before the model had answered
	forks        []string // the sessions that this one is a fork of
	requester    string   // everybody who could say something in it; see account.Join
	weight       int      // tokens of the conversation, as the model last counted them
	settled      int      // bytes of it when it was last summed up, or a hook kept it from being
	background   sync.WaitGroup
	life         context.Context // what goes on in the background ends with it
	end          context.CancelFunc

	// What follows is the session's: sub-agents look into that of the agent that started
	// them all.
	broken    atomic.Pointer[error]  // why nothing can be recorded any more
	halting   atomic.Bool            // a hook wants the work on the prompt to stop
	forbidden atomic.Pointer[string] // why no prompt is worked off: a SessionStart hook wants none
	asks      atomic.Int64           // how often the model was asked for the prompt
	begun     sync.Map               // the ids of hooks that were told to have begun, by their run
	hookIDs   atomic.Int64           // the last one
	switches  switches               // which servers a host has switched off
}

// New makes an agent. Restore gives it the conversation of an earlier process.
func New(c Config) (*Agent, error) {
	a := &Agent{config: c, emit: c.Emit, breaker: new(classify.Breaker), requester: c.Requester}
	a.life, a.end = context.WithCancel(context.Background())
	if err := a.equip(); err != nil {
		return nil, err
	}
	a.permissions.Store(c.Permissions)
	a.model.Store(&c.Model)
	a.runner.Store(a.newRunner(c.Hooks))
	return a, nil
}

// equip gives the agent its tools.
func (a *Agent) equip() error {
	list := slices.Clip(a.config.Tools)
	if !a.config.NoSubAgents && (a.descent == nil || a.descent.depth < maxDepth) {
		for _, d := range tool.Builtin() {
			if d.Name() == "Task" {
				list = append(list, task{d, a})
			}
		}
	}
	if a.tools != nil { // who looks into it finds the new ones
		return a.tools.fill(list)
	}
	a.tools = &toolbox{switches: &a.root().switches}
	if err := a.tools.fill(list); err != nil {
		return err
	}
	links := a.config.Links
	if links == nil {
		links = permission.NoLinks{}
	}
	a.engine = permission.NewEngine(a.tools, links)
	return nil
}

// Restore puts the conversation of an earlier process in place, with the rules that
// restrict that session; what it was permitted has to be asked for again. Calls that got no result, because that process died, get one
// that says so: a tool that may have run is never run again.
func (a *Agent) Restore(before session.Conversation) error {
	if err := before.Check(a.permissions.Load().Cwd()); err != nil {
		return err
	}
	a.conversation = mended(before.Messages)
	if err := a.recount(before.Refusals); err != nil {
		return err
	}
	for _, raw := range before.Updates {
		var u permission.Update
		if err := strictjson.Unmarshal(raw, &u); err != nil {
			return fmt.Errorf("a permission update of the session cannot be read: %w", err)
		}
		if lasts(u.Destination) || u.Type == permission.SetMode || !u.Restricts() {
			// It is in a file, or the mode has been restored as a whole, or it would permit
			// something: who can write the transcript must not be able to do that.
			continue
		}
		next, err := a.permissions.Load().Apply(u)
		if err != nil {
			a.warn("A permission update of the session does not hold any more: %v.", err)
			continue
		}
		a.permissions.Store(next)
		a.overrides = append(a.overrides, u)
	}
	a.owed, a.forks, a.requester = Owes(before), before.Start.Forks(), account.Join(before.Start.Requester, a.config.Requester)
	if before.Pending != nil { // they are no calls that somebody has lost
		a.pending, a.heritage = before.Pending, untouched
		return nil
	}
	return a.closeOpenCalls()
}

// Broken is why the session was stopped: something could not be written down. Nil while
// it lives.
func (a *Agent) Broken() error {
	if err := a.root().broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Forbidden is why no prompt is worked off: a SessionStart hook wants none. Empty while
// they are.
func (a *Agent) Forbidden() string {
	if why := a.root().forbidden.Load(); why != nil {
		return *why
	}
	return ""
}

// giveUp stops the session, because something could not be written down. The first
// reason stays.
func (a *Agent) giveUp(err error) error {
	a.root().broken.CompareAndSwap(nil, &err)
	return err
}

// setOut begins the work on a prompt of the session.
func (a *Agent) setOut() {
	if a.descent == nil {
		a.halting.Store(false)
		a.asks.Store(0)
	}
}

// Start runs the SessionStart hooks; source is "startup", "resume" or "compact". One that
// wants the session to stop is obeyed: no prompt is worked off.
func (a *Agent) Start(ctx context.Context, source string) {
	a.mu.Lock()
	a.prompted = true // what comes with a host now comes too late for these hooks
	a.mu.Unlock()
	verdict := a.hooks(ctx, hook.Occasion{Input: hook.SessionStartInput{Base: a.base(), Source: source}})
	a.opening = append(a.opening, verdict.Context...)
	if verdict.Halt {
		a.tellHalt(verdict)
		why := orElse(verdict.HaltReason, "A hook stopped the session when it began.")
		a.forbidden.Store(&why)
	}
}

// Close ends the session: SessionEnd hooks run, and hooks in the background get until
// ctx ends. reason is what hooks are told, mostly "other".
func (a *Agent) Close(ctx context.Context, reason string) {
	time.AfterFunc(grace, a.end)
	a.background.Wait()
	a.hooks(ctx, hook.Occasion{Input: hook.SessionEndInput{Base: a.base(), Reason: reason}})
	a.mu.Lock()
	runners := append(slices.Clip(a.former), a.runner.Load())
	a.mu.Unlock()
	for _, r := range runners {
		r.Close(ctx)
	}
}

// Restrict adds a rule that holds for the whole session, whatever settings say.
func (a *Agent) Restrict(u permission.Update) error {
	if !u.Restricts() {
		return fmt.Errorf("the update %s would permit something", u.Type)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	next, err := a.permissions.Load().Apply(u)
	if err != nil {
		return err
	}
	a.permissions.Store(next)
	a.overrides = append(a.overrides, u)
	return nil
}

// Mode is the permission mode in force.
func (a *Agent) Mode() permission.Mode { return a.context().Mode() }

// Model is the model that is asked next.
func (a *Agent) Model() string { return *a.model.Load() }

// SetModel changes the model from the next question on.
func (a *Agent) SetModel(name string) { a.model.Store(&name) }

// Interrupt ends what the agent is doing: the model's answer, a question, a tool.
// Without a prompt in work it does nothing.
func (a *Agent) Interrupt() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.interrupt != nil {
		a.interrupt(errInterrupted)
	}
}

func (a *Agent) tell(m wire.Message) {
	if a.emit != nil {
		a.emit(m)
	}
}

// warn tells a person about something that did not go as somebody meant it.
func (a *Agent) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	a.tell(&wire.Informational{Level: "warning", Text: text})
	// A note that cannot be written is no reason to stop: the next record will fail too.
	_ = a.config.Transcript.Append(session.Noted, note{Text: text})
}

type note struct {
	Text string `json:"text"`
}

// since is how long ago something was, in milliseconds.
func since(start time.Time) int64 { return time.Since(start).Milliseconds() }
