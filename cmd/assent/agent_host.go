package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
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
	if err := c.open(asker); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() {
		err := c.host.Serve(c.in)
		if err != nil {
			c.abandon() // nobody knows what the host wanted to say, and it may have been no
		}
		served <- err
	}()
	c.session.Agent.Start(ctx, c.session.Source)
	for {
		prompt, ok := c.host.Next(ctx)
		if !ok {
			break
		}
		if c.flags.replay {
			c.out.Tell(&wire.User{Content: prompt.Content, Replay: true, Stamp: wire.Stamp{UUID: prompt.UUID}})
		}
		if err := c.addServers(ctx); err != nil {
			c.warn(err.Error())
		}
		c.last = c.session.Agent.Prompt(ctx, agent.Prompt{Content: prompt.Content})
		if c.session.Agent.Broken() != nil {
			break // the result says that nothing can be recorded any more
		}
	}
	if left := c.host.Waiting(); left > 0 {
		c.warn(fmt.Sprintf("prompts that were not worked off: %d", left))
	}
	closed := c.close()
	select {
	case err := <-served:
		return worse(err, closed)
	default: // a signal, or an output that nobody reads: stdin may stay open for ever
		return closed
	}
}

// handle answers a request of the host.
func (c *conversation) handle(r wire.Request) (any, error) {
	switch r.Subtype {
	case "initialize":
		return c.initialize(r)
	case "set_permission_mode":
		return c.setMode(r.Body)
	case "set_model":
		return c.setModel(r.Body)
	case "interrupt":
		c.session.Agent.Interrupt()
		return struct{}{}, nil
	}
	return nil, wire.Unsupported(r.Subtype)
}

// addServers connects the servers inside of the host. That needs its answers, so it
// cannot happen where its requests are read.
func (c *conversation) addServers(ctx context.Context) error {
	c.mu.Lock()
	names := c.servers
	c.servers = nil
	c.mu.Unlock()
	if len(names) == 0 {
		return nil
	}
	return c.session.AddServers(ctx, names, c.host.MCP)
}

// initialize takes the hooks of the host, and says what there is.
func (c *conversation) initialize(r wire.Request) (any, error) {
	request, err := wire.ReadInitialize(r)
	if err != nil {
		return nil, err
	}
	entries, err := c.host.Entries(request)
	if err != nil {
		return nil, err
	}
	if err := c.session.Agent.AddHooks(entries); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.servers = append(c.servers, request.Servers...)
	c.mu.Unlock()
	return struct {
		Commands     []string `json:"commands"`
		Agents       []string `json:"agents"`
		OutputStyle  string   `json:"output_style"`
		OutputStyles []string `json:"available_output_styles"`
		Models       []string `json:"models"`
		Account      struct{} `json:"account"`
		PID          int      `json:"pid"`
	}{OutputStyle: "default", OutputStyles: []string{"default"}, PID: os.Getpid()}, nil
}

func (c *conversation) setMode(body strictjson.Raw) (any, error) {
	var request struct {
		Mode string `json:"mode"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	mode, err := permission.ParseMode(request.Mode)
	if err != nil {
		return nil, err
	}
	if err := c.session.Agent.SetMode(mode); err != nil {
		return nil, err
	}
	return struct {
		Mode string `json:"mode"`
	}{mode.String()}, nil
}

func (c *conversation) setModel(body strictjson.Raw) (any, error) {
	var request struct {
		Model *string `json:"model"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if request.Model == nil || *request.Model == "" {
		return nil, errors.New("set_model needs the name of a model")
	}
	c.session.SetModel(*request.Model)
	return struct{}{}, nil
}
