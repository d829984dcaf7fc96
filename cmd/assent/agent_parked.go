package main

import (
	"context"

	"github.com/assent-dev/assent/agent"
)

// parking is which calls of the session may be parked. The process ends then, so there is
// no person at hand: at a terminal a call is asked about instead.
func (f *agentFlags) parking() agent.Parking {
	if f.deferBatch {
		return agent.ParkBatch
	}
	return agent.ParkAlone
}

// takeUp goes on with the calls that wait, if there are any, or with what a process that
// died has left; a prompt takes the place of that. It is false when the session must not
// go on to its next prompt.
func (c *conversation) takeUp(ctx context.Context, followed bool) bool {
	if followed && !c.session.Agent.Pending() || !c.session.Agent.Unfinished() {
		return true
	}
	result := c.session.Agent.Resume(ctx, followed)
	if result == nil { // nobody has answered: the prompt takes their place
		return true
	}
	c.last = result
	return !result.IsError
}
