package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/wire"
)

// handleServers answers requests about MCP servers.
func (c *conversation) handleServers(r wire.Request) (any, error) {
	var request struct {
		Name    string         `json:"serverName"`
		Enabled bool           `json:"enabled"`
		Servers strictjson.Raw `json:"servers"`
		// Server and Message are those of mcp_message.
		Server  string         `json:"server_name"`
		Message strictjson.Raw `json:"message"`
	}
	if err := strictjson.Unmarshal(r.Body, &request); err != nil {
		return nil, err
	}
	switch r.Subtype {
	case "mcp_message":
		return struct{}{}, c.post(delivery{request.Server, request.Message})
	case "mcp_reconnect":
		return wire.Later(func(ctx context.Context) (any, error) { return struct{}{}, c.session.Reconnect(ctx, request.Name) }), nil
	case "mcp_toggle":
		to := agent.Off
		if request.Enabled {
			to = agent.On
		}
		return struct{}{}, c.session.SwitchServer(request.Name, to)
	case "mcp_set_servers":
		return c.setServers(request.Servers)
	}
	return struct { // mcp_status
		Servers []mcpStateJSON `json:"mcpServers"`
	}{c.serverStates()}, nil
}

// setServers makes these the servers that the host has added. All of them must be
// readable: a host that means another server than it gets would not notice.
func (c *conversation) setServers(text strictjson.Raw) (any, error) {
	servers, problems := c.session.ReadServers(text)
	for _, p := range problems {
		if p.Effect == mcp.LeftOut {
			return nil, p
		}
	}
	return wire.Later(func(ctx context.Context) (any, error) {
		for _, p := range problems {
			c.caution(p.Error())
		}
		c.awaitServers(ctx) // those of initialize come first
		changed := c.session.SetServers(ctx, servers, c.host.MCP)
		return struct {
			Added   []string          `json:"added"`
			Removed []string          `json:"removed"`
			Errors  map[string]string `json:"errors"`
		}{append([]string{}, changed.Added...), append([]string{}, changed.Removed...), changed.Failed}, nil
	}), nil
}

// maxMail is how many messages of servers inside of the host may wait for delivery.
const maxMail = 1000

// delivery is a message that a server inside of the host has sent of its own accord.
type delivery struct {
	server  string
	message []byte
}

// post hands a message on, in the order in which they come. Whoever reads the host must
// not wait for a server.
func (c *conversation) post(d delivery) error {
	if !slices.ContainsFunc(c.session.ServerStatus(), func(s mcp.Status) bool { return s.Name == d.server && s.Kind == mcp.SDK }) {
		return fmt.Errorf("there is no MCP server %q in the host", d.server)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.mail) >= maxMail {
		return fmt.Errorf("%d messages of servers wait already", maxMail)
	}
	c.mail = append(c.mail, d)
	if !c.posting {
		c.posting = true
		go c.deliver()
	}
	return nil
}

// deliver delivers what there is. A message that nobody takes is lost, as it is when a
// server has ended.
func (c *conversation) deliver() {
	for {
		c.mu.Lock()
		if len(c.mail) == 0 {
			c.posting = false
			c.mu.Unlock()
			return
		}
		next := c.mail[0]
		c.mail = c.mail[1:]
		c.mu.Unlock()
		_ = c.session.Deliver(context.Background(), next.server, next.message)
	}
}
