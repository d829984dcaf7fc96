// Package launch makes a session of what is on disk: settings, hooks, transcript,
// audit log, model. It is what `assent -p` does before the first prompt.
//
// [Open] returns a [Session], whose Agent works off prompts; [Session.Close] ends it
// and loses nothing: hooks in the background, settings that are still to be written, the
// transcript.
package launch

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/wire"
)

// Options say which session.
type Options struct {
	// Settings say where the session works and by which rules.
	Settings settings.Options
	// Links reads symbolic links.
	Links permission.Links
	// Env is the environment; nil means that of the process.
	Env func(string) string
	// Model is the name of --model; empty means what the environment says.
	Model string
	// Provider answers in place of the one that Model names, which is then only a name.
	Provider model.Provider
	// Classifier is the name of --classifier: who judges in auto mode. Empty means what
	// settings say.
	Classifier string
	// System replaces assent's own instructions, Append adds to them.
	System, Append string
	// Agents are kinds of sub-agents of the command line, as JSON; they count more than
	// those of files.
	Agents string
	// Resume is the session to go on with, Last that of this directory; Fork leaves it as
	// it is and goes on with a copy.
	Resume     string
	Last, Fork bool
	// ID is that of a new session; empty means a random one. Forget keeps no transcript:
	// nobody can go on with the session. Decisions are recorded all the same.
	ID     string
	Forget bool

	// Context ends the start of the session, which may wait for MCP servers; nil means
	// that nothing does. The session does not end with it.
	Context context.Context
	// Parking says which calls may be parked, Desk is where people answer them.
	Parking agent.Parking
	Desk    agent.Desk
	// Requester is who begins the session, goes on with it or makes a fork, and so wants its calls:
	// an account as "user@host", or a person. Those who did before stay on record beside him. Who
	// only takes up what was answered wants nothing; see OnlyPending.
	Requester string
	// Depot is where sessions lie that several machines work on; nil means that they lie in
	// the state directory.
	Depot session.Depot
	// SameModel: without a Model a session goes on with the one that it began with.
	SameModel bool
	// OnlyPending: there is no prompt, so the session must have calls that wait.
	OnlyPending bool
	// TakesUp is asked before a session goes on in which calls wait, or a copy of one is made.
	// Its error ends that; nil means that nothing is against it.
	TakesUp func(session string) error
	// Withhold is told which variables of the environment hold secrets that settings name, which no
	// program of the session gets: a process that is assent's own takes them out of its own
	// environment as well, where such a program might look for them. Nil means nobody.
	Withhold func(names ...string)
	// Tools are the names of the built-in tools that the model is offered; nil means all.
	Tools []string
	// MCPConfig are servers of the command line: JSON, or names of files. StrictMCP: only
	// those. PromptTool is a tool of a server that answers questions.
	MCPConfig  []string
	StrictMCP  bool
	PromptTool string

	MaxTurns int
	// Unattended: see [agent.Config.Unattended]. That the session goes on in its own directory and mode
	// is not told.
	Unattended bool
	HookEvents bool
	Partial    bool
	// Version of assent, for init messages and the transcript.
	Version string
	// Named is told the id of the session before anybody is told anything else; nil
	// means nobody.
	Named func(id string)
	// Emit is told what happens, Asker answers questions; both may be nil.
	Emit  func(wire.Message)
	Asker agent.Asker
	// Elicit answers the questions of MCP servers; nil declines them.
	Elicit agent.Elicitor
	// Warn is told what a person should know; nil means nobody.
	Warn func(string)
}

// Session is a session that is ready for its first prompt.
type Session struct {
	Agent *agent.Agent
	// ID is that of the session.
	ID string
	// Source is what SessionStart hooks are told: startup or resume.
	Source string

	before     *session.Conversation // nil for a new session
	transcript *session.Transcript
	state      hook.State
	writer     *settings.Writer
	log        *audit.Log
	env        variables
	scratch    string // a directory that ends with the session
	watching   context.CancelFunc
	watched    chan struct{}
	current    atomic.Pointer[settings.Settings] // those in force
	servers    servers
	cwd        string
	keySource  string
	options    Options
	customs    *customs
}

// Open makes a session.
func Open(o Options) (*Session, error) {
	o.complete()
	s := &Session{}
	if err := s.open(o); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// complete fills in what was left out, and says how assent itself reads settings.
func (o *Options) complete() {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Withhold == nil {
		o.Withhold = func(...string) {}
	}
	if o.Named == nil {
		o.Named = func(string) {}
	}
	o.Settings.StartsServers, o.Settings.KeepsLimits = true, false
}
