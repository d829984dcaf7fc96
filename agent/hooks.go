package agent

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// base is what every hook is told.
func (a *Agent) base() hook.Base {
	base := hook.Base{
		SessionID: a.config.Transcript.ID(), TranscriptPath: a.config.Transcript.Path(),
		Cwd: a.root().permissions.Load().Cwd(), PermissionMode: a.deciding().String(),
	}
	if a.descent != nil {
		base.AgentID, base.AgentType = a.descent.id, a.descent.kind
	}
	return base
}

// deciding is the mode that decides about calls: that of the session, or a stricter one
// in which a sub-agent works.
func (a *Agent) deciding() permission.Mode {
	d := a.descent
	if d == nil {
		return a.permissions.Load().Mode()
	}
	if d.mode != 0 {
		if _, err := d.parent.context().Bubble().WithMode(d.mode); err == nil {
			return d.mode
		}
	}
	return d.parent.deciding()
}

// newRunner makes the hooks run; nil when there are none.
func (a *Agent) newRunner(c hook.Config) *hook.Runner {
	if len(c.Entries) == 0 && len(c.HeldBack) == 0 {
		return nil
	}
	if c.Engine == nil {
		c.Engine = a.engine
	}
	c.Ended = a.endedLate
	var runner *hook.Runner
	c.Began = func(in hook.Input, run hook.Run) {
		if a.shown(in.Event()) {
			id := a.newHookID()
			a.begun.Store(begin{runner, run.ID}, id)
			a.tellBegan(in, id)
		}
	}
	runner = hook.NewRunner(c)
	return runner
}

// begin names a run of a hook: every runner counts its own.
type begin struct {
	runner *hook.Runner
	run    int
}

func (a *Agent) newHookID() string { return "hook_" + strconv.FormatInt(a.root().hookIDs.Add(1), 10) }

// errTooLate: the session has begun with the hooks it had.
var errTooLate = errors.New("hooks can only be added before the first prompt")

// AddHooks adds the hooks of a host, behind those of the settings. It must happen before
// the first prompt: what judges a session does not change under it.
func (a *Agent) AddHooks(entries []hook.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prompted {
		return errTooLate
	}
	if before := a.runner.Load(); before != nil {
		a.former = append(a.former, before)
	}
	a.config.Hooks.Entries = append(slices.Clip(a.config.Hooks.Entries), entries...)
	a.runner.Store(a.newRunner(a.config.Hooks))
	return nil
}

// hooksAnswer: there are hooks that may answer questions.
func (a *Agent) hooksAnswer() bool {
	return slices.ContainsFunc(a.config.Hooks.Entries, func(e hook.Entry) bool { return e.Event == hook.PermissionRequest })
}

// shown: a host is told about the hooks of this event.
func (a *Agent) shown(e hook.Event) bool { return a.config.HookEvents || e == hook.SessionStart }

// hooks tells the hooks of an event and reports what they did.
func (a *Agent) hooks(ctx context.Context, o hook.Occasion) hook.Verdict {
	runner := a.runner.Load()
	verdict := runner.Run(ctx, o)
	a.report(runner, o.Input, verdict)
	return verdict
}

// report makes messages of what hooks did: for a host how each one ended, for a person
// what hooks had to say.
func (a *Agent) report(runner *hook.Runner, input hook.Input, verdict hook.Verdict) {
	if a.shown(input.Event()) {
		for _, run := range verdict.Runs {
			id, told := a.root().begun.LoadAndDelete(begin{runner, run.ID})
			if !told { // it was broken before it began
				id = a.newHookID()
				a.tellBegan(input, id.(string))
			}
			a.tellEnded(input, id.(string), run)
		}
	}
	for _, text := range brokenGuards(verdict) {
		a.warn("%s", text)
	}
	for _, text := range verdict.Messages {
		a.tell(&wire.Informational{Level: "info", Text: text})
		_ = a.config.Transcript.Append(session.Noted, note{Text: text}) // the next record will fail too
	}
}

// brokenGuards are the PreToolUse hooks that did not work and deny a call for that. The
// model reads so; a person has to know, too.
func brokenGuards(verdict hook.Verdict) []string {
	var texts []string
	for _, run := range verdict.Runs {
		if broke(run) && slices.Contains(verdict.Denials, run.Reason) {
			texts = append(texts, run.Reason)
		}
	}
	return texts
}

// broke: the hook did not work, and not because nobody wanted its answer any more.
func broke(run hook.Run) bool { return run.Outcome == hook.Broken || run.Outcome == hook.OutOfTime }

// endedLate tells of a hook in the background that did not work.
func (a *Agent) endedLate(run hook.Run) {
	if broke(run) {
		a.warn("%s", run.Reason)
	}
}

func (a *Agent) tellBegan(input hook.Input, id string) {
	a.tell(&wire.HookStarted{HookID: id, HookName: hookName(input), HookEvent: string(input.Event())})
}

func (a *Agent) tellEnded(input hook.Input, id string, run hook.Run) {
	stdout, stderr := printed(run)
	a.tell(&wire.HookResponse{
		HookID: id, HookName: hookName(input), HookEvent: string(input.Event()),
		Stdout: stdout, Stderr: stderr, Output: stderr + stdout, ExitCode: run.Exit, Outcome: outcomeWord(run.Outcome),
	})
}

// printed is what a hook said, as a command would have printed it: a Go function prints
// nothing, and what fails before it can complain has nobody else to say why.
func printed(run hook.Run) (stdout, stderr string) {
	stdout, stderr = run.Stdout, run.Stderr
	if run.Answer != nil && stdout == "" {
		text, err := strictjson.Marshal(run.Answer)
		if err == nil && string(text) != "{}" {
			stdout = string(text)
		}
	}
	if broke(run) && stderr == "" && run.Exit == nil {
		stderr = run.Reason
	}
	return stdout, stderr
}

// hookName is what the wire calls a hook: the event, and what its matcher was compared
// with.
func hookName(input hook.Input) string {
	if subject := input.Subject(); subject != "" {
		return string(input.Event()) + ":" + subject
	}
	return string(input.Event())
}

// outcomeWord is the outcome of a hook in the words of the wire. A hook that blocked
// has worked.
func outcomeWord(o hook.Outcome) string {
	switch o {
	case hook.Okay, hook.Blocked, hook.InBackground:
		return "success"
	case hook.Broken, hook.OutOfTime:
		return "error"
	case hook.Dropped:
		return "cancelled"
	}
	return "error"
}
