package main

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/wire"
)

// hosted lets a host drive the session: prompts, answers and requests come as lines on
// stdin until it ends.
func (c *conversation) hosted() error {
	c.out = wire.NewOutput(c.app.out, c.options.ID, c.format, c.flags.verbose)
	ctx, stop := c.signals()
	defer stop()
	c.host = wire.NewHost(c.out, c.handle)
	var asker agent.Asker
	if c.flags.promptTool == "stdio" {
		asker = agent.HostAsker{Host: c.host, Note: c.warn}
	}
	c.options.Elicit = c.elicitor()
	if err := c.open(ctx, asker); err != nil {
		return err
	}
	c.firstModel = c.session.Agent.Model()
	c.opens()
	go func() { // for ever, if stdin stays open after a signal or with an output that nobody reads
		if err := c.host.Serve(c.in); err != nil {
			c.abandon(err)
		}
	}()
	c.workOff(ctx)
	if left := c.host.Waiting(); left > 0 {
		c.warn(fmt.Sprintf("prompts that were not worked off: %d", left))
	}
	c.settle()
	closed := c.close()
	return worse(c.host.Fault(), closed)
}

// opens tells the host's end what the session has left open. Calls that wait are taken up
// as soon as the host has said what it brings. What the model owes after a crash waits for
// a prompt, or for the end of the input.
func (c *conversation) opens() {
	c.leftOpen = c.session.Agent.Unfinished()
	switch {
	case len(c.session.Agent.Waiting()) > 0:
		c.host.OpensWith(wire.InSilence)
	case c.leftOpen:
		c.host.OpensWith(wire.AtTheEnd)
	}
}

// workOff works the prompts of the host off until there are no more. The session begins
// with the first of them: by then the host has said which hooks it has.
func (c *conversation) workOff(ctx context.Context) {
	begun := false
	for prompted := false; ; prompted = true {
		prompt, ok := c.host.Next(ctx)
		if !ok {
			if !prompted && c.refused() == nil && c.host.Fault() == nil {
				c.begin(ctx)
			}
			return
		}
		if prompt.Kind != wire.Said && c.refused() != nil {
			continue // nobody waits for a result
		}
		begun = begun || c.begin(ctx)
		switch prompt.Kind {
		case wire.Said:
			c.last = c.answer(ctx, prompt)
		case wire.GoesOn:
			c.goOn(ctx)
		case wire.Left:
			c.last = c.session.Agent.Leave(ctx)
		}
		if c.session.Agent.Broken() != nil {
			return // the result says that nothing can be recorded any more
		}
		if c.session.Agent.Unfinished() {
			c.host.Leaves()
		}
	}
}

// begin begins the session as part of the work on its first prompt, so that an interrupt
// reaches the hooks. It is false when they were cut off: they have not had their say then.
func (c *conversation) begin(ctx context.Context) bool {
	if c.refused() != nil {
		return true // and stays so
	}
	work, done := c.host.Work(ctx)
	defer done()
	c.session.Agent.Start(work, c.session.Source)
	return work.Err() == nil
}

// goOn takes up what waits for a host that has no prompt.
func (c *conversation) goOn(ctx context.Context) {
	work, done := c.host.Work(ctx)
	defer done()
	c.awaitServers(work)
	if !c.session.Agent.Unfinished() { // a prompt before has seen to it
		c.last = &wire.Result{Subtype: wire.ErrorDuringExecution, IsError: true, Errors: []string{launch.ErrNothingPending.Error()}}
		c.out.Tell(c.last)
		return
	}
	c.last = c.session.Agent.Resume(work)
}

// answer works one prompt off. The host gets it back, if it wants that, when what follows
// is about it.
func (c *conversation) answer(ctx context.Context, prompt wire.Prompt) *wire.Result {
	replay := func() {
		if c.flags.replay {
			c.out.Tell(&wire.User{Content: prompt.Content, Replay: true, Stamp: wire.Stamp{UUID: prompt.UUID}})
		}
	}
	if err := c.refused(); err != nil {
		replay()
		result := &wire.Result{Subtype: wire.ErrorDuringExecution, IsError: true, Errors: []string{err.Error()}}
		c.out.Tell(result)
		return result
	}
	work, done := c.host.Work(ctx)
	defer done()
	c.awaitServers(work)
	return c.session.Agent.Prompt(work, agent.Prompt{Content: prompt.Content, Begins: replay})
}

// handle answers a request of the host. It must not wait for anything.
func (c *conversation) handle(r wire.Request) (any, error) {
	switch r.Subtype {
	case "initialize":
		return c.initialize(r)
	case "interrupt":
		return c.interrupt(r.Body)
	case "cancel_async_message":
		return c.withdraw(r.Body)
	case "set_permission_mode":
		return c.setMode(r.Body)
	case "set_model":
		return c.setModel(r.Body)
	case "set_max_thinking_tokens":
		return struct{}{}, nil // the provider decides how much a model thinks
	case "get_context_usage":
		return c.contextUsage(), nil
	case "reload_plugins", "reload_skills", "reload_output_styles":
		return c.reloaded(), nil
	case "rewind_files":
		return c.rewind(r.Body)
	case "mcp_status", "mcp_message", "mcp_reconnect", "mcp_toggle", "mcp_set_servers":
		return c.handleServers(r)
	}
	return nil, unsupported(r.Subtype)
}
