package hook

import "github.com/assent-dev/assent/internal/strictjson"

// Input is what a hook is told: one of the types of this file, by value.
type Input interface {
	// Event is the moment it is about.
	Event() Event
	// Subject is what a matcher is compared with: the name of the tool, the source
	// of a session start and so on; "" where the event has none.
	Subject() string
}

// Base is what every hook is told.
type Base struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	// PermissionMode is left out at the events that do not have it.
	PermissionMode string `json:"permission_mode,omitzero"`
	// AgentID and AgentType are set inside a sub-agent.
	AgentID   string `json:"agent_id,omitzero"`
	AgentType string `json:"agent_type,omitzero"`
}

// PreToolUseInput is a call that is about to run.
type PreToolUseInput struct {
	Base
	ToolName  string         `json:"tool_name"`
	ToolInput strictjson.Raw `json:"tool_input"`
	ToolUseID string         `json:"tool_use_id,omitzero"`
}

// PostToolUseInput is a call that ran.
type PostToolUseInput struct {
	Base
	ToolName string `json:"tool_name"`
	// ToolInput is the input as it ran.
	ToolInput    strictjson.Raw `json:"tool_input"`
	ToolResponse strictjson.Raw `json:"tool_response"`
	ToolUseID    string         `json:"tool_use_id,omitzero"`
}

// PostToolUseFailureInput is a call that ran and failed.
type PostToolUseFailureInput struct {
	Base
	ToolName    string         `json:"tool_name"`
	ToolInput   strictjson.Raw `json:"tool_input"`
	ToolUseID   string         `json:"tool_use_id,omitzero"`
	Error       string         `json:"error"`
	IsInterrupt bool           `json:"is_interrupt"`
}

// PermissionRequestInput is a call about which somebody is asked.
type PermissionRequestInput struct {
	Base
	ToolName  string         `json:"tool_name"`
	ToolInput strictjson.Raw `json:"tool_input"`
	// PermissionSuggestions are the updates that "always allow" would make.
	PermissionSuggestions strictjson.Raw `json:"permission_suggestions,omitzero"`
}

// PermissionDeniedInput is a call that the classifier refused.
type PermissionDeniedInput struct {
	Base
	ToolName  string         `json:"tool_name"`
	ToolInput strictjson.Raw `json:"tool_input"`
	ToolUseID string         `json:"tool_use_id,omitzero"`
	Reason    string         `json:"reason"`
}

// NotificationInput is something that a person should see.
type NotificationInput struct {
	Base
	Message string `json:"message"`
	Title   string `json:"title,omitzero"`
}

// UserPromptSubmitInput is a prompt before the model gets it.
type UserPromptSubmitInput struct {
	Base
	Prompt string `json:"prompt"`
}

// SessionStartInput is a session that starts.
type SessionStartInput struct {
	Base
	Source string `json:"source"` // startup, resume, clear, compact
	Model  string `json:"model,omitzero"`
}

// SessionEndInput is a session that ends.
type SessionEndInput struct {
	Base
	Reason string `json:"reason"`
}

// StopInput is the end of a turn.
type StopInput struct {
	Base
	// StopHookActive: the agent goes on because a Stop hook told it to.
	StopHookActive       bool   `json:"stop_hook_active"`
	LastAssistantMessage string `json:"last_assistant_message,omitzero"`
}

// SubagentStartInput is a sub-agent that starts; Base names it.
type SubagentStartInput struct{ Base }

// SubagentStopInput is a sub-agent that ends; Base names it.
type SubagentStopInput struct {
	Base
	StopHookActive       bool   `json:"stop_hook_active"`
	AgentTranscriptPath  string `json:"agent_transcript_path,omitzero"`
	LastAssistantMessage string `json:"last_assistant_message,omitzero"`
}

// PreCompactInput is a conversation that is about to be summed up.
type PreCompactInput struct {
	Base
	Trigger string `json:"trigger"` // manual, auto
	// CustomInstructions is null when there are none.
	CustomInstructions *string `json:"custom_instructions"`
}

// The moments, and what a matcher is compared with.

func (PreToolUseInput) Event() Event         { return PreToolUse }
func (PostToolUseInput) Event() Event        { return PostToolUse }
func (PostToolUseFailureInput) Event() Event { return PostToolUseFailure }
func (PermissionRequestInput) Event() Event  { return PermissionRequest }
func (PermissionDeniedInput) Event() Event   { return PermissionDenied }
func (NotificationInput) Event() Event       { return Notification }
func (UserPromptSubmitInput) Event() Event   { return UserPromptSubmit }
func (SessionStartInput) Event() Event       { return SessionStart }
func (SessionEndInput) Event() Event         { return SessionEnd }
func (StopInput) Event() Event               { return Stop }
func (SubagentStartInput) Event() Event      { return SubagentStart }
func (SubagentStopInput) Event() Event       { return SubagentStop }
func (PreCompactInput) Event() Event         { return PreCompact }

func (in PreToolUseInput) Subject() string         { return in.ToolName }
func (in PostToolUseInput) Subject() string        { return in.ToolName }
func (in PostToolUseFailureInput) Subject() string { return in.ToolName }
func (in PermissionRequestInput) Subject() string  { return in.ToolName }
func (in PermissionDeniedInput) Subject() string   { return in.ToolName }
func (NotificationInput) Subject() string          { return "" }
func (UserPromptSubmitInput) Subject() string      { return "" }
func (in SessionStartInput) Subject() string       { return in.Source }
func (in SessionEndInput) Subject() string         { return in.Reason }
func (StopInput) Subject() string                  { return "" }
func (in SubagentStartInput) Subject() string      { return in.AgentType }
func (in SubagentStopInput) Subject() string       { return in.AgentType }
func (in PreCompactInput) Subject() string         { return in.Trigger }
