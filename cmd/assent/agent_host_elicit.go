package main

import "github.com/assent-dev/assent/agent"

// elicitor is the host as the one who answers the questions of MCP servers: one that has
// begun with initialize, or that answers questions about calls. Any other may only send
// prompts, and would let a question wait for ever.
func (c *conversation) elicitor() agent.Elicitor {
	return agent.HostElicitor{Host: c.host, Listens: func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.initialized || c.flags.promptTool == "stdio"
	}}
}
