package wire

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Entries are the hooks of a host: each asks it over the control protocol. The order is
// that of the events in hook.Events, and within one that of the request. Notes are what
// the host should know about them.
func (h *Host) Entries(request Initialize) (list []hook.Entry, notes []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(request.Hooks)) {
		switch {
		case slices.Contains(hook.Events, hook.Event(name)):
		case slices.Contains(foreignEvents, name):
			notes = append(notes, fmt.Sprintf("hooks at %s never run: assent has no such event", name))
		default:
			return nil, nil, fmt.Errorf("there is no hook event %q (its hooks would never run)", name)
		}
	}
	for _, event := range hook.Events {
		for _, m := range request.Hooks[string(event)] {
			entry, err := m.entry(event)
			if err != nil {
				return nil, nil, err
			}
			for _, id := range m.CallbackIDs {
				entry.Handler = hook.Callback{ID: id, Send: h.callback}
				list = append(list, entry)
			}
		}
	}
	return list, notes, nil
}

// foreignEvents are events that hosts may have hooks at and that nothing leads to here.
// Any other name is a mistake, and the hook that it was to call would be missed.
var foreignEvents = []string{
	"ConfigChange", "CwdChanged", "DirectoryAdded", "Elicitation", "ElicitationResult", "FileChanged", "InstructionsLoaded",
	"MessageDisplay", "PostCompact", "PostModelSwitch", "PostToolBatch", "PreModelSwitch", "Setup", "StopFailure",
	"TaskCompleted", "TaskCreated", "TeammateIdle", "UserPromptExpansion", "WorktreeCreate", "WorktreeRemove",
}

// entry is a registration without its handler.
func (m HookMatcher) entry(event hook.Event) (hook.Entry, error) {
	matcher, err := hook.ParseMatcher(m.Matcher)
	entry := hook.Entry{Event: event, Matcher: matcher, RestrictOnly: err != nil}
	if !(m.Timeout >= 0 && m.Timeout <= hook.MaxTimeout.Seconds()) {
		return entry, fmt.Errorf("the timeout of a hook at %s must be between 0 and %v seconds", event, hook.MaxTimeout.Seconds())
	}
	entry.Timeout = time.Duration(m.Timeout * float64(time.Second))
	switch m.OnFailure {
	case "":
	case "block":
		if event != hook.Stop && event != hook.SubagentStop { // an agent that a broken hook does not let stop would never stop
			entry.OnFailure = hook.FailClosed
		}
	case "continue":
		entry.OnFailure = hook.FailOpen
	default:
		return entry, fmt.Errorf("onFailure of a hook at %s is %q (use continue or block)", event, m.OnFailure)
	}
	return entry, nil
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
