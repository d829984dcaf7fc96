package main

import (
	"context"
	"fmt"
	"io"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
)

// job is an agent that works where nobody sits at a terminal.
type job struct {
	state, model string
	out          io.Writer
}

// options are the policy of the job. They are the same when a session goes on: rules and
// hooks of today judge what was parked yesterday.
func (j job) options(more ...assent.Option) ([]assent.Option, error) {
	deploys, err := hook.ParseCondition("Bash(./deploy:*)")
	if err != nil {
		return nil, err
	}
	wait := func(context.Context, hook.Invocation) (hook.Output, error) {
		return hook.Defer("a deploy needs a person"), nil
	}
	return append([]assent.Option{
		assent.StateDir(j.state),
		assent.Model(j.model),
		assent.Allow("Bash(./test:*)"),
		assent.Deny("Bash(git push:*)"),
		assent.Hooks(hook.Entry{Event: hook.PreToolUse, If: deploys, Handler: hook.Function{Label: "deploys wait", Func: wait}}),
		assent.Warn(func(text string) { fmt.Fprintln(j.out, "warning:", text) }),
	}, more...), nil
}

// run lets the agent work off a prompt.
func (j job) run(ctx context.Context, prompt string) (status int, err error) {
	options, err := j.options()
	if err != nil {
		return failed, err
	}
	return j.work(ctx, prompt, options)
}

// resume goes on with a session in which a call waits. Without a prompt nothing else is
// done: a call that nobody has decided about waits on.
func (j job) resume(ctx context.Context, session string) (status int, err error) {
	options, err := j.options(assent.Resume(session))
	if err != nil {
		return failed, err
	}
	return j.work(ctx, "", options)
}

func (j job) work(ctx context.Context, prompt string, options []assent.Option) (status int, err error) {
	result, err := assent.Run(ctx, prompt, options...)
	if err != nil {
		return failed, err
	}
	for _, denial := range result.Denials {
		fmt.Fprintf(j.out, "denied:  %s %s\n", denial.ToolName, denial.ToolInput)
	}
	if len(result.Deferred) == 0 {
		fmt.Fprintln(j.out, result.Text)
		return done, nil
	}
	return waiting, j.announce(ctx, result)
}

// announce says what waits, and under which name somebody can decide about it.
func (j job) announce(ctx context.Context, result *assent.Result) error {
	store, err := approval.Open(j.state)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, call := range result.Deferred {
		ticket, err := store.OfCall(ctx, result.SessionID, call.ToolUseID)
		if err != nil {
			return err
		}
		if ticket == nil {
			return fmt.Errorf("the call %s has no ticket", call.ToolUseID)
		}
		fmt.Fprintf(j.out, "waiting: %s %s\n", call.ToolName, call.ToolInput)
		fmt.Fprintf(j.out, "why:     %s\n", ticket.Why)
		fmt.Fprintf(j.out, "ticket:  %s\n", ticket.ID)
	}
	fmt.Fprintf(j.out, "session: %s\n", result.SessionID)
	return nil
}

// approve lets a call run when its session goes on. `assent approve` and the inbox do the
// same, and judge the call by the rules of today before.
func (j job) approve(ctx context.Context, id, by string) (status int, err error) {
	store, err := approval.Open(j.state)
	if err != nil {
		return failed, err
	}
	defer store.Close()
	ticket, err := store.Find(ctx, id)
	if err != nil {
		return failed, err
	}
	// The digest says what the person has seen: nothing else can run for this approval.
	ticket, err = store.Approve(ctx, ticket.ID, ticket.Digest, by, "", nil)
	if err != nil {
		return failed, err
	}
	fmt.Fprintf(j.out, "approved: %s %s\n", ticket.Tool, ticket.Input)
	return done, nil
}
