package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Functions is a server in this process whose tools are Go functions. It is safe for
// concurrent use.
type Functions struct {
	server string
	tools  []Function
	calls  sync.WaitGroup // functions that run
	// began and over are told of each.
	began, over func()

	mu    sync.Mutex
	talk  *conversation // since the last client has introduced itself; nil before
	ended bool
}

// NewFunctions makes a server. Its name and those of its tools are used as they are: rules
// and hooks know each as mcp__server__tool.
func NewFunctions(server string, tools ...Function) (*Functions, error) {
	if fault := nameFault(server); fault != "" {
		return nil, fmt.Errorf("no MCP server can be called %q: %s", server, fault)
	}
	if len(tools) == 0 {
		return nil, fmt.Errorf("the MCP server %q has no tools", server)
	}
	var errs []error
	for i, t := range tools {
		errs = append(errs, t.fits(server, tools[:i]))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	nobody := func() {}
	return &Functions{server: server, tools: tools, began: nobody, over: nobody}, nil
}

// fits says why a function cannot be a tool of a server, beside the others.
func (t Function) fits(server string, others []Function) error {
	full := toolName(server, t.name)
	switch {
	case t.call == nil:
		return fmt.Errorf("a tool of the MCP server %q is empty: make it with NewFunction", server)
	case len(full) > maxToolName:
		return fmt.Errorf("the tool name %s has %d characters, and models take at most %d", full, len(full), maxToolName)
	case slices.ContainsFunc(others, func(other Function) bool { return other.name == t.name }):
		return fmt.Errorf("the MCP server %q has two tools called %q", server, t.name)
	}
	return nil
}

// Server is its name.
func (f *Functions) Server() string { return f.server }

// Names are its tools, as rules and hooks know them.
func (f *Functions) Names() []string {
	var names []string
	for _, t := range f.tools {
		names = append(names, toolName(f.server, t.name))
	}
	return names
}

// Observe has somebody told before a function is called, and after it has ended. It must
// happen before the first call.
func (f *Functions) Observe(began, ended func()) { f.began, f.over = began, ended }

// serve is the server for one client. Its functions end with life.
func (f *Functions) serve(life context.Context) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: f.server, Version: "1"}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range f.tools {
		server.AddTool(&sdk.Tool{Name: t.name, Description: t.description, InputSchema: t.schema}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(life, cancel)()
			return f.call(ctx, t, r.Params.Arguments), nil
		})
	}
	return server
}

// call runs a function, and does not wait for one that does not heed its end.
func (f *Functions) call(ctx context.Context, t Function, arguments []byte) *sdk.CallToolResult {
	if !f.begin() {
		return said("Not run: the session has ended.", failed)
	}
	answer := make(chan *sdk.CallToolResult, 1)
	go func() {
		defer f.end()
		if ctx.Err() != nil { // nobody wants it any more, or waits for its end
			answer <- interrupted(t)
			return
		}
		t.run(ctx, arguments, func(result *sdk.CallToolResult) { answer <- result })
	}()
	select {
	case result := <-answer:
		return result
	case <-ctx.Done():
		return interrupted(t)
	}
}

func interrupted(t Function) *sdk.CallToolResult {
	return said(fmt.Sprintf("The tool %s was interrupted. Whether it has done its work is not known.", t.name), failed)
}

// begin counts a function that is about to run; no more do after the end.
func (f *Functions) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return false
	}
	f.calls.Add(1)
	f.began()
	return true
}

func (f *Functions) end() {
	f.over()
	f.calls.Done()
}

// Close ends what is still going on: the contexts of functions end. It waits for them, but
// not long for one that does not heed that.
func (f *Functions) Close() {
	f.mu.Lock()
	f.ended = true
	talk := f.talk
	f.mu.Unlock()
	if talk != nil {
		talk.close()
	}
	over := make(chan struct{})
	go func() {
		f.calls.Wait()
		close(over)
	}()
	patience := time.NewTimer(endTime)
	defer patience.Stop()
	select {
	case <-over:
	case <-patience.C:
	}
}

// toolNameFault says why a function cannot have a name; "" if it can. No character of it is
// replaced on the way to the model, so that a rule means what it says.
func toolNameFault(name string) string {
	switch {
	case name == "":
		return "the name is empty"
	case strings.IndexFunc(name, notNameRune) >= 0:
		return "the name may only have letters, digits, _ and -"
	}
	return ""
}
