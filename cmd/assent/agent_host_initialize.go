package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// driven is what a host has said about the session, and what it is told about it.
type driven struct {
	mu sync.Mutex
	// initialized: the host has tried to. Refusal is why that failed.
	initialized bool
	refusal     error
	// leftOpen: calls waited in the session when it began, or the model did.
	leftOpen bool
	// subagentText: the host wants to be told what sub-agents say, and not only what they do.
	subagentText bool
	// firstModel is the model that the session began with.
	firstModel string
	// connected is closed when the servers that the host began with are connected or have
	// failed; nil without any. Disconnect ends the attempt.
	connected  chan struct{}
	disconnect context.CancelFunc
	// usage is what the last turn of the model weighed.
	usage *model.Usage
	// mail are the messages of servers inside of the host, for one goroutine at a time.
	mail    []delivery
	posting bool
}

// refused is why no prompt is worked off. A host that could not say which hooks it has
// must not find out later that nobody has asked them.
func (c *conversation) refused() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refusal == nil {
		return nil
	}
	return fmt.Errorf("the host's initialize request failed, so nothing is done for it: %w", c.refusal)
}

// initialize takes what the host brings to the session, and says what there is.
func (c *conversation) initialize(r wire.Request) (any, error) {
	c.mu.Lock()
	again := c.initialized
	c.initialized = true
	c.mu.Unlock()
	if again {
		return nil, errors.New("the session is initialized already (start another one for other hooks, servers or instructions)")
	}
	c.host.StartAt(wire.WhenReady)
	request, err := wire.ReadInitialize(r)
	if err == nil {
		err = c.take(request)
	}
	if err != nil {
		c.mu.Lock()
		c.refusal = err
		c.mu.Unlock()
		return nil, err
	}
	return wire.Reply{Body: c.describe(request), Then: c.ready}, nil
}

// ready lets calls that wait be taken up once the servers of the host are connected. It must
// not wait for them itself: they need answers of the host.
func (c *conversation) ready() {
	go func() {
		c.awaitServers(context.Background())
		c.host.Ready()
	}()
}

// take puts what the host brings in place.
func (c *conversation) take(request wire.Initialize) error {
	entries, notes, err := c.host.Entries(request)
	if err != nil {
		return err
	}
	for _, n := range notes {
		c.caution(n)
	}
	if err := c.restrict(request); err != nil {
		return err
	}
	if err := c.session.Agent.AddHooks(entries); err != nil {
		return err
	}
	notes, err = c.session.AddAgents(request.Agents)
	if err != nil {
		return err
	}
	for _, n := range notes {
		c.caution(n)
	}
	if err := c.instruct(request); err != nil {
		return err
	}
	if request.WaitForPrompt {
		c.host.StartAt(wire.WhenAsked)
	}
	c.mu.Lock()
	c.subagentText = request.SubagentText
	c.mu.Unlock()
	if len(request.Servers) > 0 {
		c.connectServers(launch.HostServers(request.Servers))
	}
	return nil
}

// restrict makes rules of what the host says about the tools of its own servers.
func (c *conversation) restrict(request wire.Initialize) error {
	deny, ask, err := request.Restrictions()
	if err != nil {
		return err
	}
	return c.session.Restrict(mcp.Restrictions{Deny: deny, Ask: ask})
}

func (c *conversation) instruct(request wire.Initialize) error {
	var system, more string
	if request.SystemPrompt != nil {
		system = string(*request.SystemPrompt)
	}
	if request.AppendSystemPrompt != nil {
		more = string(*request.AppendSystemPrompt)
	}
	if system == "" && more == "" {
		return nil
	}
	return c.session.Instruct(system, more)
}

// connectServers connects the servers inside of the host. That needs its answers, so it
// cannot happen where its requests are read; the first prompt waits for it.
func (c *conversation) connectServers(servers []mcp.Server) {
	c.session.Announce(servers)
	connected := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	c.mu.Lock()
	c.connected, c.disconnect = connected, cancel
	c.mu.Unlock()
	go func() {
		defer close(connected)
		changed := c.session.AddServers(ctx, servers, c.host.MCP)
		if ctx.Err() != nil {
			return // the session ends: nobody misses them
		}
		for name, why := range changed.Failed {
			if !slices.Contains(changed.Added, name) { // of the others the session has told
				c.caution(fmt.Sprintf("the MCP server %s cannot be used: %s", name, why))
			}
		}
	}()
}

// settle ends what goes on for the host besides the work on its prompts.
func (c *conversation) settle() {
	c.host.Settle()
	c.mu.Lock()
	connected, disconnect := c.connected, c.disconnect
	c.mu.Unlock()
	if connected != nil {
		disconnect()
		<-connected
	}
}

// awaitServers waits for the servers of the host.
func (c *conversation) awaitServers(ctx context.Context) {
	c.mu.Lock()
	connected := c.connected
	c.mu.Unlock()
	if connected == nil {
		return
	}
	select {
	case <-connected:
	case <-ctx.Done():
	}
}

// initialized is what a host is told about the session. The names are those that the
// official SDKs read.
type initialized struct {
	Commands     []commandJSON `json:"commands"`
	Agents       []agentJSON   `json:"agents"`
	OutputStyle  string        `json:"output_style"`
	OutputStyles []string      `json:"available_output_styles"`
	Models       []modelJSON   `json:"models"`
	Account      accountJSON   `json:"account"`
	PID          int           `json:"pid"`
	// HooksApplied is there when the host brought some, HookOnFailure always: onFailure of
	// a hook holds. PluginsApplied is there, and false, when the host wants plugins.
	HooksApplied  bool `json:"hooks_applied,omitzero"`
	HookOnFailure bool `json:"hook_on_failure_supported"`
	// LeftOpen: an empty prompt goes on with what the session has left open.
	LeftOpen       bool  `json:"left_open"`
	PluginsApplied *bool `json:"plugins_applied,omitzero"`
}

type commandJSON struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	ArgumentHint string `json:"argumentHint"`
}

type agentJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Model       string `json:"model,omitzero"`
}

type modelJSON struct {
	Value       string `json:"value"`
	DisplayName string `json:"displayName"`
	Description string `json:"description"`
}

type accountJSON struct {
	APIKeySource string `json:"apiKeySource"`
}

func (c *conversation) describe(request wire.Initialize) initialized {
	name := c.session.Agent.Model()
	answer := initialized{
		Commands: c.commands(), Agents: c.agents(), OutputStyle: "default", OutputStyles: []string{"default"},
		Models:  []modelJSON{{Value: name, DisplayName: name, Description: "the model of this session"}},
		Account: accountJSON{c.session.KeySource()}, PID: os.Getpid(), HooksApplied: len(request.Hooks) > 0, HookOnFailure: true, LeftOpen: c.leftOpen,
	}
	if len(request.Plugins) > 0 {
		answer.PluginsApplied = new(bool)
	}
	return answer
}

func (c *conversation) commands() []commandJSON {
	list, room := []commandJSON{}, listRoom
	for _, command := range c.session.Commands() {
		list = append(list, commandJSON{command.Name, room.take(command.Description), room.take(command.ArgumentHint)})
	}
	return list
}

func (c *conversation) agents() []agentJSON {
	list, room := []agentJSON{}, listRoom
	for _, d := range c.session.Agent.Kinds() {
		list = append(list, agentJSON{d.Name, room.take(d.Description), d.Model})
	}
	return list
}
