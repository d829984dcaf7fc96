package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/wire"
)

// readAgentFlags reads the flags of the agent for sessions that go on in a server.
func readAgentFlags(args []string) (*agentFlags, error) {
	f := &agentFlags{}
	flags := pflag.NewFlagSet("agent", pflag.ContinueOnError)
	f.bind(flags)
	flags.Usage = func() {}
	if err := flags.Parse(oneByOne(args)); err != nil {
		return nil, fmt.Errorf("%w (see `assent help agent`)", err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is no flag: sessions go on without a prompt", flags.Arg(0))
	}
	// These say which session, and where its output goes: a server does that by itself.
	for _, name := range []string{
		"print", "output-format", "input-format", "verbose", "resume", "continue", "fork-session", "session-id", "no-session-persistence",
		"replay-user-messages", "include-hook-events", "include-partial-messages", "permission-prompt-tool", "permission-mode", "dangerously-skip-permissions",
	} {
		if flags.Changed(name) {
			return nil, fmt.Errorf("--%s means nothing to the sessions of a server: each goes on in its own directory and mode, and people answer in the inbox", name)
		}
	}
	return f, nil
}

// resumer lets sessions go on in this process, as `assent -p --resume ID` does.
type resumer struct {
	options  launch.Options
	log      *slog.Logger
	desk     *desk.Desk
	tickets  *approval.Store
	progress func(session string)
	warnings *warnings
}

func newResumer(f *agentFlags, dir string, office *office, log *slog.Logger) (*resumer, error) {
	o, err := f.launch()
	if err != nil {
		return nil, err
	}
	o.Settings.StateDir = dir
	told := &warnings{log: log, told: map[string]bool{}}
	o.Warn = told.ofAll
	if _, err := examine(o, dir); err != nil {
		return nil, err
	}
	r := &resumer{log: log, warnings: told, desk: desk.Over(dir, office.tickets), tickets: office.tickets}
	r.desk.Depot = office.sessions.Depot
	r.desk.Warn = func(text string) { log.Info("a call does not begin yet", "why", inbox.Masked(text)) }
	o.OnlyPending, o.SameModel, o.Unattended, o.Parking, o.Desk = true, true, true, f.parking(), r.desk
	o.Depot = office.sessions.Depot
	r.options = o
	return r, nil
}

// examine makes sure that sessions can start with the settings that hold for every one: those of the
// administrator, of the user and of the command line. Otherwise each would end as soon as it goes on.
func examine(o launch.Options, dir string) (*settings.Settings, error) {
	o.Settings.Dir = existing(dir)
	return launch.Examine(o)
}

// warnings are what a person should know about settings, each told once.
type warnings struct {
	log  *slog.Logger
	mu   sync.Mutex
	told map[string]bool
}

// ofAll tells what holds for all sessions.
func (w *warnings) ofAll(text string) {
	if w.isNew(text) {
		w.log.Warn("the settings of all sessions", "warning", inbox.Masked(text))
	}
}

// ofOne tells what a session says. Another one in the same directory mostly says the same.
func (w *warnings) ofOne(session, text string) {
	if w.isNew(text) {
		w.log.Warn("a session says", "session", session, "warning", inbox.Masked(text))
	}
}

func (w *warnings) isNew(text string) bool {
	const most = 10_000 // which a server does not get to before it has long been forgotten what came first
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.told[text] {
		return false
	}
	if len(w.told) == most {
		clear(w.told)
	}
	w.told[text] = true
	return true
}

// resume lets a session go on until it has come to its end, or waits again. The rules are
// those that a person has added for this session.
func (r *resumer) resume(ctx context.Context, id string, rules []permission.Update) error {
	o := r.options
	o.Context, o.Resume = ctx, id
	o.Emit = r.reporter(id)
	o.Warn = func(text string) { r.warnings.ofOne(id, text) }
	if err := grant(&o, rules); err != nil {
		return err
	}
	began := time.Now()
	s, err := launch.Open(o)
	switch {
	case errors.Is(err, launch.ErrNothingPending):
		return crew.ErrNothingLeft
	case err != nil:
		return err
	}
	r.log.Debug("a session goes on", "session", id, "opened_in", time.Since(began))
	why := r.failure(ctx, s, r.goOn(ctx, s))
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewellOf(ctx))
	defer cancel()
	return errors.Join(why, s.Close(last))
}

// farewellOf is how long hooks get at the end of a run. Nobody has much time where the process itself
// ends, which the end of the context means, unless another machine has taken the session.
func farewellOf(run context.Context) time.Duration {
	if _, taken := errors.AsType[*session.Taken](context.Cause(run)); run.Err() != nil && !taken {
		return time.Second
	}
	return farewell
}

// failure is why a session does not go on; nil when it does, or has nothing more to do.
func (r *resumer) failure(ctx context.Context, s *launch.Session, result *wire.Result) error {
	if result == nil || !result.IsError {
		return nil
	}
	if err := s.Unrecorded(); err != nil { // with what it wraps, by which others know it
		return err
	}
	why := cmp.Or(strings.Join(result.Errors, "; "), result.Text, string(result.Subtype))
	switch {
	case result.Subtype == wire.ErrorMaxTurns: // which is on record as its end
		return fmt.Errorf("%w: %s", crew.ErrOver, why)
	case result.Subtype == wire.Success, strings.HasPrefix(why, agent.Unrecorded): // nothing is said of a call
		return errors.New(why)
	}
	return &crew.Quoting{Err: errors.New(forPage(s.ID, why)), Instead: r.forLog(ctx, s)}
}

// forPage is why a call waits on, for a page on which secrets are masked. A command that it offers
// would approve the mask then, so it is left out.
func forPage(id, why string) string {
	before, _, offers := strings.Cut(why, agent.OffersApproval)
	if !offers || !inbox.HidesPart(inbox.Masked(why)) {
		return why
	}
	return before + fmt.Sprintf(" (`assent audit log --session %s` where it ran shows it whole)", id)
}

func (r *resumer) goOn(ctx context.Context, s *launch.Session) *wire.Result {
	s.Agent.Start(ctx, s.Source)
	if !s.Agent.Unfinished() {
		return nil
	}
	return s.Agent.Resume(ctx)
}

// grant adds the rules of a person to those of the command line.
func grant(o *launch.Options, rules []permission.Update) error {
	for _, u := range rules {
		switch u.Type {
		case permission.AddRules:
			o.Settings.AllowedTools = append(append([]string(nil), o.Settings.AllowedTools...), u.Rules...)
		case permission.AddDirectories:
			o.Settings.AddDirs = append(append([]string(nil), o.Settings.AddDirs...), u.Directories...)
		case permission.SetMode:
			o.Settings.Mode = u.Mode
		default:
			return fmt.Errorf("a rule that a person has added for the session cannot be applied: %v", u.Type)
		}
	}
	return nil
}

// reporter tells whoever follows that a session goes on, not more often than they can look.
func (r *resumer) reporter(id string) func(wire.Message) {
	const often = 100 * time.Millisecond
	var mu sync.Mutex
	var last time.Time
	return func(wire.Message) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= often && r.progress != nil {
			last = now
			r.progress(id)
		}
	}
}
