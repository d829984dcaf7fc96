package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// Question is a call about which somebody is asked.
type Question struct {
	ToolName            string
	ToolInput           strictjson.Raw
	ToolUseID, AgentID  string
	Reason, BlockedPath string
	Suggestions         []permission.Update
}

type responseLine struct {
	Type     string       `json:"type"`
	Response responseBody `json:"response"`
}

type responseBody struct {
	Subtype string `json:"subtype"`
	ID      string `json:"request_id"`
	Body    any    `json:"response,omitzero"`
	Error   string `json:"error,omitzero"`
}

// respond answers a question of the program. That it cannot be told shows elsewhere.
func (d *Driver) respond(id string, body any, err error) {
	r := responseBody{Subtype: "success", ID: id, Body: body}
	if err != nil {
		r = responseBody{Subtype: "error", ID: id, Error: err.Error()}
	}
	if err := d.out.send(responseLine{"control_response", r}); err != nil && !errors.Is(err, errUnsent) {
		// What a function has returned is no JSON: that must not be no answer at all.
		_ = d.out.send(responseLine{"control_response", responseBody{Subtype: "error", ID: id, Error: "the answer cannot be written: " + err.Error()}})
	}
}

// answer answers a question on a goroutine of its own. One that was taken back has no
// answer.
func (d *Driver) answer(q *question) {
	if q.ctx.Err() != nil {
		d.asked.settled(q)
		return
	}
	d.tasks.Go(func() {
		defer d.asked.settled(q)
		body, err := d.decide(q)
		if q.ctx.Err() == nil {
			d.respond(q.ID, body, err)
		}
	})
}

// decide makes the answer. What panics has failed.
func (d *Driver) decide(q *question) (body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("the host panicked: %v", p)
		}
	}()
	switch q.Subtype {
	case "can_use_tool":
		return d.canUseTool(q.ctx, q.Body)
	case "hook_callback":
		return d.hooks.callback(q.ctx, q.Body, readingOf(q.ID))
	case "mcp_message":
		return d.mcpMessage(q.ctx, q.Body)
	case "elicitation":
		return d.elicit(q.ctx, q.Body)
	}
	return nil, wire.Unsupported(q.Subtype)
}

type allowJSON struct {
	Behavior           string              `json:"behavior"`
	UpdatedInput       strictjson.Raw      `json:"updatedInput"`
	UpdatedPermissions []permission.Update `json:"updatedPermissions,omitempty"`
}

type denyJSON struct {
	Behavior           string              `json:"behavior"`
	Message            string              `json:"message"`
	Interrupt          bool                `json:"interrupt,omitzero"`
	UpdatedPermissions []permission.Update `json:"updatedPermissions,omitempty"`
}

// canUseTool asks whether a call may run. Some programs take a yes only with the input.
func (d *Driver) canUseTool(ctx context.Context, body strictjson.Raw) (any, error) {
	var request struct {
		wire.CanUseTool
		Suggestions strictjson.Raw `json:"permission_suggestions"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if d.options.CanUseTool == nil {
		return nil, errors.New("nobody here answers questions")
	}
	suggestions, _ := hook.ReadUpdates(request.Suggestions) // those of others may be more than we know
	answer, err := d.options.CanUseTool(ctx, Question{
		ToolName: request.ToolName, ToolInput: request.Input, ToolUseID: request.ToolUseID, AgentID: request.AgentID,
		Reason: request.DecisionReason, BlockedPath: request.BlockedPath, Suggestions: suggestions,
	})
	switch {
	case err != nil:
		return nil, err
	case answer.Behavior == permission.Allow && answer.UpdatedInput != nil && !bytes.HasPrefix(bytes.TrimSpace(answer.UpdatedInput), []byte("{")):
		return nil, errors.New("the input of the answer is no JSON object") // programs read null as no change
	case answer.Behavior == permission.Allow:
		yes := allowJSON{"allow", answer.UpdatedInput, answer.Updates}
		if yes.UpdatedInput == nil {
			yes.UpdatedInput = request.Input
		}
		return yes, nil
	case answer.Behavior == permission.Deny:
		return denyJSON{"deny", answer.Message, answer.Interrupt, answer.Updates}, nil
	}
	return nil, errors.New("the answer is neither yes nor no")
}

// mcpMessage hands a message to a server of ours. A notification has no answer, and the
// program wants one for each message.
func (d *Driver) mcpMessage(ctx context.Context, body strictjson.Raw) (any, error) {
	var request struct {
		Server  string         `json:"server_name"`
		Message strictjson.Raw `json:"message"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	for _, s := range d.options.Servers {
		if s.Server() != request.Server {
			continue
		}
		reply, err := s.Send(ctx, request.Message)
		if err != nil {
			return nil, err
		}
		if reply == nil {
			reply = []byte(`{"jsonrpc":"2.0","result":{},"id":0}`)
		}
		return map[string]any{"mcp_response": strictjson.Raw(reply)}, nil
	}
	return nil, fmt.Errorf("there is no MCP server %q here", request.Server)
}

// elicit puts the question of a server to the person.
func (d *Driver) elicit(ctx context.Context, body strictjson.Raw) (any, error) {
	var request wire.Elicitation
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if d.options.Elicit == nil {
		return map[string]any{"action": mcp.Decline.String()}, nil
	}
	q := mcp.Elicitation{Server: request.Server, Message: request.Message, Schema: request.RequestedSchema, URL: request.URL, ID: request.ElicitationID}
	if request.Mode != "url" {
		var err error
		if q.Form, err = mcp.ReadForm(q.Schema); err != nil {
			return nil, err
		}
	}
	answer, err := d.options.Elicit(ctx, q)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"action": answer.Action.String()}
	if answer.Action == mcp.Accept && len(answer.Content) > 0 {
		out["content"] = answer.Content
	}
	return out, nil
}
