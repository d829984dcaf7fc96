package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// serve talks to the client until it goes.
func (p *prompter) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "assent", Version: thisBuild().Version}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	server.AddTool(&sdk.Tool{
		Name:        "approve",
		Description: "Asks the rules, and then people, whether a tool call may run. It is for --permission-prompt-tool, and not for models.",
		InputSchema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				"tool_name":   map[string]any{"type": "string"},
				"input":       map[string]any{"type": "object"},
				"tool_use_id": map[string]any{"type": "string"},
			},
			"required": []string{"tool_name", "input"},
		},
	}, p.approve)
	err := server.Run(ctx, &sdk.IOTransport{Reader: closable{Reader: in}, Writer: closable{Writer: out}})
	if ended(err) {
		return nil
	}
	return err
}

// verdictOfTool is the answer that a client reads out of the text of the result.
type verdictOfTool struct {
	Behavior     string         `json:"behavior"`
	UpdatedInput strictjson.Raw `json:"updatedInput,omitzero"`
	Message      string         `json:"message,omitempty"`
}

// approve answers one question. Whatever goes wrong is a no that says why.
func (p *prompter) approve(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	stop := p.stillWaiting(ctx, r)
	defer stop()
	verdict, err := p.judge(ctx, r.Params.Arguments)
	if ctx.Err() != nil { // nobody reads it; the call stays in the inbox
		return nil, ctx.Err()
	}
	if err != nil {
		verdict = verdictOfTool{Behavior: "deny", Message: "assent: not allowed, because assent could not judge it: " + err.Error()}
	}
	text, err := strictjson.Marshal(verdict)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil
}

// judge asks the rules, and then people.
func (p *prompter) judge(ctx context.Context, arguments []byte) (verdictOfTool, error) {
	var asked struct {
		Tool  string         `json:"tool_name"`
		Input strictjson.Raw `json:"input"`
	}
	if err := strictjson.Unmarshal(arguments, &asked); err != nil {
		return verdictOfTool{}, fmt.Errorf("the question cannot be read: %w", err)
	}
	if asked.Tool == "" || asked.Input == nil {
		return verdictOfTool{}, errors.New("the question does not say which tool is to run with which input")
	}
	event, err := strictjson.Marshal(struct {
		Event   string         `json:"hook_event_name"`
		Session string         `json:"session_id"`
		Cwd     string         `json:"cwd"`
		Tool    string         `json:"tool_name"`
		Input   strictjson.Raw `json:"tool_input"`
	}{"PreToolUse", p.session, p.options.Cwd, asked.Tool, asked.Input})
	if err != nil {
		return verdictOfTool{}, err
	}
	o := p.options
	o.Hold = patientHolder{ctx, hookcmd.Holder(ctx, p.at, ownTickets)}
	outcome, err := guard.Judge(o, event)
	switch {
	case err != nil:
		return verdictOfTool{}, err
	case outcome.Behavior != permission.Allow:
		return verdictOfTool{Behavior: "deny", Message: "assent: " + outcome.Reason}, nil
	case outcome.Input != nil:
		return verdictOfTool{Behavior: "allow", UpdatedInput: outcome.Input}, nil
	}
	return verdictOfTool{Behavior: "allow", UpdatedInput: asked.Input}, nil
}

// patientHolder waits on where a server has ended: the call is still in the inbox.
type patientHolder struct {
	ctx context.Context
	guard.Holder
}

// Hold waits until somebody has answered, or the time is over.
func (h patientHolder) Hold(held guard.Held) (guard.Answer, error) {
	until := time.Now().Add(held.Wait)
	for {
		answer, err := h.Holder.Hold(held)
		if err != nil || answer.Behavior != permission.Ask || h.ctx.Err() != nil || !time.Now().Before(until) {
			return answer, err
		}
		held.Wait = time.Until(until)
	}
}

// stillWaiting tells the client now and then that its question has not been forgotten, if
// it wants to know.
func (p *prompter) stillWaiting(ctx context.Context, r *sdk.CallToolRequest) (stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		began, tick := time.Now(), time.NewTicker(p.interval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			waited := time.Since(began).Round(time.Second)
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ // a client that has gone is noticed elsewhere
				ProgressToken: token, Progress: waited.Seconds(), Message: fmt.Sprintf("waiting for an answer in the inbox for %v", waited),
			})
		}
	}()
	return cancel
}
