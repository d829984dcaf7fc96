package main

import (
	"context"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// parking is which calls of the session may be parked. The process ends then, so there is
// no person at hand: at a terminal a call is asked about instead.
func (f *agentFlags) parking() agent.Parking {
	if f.deferBatch {
		return agent.ParkBatch
	}
	return agent.ParkAlone
}

// recall makes the calls that wait known: the model made them some time ago, and what
// becomes of one is shown with the name of its tool.
func (c *conversation) recall(tell func(wire.Message)) {
	for _, w := range c.session.Agent.Waiting() {
		tell(&wire.Assistant{Block: model.Block{Kind: model.ToolUse, ID: w.ToolUseID, Name: w.ToolName, Input: w.ToolInput}})
	}
}

// takeUp goes on with the calls that wait, if there are any, or with what a process that
// died has left. It is for a session that nobody gives a prompt: before a prompt the agent
// takes up what waits by itself.
func (c *conversation) takeUp(ctx context.Context) {
	if c.session.Agent.Unfinished() {
		c.last = c.session.Agent.Resume(ctx)
	}
}
