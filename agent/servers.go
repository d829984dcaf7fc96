package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// Servers are where tools come from that may come and go while a session works; see
// [mcp.Set]. All their tools are called mcp__server__tool.
type Servers interface {
	// Refresh picks up what has changed. It takes no time when nothing has.
	Refresh(ctx context.Context)
	// Revision is another one whenever something may have changed.
	Revision() string
	// Offer is what there is now.
	Offer() ([]tool.Runner, []wire.MCPServer)
}

// renew gives the agent the tools that servers offer now. It happens before the model is
// asked, never while a call is judged or runs. A new tool is judged like any other: by
// its name. Sub-agents work with what there was when they began.
func (a *Agent) renew(ctx context.Context) {
	servers := a.config.Servers
	if servers == nil || a.descent != nil {
		return
	}
	servers.Refresh(ctx)
	revision := servers.Revision()
	if revision == a.revision {
		return
	}
	a.revision = revision
	tools, states := servers.Offer()
	if err := a.replaceServers(tools, states); err != nil {
		a.warn("The tools of MCP servers stay as they were: %v.", err)
	}
}

// replaceServers puts these tools in place of all that servers have offered so far.
func (a *Agent) replaceServers(tools []tool.Runner, states []wire.MCPServer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.config.Tools
	own := slices.DeleteFunc(slices.Clone(before), func(r tool.Runner) bool { return strings.HasPrefix(r.Name(), "mcp__") })
	a.config.Tools = append(own, tools...)
	if err := a.equip(); err != nil {
		a.config.Tools = before
		return err
	}
	a.config.Environment.MCPServers = states
	return nil
}
