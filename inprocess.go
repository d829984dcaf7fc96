package assent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// inProcess is a session in this process.
type inProcess struct {
	config  *config
	session *launch.Session
	id      string
	tickets *desk.Desk
	started bool // SessionStart hooks have had their say; belongs to the goroutine that works
	// takingUp: what happens is about calls that have waited, and the prompt comes after it.
	takingUp atomic.Bool

	mu   sync.Mutex
	stop context.CancelFunc // ends the work on a prompt; nil while there is none
}

func openInProcess(ctx context.Context, c *config, tell func(Message)) (engine, error) {
	s := &inProcess{config: c}
	o := c.Options
	o.Named = func(id string) { s.id = id } // before anybody is told anything
	o.Emit = func(m Message) {
		wire.Mark(m, s.id)
		switch said := m.(type) {
		case *Result:
			said.TakenUp = s.takingUp.Load()
		case *Informational:
			if said.Level == "warning" { // anything else are words of hooks
				said.Text = inOptions(said.Text)
			}
		}
		tell(m)
	}
	o.Warn = func(text string) { o.Emit(&Informational{Level: "warning", Text: text}) }
	o.Context, o.HookEvents, o.Version, o.Requester = ctx, true, Version(), account.Name()
	if c.canUseTool != nil {
		o.Asker = asker{c.canUseTool, c.callbacks, o.Warn}
	}
	if c.elicit != nil {
		o.Elicit = elicitor{c.elicit, c.callbacks}
	}
	if o.Forget {
		o.Parking = agent.NoParking // nobody could ever go on with the call
	} else {
		s.tickets = desk.New(launch.StateDir(o.Settings))
		o.Desk, s.tickets.Warn = s.tickets, o.Warn
	}
	var err error
	if s.session, err = launch.Open(o); err != nil {
		s.release()
		return nil, inGo(err)
	}
	if err := s.equip(ctx); err != nil {
		if ended := s.close(ctx); ended != nil {
			err = errors.Join(err, ended)
		}
		return nil, err
	}
	for _, text := range c.misnamed() {
		o.Warn(text)
	}
	return s, nil
}

// equip gives the session what only this program has: its functions.
func (s *inProcess) equip(ctx context.Context) error {
	if err := s.session.Agent.AddHooks(s.config.hooks); err != nil {
		return err
	}
	var names []string
	for _, f := range s.config.functions {
		names = append(names, f.Server())
	}
	changed := s.session.AddServers(ctx, launch.HostServers(names), s.send)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, name := range names {
		if why := changed.Failed[name]; why != "" {
			return fmt.Errorf("the tools of %s cannot be offered: %s", name, why)
		}
	}
	return nil
}

// send hands a message to the functions of a server.
func (s *inProcess) send(ctx context.Context, server string, message []byte) ([]byte, error) {
	i := slices.IndexFunc(s.config.functions, func(f *mcp.Functions) bool { return f.Server() == server })
	if i < 0 {
		return nil, fmt.Errorf("there is no server %q", server)
	}
	return s.config.functions[i].Send(ctx, message)
}

func (s *inProcess) work(ctx context.Context, prompt string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.stops(stop)
	defer s.stops(nil)
	defer s.config.callbacks.wait()
	if prompt == "" && !s.session.Agent.Unfinished() {
		return ErrNothingPending
	}
	s.carryOut(ctx, prompt)
	if err := s.session.Agent.Broken(); err != nil {
		return &UnrecordedError{err}
	}
	if why := s.session.Agent.Forbidden(); why != "" {
		return &RefusedError{why}
	}
	return nil
}

// carryOut begins the session if that is still to do, and works off the prompt; without
// one it takes up the calls that wait.
func (s *inProcess) carryOut(ctx context.Context, prompt string) {
	a := s.session.Agent
	if !s.started {
		a.Start(ctx, s.session.Source)
		s.started = ctx.Err() == nil // a hook that was cut off has not had its say
	}
	if prompt == "" {
		a.Resume(ctx)
		return
	}
	p := agent.TextPrompt(prompt)
	p.Begins = func() { s.takingUp.Store(false) }
	s.takingUp.Store(true)
	a.Prompt(ctx, p)
}

func (s *inProcess) stops(stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = stop
}

// interrupt ends all of the work, also what comes before the prompt: the agent itself
// knows only of that.
func (s *inProcess) interrupt(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
	return nil
}

func (s *inProcess) setMode(_ context.Context, mode permission.Mode) error {
	return inGo(s.session.Agent.SetMode(mode))
}

func (s *inProcess) setModel(_ context.Context, name string) error {
	s.session.SetModel(name)
	return nil
}

func (s *inProcess) sessionID() string { return s.id }

func (s *inProcess) close(ctx context.Context) error {
	err := s.session.Close(ctx)
	s.release()
	return err
}

// release gives back what does not belong to the session.
func (s *inProcess) release() {
	for _, f := range s.config.functions {
		f.Close()
	}
	if s.tickets != nil {
		s.tickets.Close()
	}
}

// Name is who answers, for the record.
func (asker) Name() string { return "host" }

// Ask asks the function. What it gets is its own: what runs is what was judged.
func (a asker) Ask(ctx context.Context, q agent.Question) (permission.Answer, error) {
	answer, err := a.ask(ctx, ToolCall{
		ToolName: q.Tool, ToolInput: slices.Clone(q.Input), ToolUseID: q.ToolUseID, AgentID: q.AgentID,
		Reason: q.Decision.Message(), BlockedPath: q.BlockedPath, Suggestions: slices.Clone(q.Suggestions),
	})
	if err != nil && ctx.Err() == nil {
		err = wire.CouldNotDecide(err.Error())
	}
	return answer, err
}

// elicitor lets a function answer the questions of servers.
type elicitor struct {
	answer ElicitFunc
	*running
}

// Elicit asks the function.
func (e elicitor) Elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	return callOut(ctx, e.running, func() (mcp.Answer, error) { return e.answer(ctx, q) })
}
