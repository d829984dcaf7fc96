package wire

import (
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Encode writes a message as a host reads it, on one line.
func Encode(m Message) ([]byte, error) {
	switch m := m.(type) {
	case *Init:
		return strictjson.Marshal(initJSON{
			Type: "system", Subtype: "init", Cwd: m.Cwd, SessionID: m.SessionID, Tools: m.Tools, MCPServers: m.MCPServers, Model: m.Model,
			PermissionMode: m.PermissionMode, SlashCommands: m.SlashCommands, APIKeySource: m.APIKeySource, Version: m.Version,
			OutputStyle: m.OutputStyle, Agents: m.Agents, Skills: m.Skills, Plugins: m.Plugins, UUID: m.UUID,
		})
	case *Assistant:
		return encodeAssistant(m)
	case *User:
		return encodeUser(m)
	case *Result:
		return encodeResult(m)
	case *HookStarted:
		return strictjson.Marshal(hookJSON{Type: "system", Subtype: "hook_started", HookID: m.HookID, HookName: m.HookName, HookEvent: m.HookEvent, SessionID: m.SessionID, UUID: m.UUID})
	case *HookResponse:
		return strictjson.Marshal(hookResponseJSON{
			hookJSON: hookJSON{Type: "system", Subtype: "hook_response", HookID: m.HookID, HookName: m.HookName, HookEvent: m.HookEvent, SessionID: m.SessionID, UUID: m.UUID},
			Output:   m.Output, Stdout: m.Stdout, Stderr: m.Stderr, ExitCode: m.ExitCode, Outcome: m.Outcome,
		})
	case *Status:
		return strictjson.Marshal(statusJSON{Type: "system", Subtype: "status", PermissionMode: m.PermissionMode, SessionID: m.SessionID, UUID: m.UUID})
	case *APIRetry:
		return encodeRetry(m)
	case *CompactBoundary:
		return strictjson.Marshal(compactJSON{
			Type: "system", Subtype: "compact_boundary", Metadata: compactMetadata{m.Trigger, m.PreTokens}, SessionID: m.SessionID, UUID: m.UUID,
		})
	case *Informational:
		return strictjson.Marshal(informationalJSON{Type: "system", Subtype: "informational", Level: m.Level, Content: m.Text, SessionID: m.SessionID, UUID: m.UUID})
	case *ToolProgress:
		return encodeToolProgress(m)
	case *StreamEvent:
		return strictjson.Marshal(streamJSON{Type: "stream_event", Event: m.Event, Parent: orNull(m.ParentToolUseID), SessionID: m.SessionID, UUID: m.UUID})
	case *Unknown:
		return strictjson.Marshal(m.Raw)
	}
	return nil, fmt.Errorf("a message of type %T has no form on the wire", m)
}

func encodeAssistant(m *Assistant) ([]byte, error) {
	return strictjson.Marshal(assistantJSON{
		Type: "assistant",
		Message: turnJSON{
			ID: m.TurnID, Type: "message", Role: model.Assistant, Model: m.Model, Content: []model.Block{m.Block.Sendable()}, Usage: m.Usage,
		},
		Parent: orNull(m.ParentToolUseID), Error: m.Error, SessionID: m.SessionID, UUID: m.UUID,
	})
}

func encodeUser(m *User) ([]byte, error) {
	return strictjson.Marshal(userJSON{
		Type: "user", Message: model.Message{Role: model.User, Content: m.Content}, Parent: orNull(m.ParentToolUseID),
		SessionID: m.SessionID, UUID: m.UUID, Timestamp: time.Now().UTC().Format(time.RFC3339Nano), ToolUseResult: m.ToolUseResult,
		Synthetic: m.Synthetic, Replay: m.Replay,
	})
}

func encodeResult(m *Result) ([]byte, error) {
	r := resultJSON{
		Type: "result", Subtype: m.Subtype, IsError: m.IsError, DurationMS: m.DurationMS, DurationAPIMS: m.DurationAPIMS, NumTurns: m.NumTurns,
		StopReason: orNull(m.StopReason), SessionID: m.SessionID, TotalCostUSD: m.TotalCostUSD, Usage: m.Usage,
		ModelUsage: m.ModelUsage, Denials: make([]Denial, 0, len(m.Denials)), Errors: m.Errors, UUID: m.UUID,
	}
	if m.Subtype == Success {
		r.Result = &m.Text
	}
	for _, d := range m.Denials {
		if strictjson.Valid(d.ToolInput) != nil {
			d.ToolInput = strictjson.Raw("{}")
		}
		r.Denials = append(r.Denials, d)
	}
	if len(m.Deferred) > 0 {
		r.DeferredToolUse = &m.Deferred[0]
	}
	if len(m.Deferred) > 1 || m.Batch {
		r.DeferredToolUses = m.Deferred
	}
	return strictjson.Marshal(r)
}

func encodeRetry(m *APIRetry) ([]byte, error) {
	r := retryJSON{
		Type: "system", Subtype: "api_retry", Attempt: m.Attempt, MaxRetries: m.MaxRetries, RetryDelayMS: m.RetryDelayMS,
		Error: m.Error, SessionID: m.SessionID, UUID: m.UUID,
	}
	if m.ErrorStatus != 0 {
		r.ErrorStatus = &m.ErrorStatus
	}
	return strictjson.Marshal(r)
}

// orNull is null for a text that is not there.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
