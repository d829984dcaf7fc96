package wire

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Initialize is how a host begins: it registers hooks of its own.
type Initialize struct {
	// Hooks by event; each matcher names callbacks.
	Hooks map[hook.Event][]HookMatcher `json:"hooks"`
	// Servers are the names of MCP servers inside of the host.
	Servers []string `json:"sdkMcpServers"`
	// SystemPrompt replaces the instructions of the session, AppendSystemPrompt adds to
	// them.
	SystemPrompt       *string `json:"systemPrompt"`
	AppendSystemPrompt *string `json:"appendSystemPrompt"`
}

// HookMatcher is one registration.
type HookMatcher struct {
	Matcher     string   `json:"matcher"`
	CallbackIDs []string `json:"hookCallbackIds"`
	// Timeout is how long a callback may take, in seconds; zero means the default.
	Timeout float64 `json:"timeout"`
}

// ReadInitialize reads the request of a host.
func ReadInitialize(r Request) (Initialize, error) {
	var request Initialize
	err := strictjson.Unmarshal(r.Body, &request)
	return request, err
}

// Entries are the hooks of a host: each asks it over the control protocol. The order is
// that of the events in hook.Events, and within one that of the request.
func (h *Host) Entries(request Initialize) ([]hook.Entry, error) {
	for event := range request.Hooks {
		if !known(event) {
			return nil, fmt.Errorf("there is no hook event %q", event)
		}
	}
	var list []hook.Entry
	for _, event := range hook.Events {
		for _, m := range request.Hooks[event] {
			matcher, err := hook.ParseMatcher(m.Matcher)
			entry := hook.Entry{Event: event, Matcher: matcher, RestrictOnly: err != nil}
			if m.Timeout < 0 || m.Timeout > hook.MaxTimeout.Seconds() {
				return nil, fmt.Errorf("the timeout of a hook at %s must be between 0 and %v seconds", event, hook.MaxTimeout.Seconds())
			}
			entry.Timeout = time.Duration(m.Timeout * float64(time.Second))
			for _, id := range m.CallbackIDs {
				entry.Handler = hook.Callback{ID: id, Send: h.callback}
				list = append(list, entry)
			}
		}
	}
	return list, nil
}

func known(event hook.Event) bool {
	for _, e := range hook.Events {
		if e == event {
			return true
		}
	}
	return false
}

type mcpMessage struct {
	Subtype string         `json:"subtype"`
	Server  string         `json:"server_name"`
	Message strictjson.Raw `json:"message"`
}

// MCP hands a message to a server inside of the host and returns its answer.
func (h *Host) MCP(ctx context.Context, server string, message []byte) ([]byte, error) {
	body, err := h.Ask(ctx, mcpMessage{Subtype: "mcp_message", Server: server, Message: message})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Response strictjson.Raw `json:"mcp_response"`
	}
	err = strictjson.Unmarshal(body, &answer)
	return answer.Response, err
}

type hookCallback struct {
	Subtype    string         `json:"subtype"`
	CallbackID string         `json:"callback_id"`
	Input      strictjson.Raw `json:"input"`
	ToolUseID  string         `json:"tool_use_id,omitzero"`
}

// callback asks one hook of the host.
func (h *Host) callback(ctx context.Context, id string, input []byte, toolUseID string) ([]byte, error) {
	return h.Ask(ctx, hookCallback{Subtype: "hook_callback", CallbackID: id, Input: input, ToolUseID: toolUseID})
}
