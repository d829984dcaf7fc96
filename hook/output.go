package hook

import "github.com/assent-dev/assent/internal/strictjson"

// Output is what a hook answers, field by field as hooks write it in JSON. The zero
// value is no opinion. A Go hook fills it in; [Deny], [Allow] and their like make
// the common ones.
type Output struct {
	// Continue false stops the session after this turn; nil means true.
	Continue       *bool  `json:"continue,omitzero"`
	StopReason     string `json:"stopReason,omitzero"`
	SuppressOutput bool   `json:"suppressOutput,omitzero"`
	// SystemMessage is for the person, not for the model.
	SystemMessage string `json:"systemMessage,omitzero"`
	// Decision is "approve" or "block", the older way to answer. At PreToolUse
	// "approve" is an explicit allow, and "block" a denial.
	Decision string `json:"decision,omitzero"`
	Reason   string `json:"reason,omitzero"`
	// Async lets the hook go on in the background, where it decides nothing, for
	// AsyncTimeout milliseconds.
	Async        bool      `json:"async,omitzero"`
	AsyncTimeout int       `json:"asyncTimeout,omitzero"`
	Specific     *Specific `json:"hookSpecificOutput,omitzero"`
}

// Specific is the part of an answer that depends on the event.
type Specific struct {
	// HookEventName is the event; empty means the one that happened.
	HookEventName Event `json:"hookEventName,omitzero"`
	// PermissionDecision is "allow", "deny", "ask" or "defer" (PreToolUse).
	PermissionDecision       string `json:"permissionDecision,omitzero"`
	PermissionDecisionReason string `json:"permissionDecisionReason,omitzero"`
	// UpdatedInput holds the keys of the tool's input that change; null deletes a
	// key. It counts only together with an explicit allow (PreToolUse).
	UpdatedInput strictjson.Raw `json:"updatedInput,omitzero"`
	// AnnounceInput shows the change of the input to the model.
	AnnounceInput bool `json:"announceInput,omitzero"`
	// AdditionalContext is text for the model.
	AdditionalContext string `json:"additionalContext,omitzero"`
	// UpdatedToolOutput replaces what the model sees of a result (PostToolUse);
	// UpdatedMCPToolOutput does so for MCP tools only, where it is the one that counts.
	UpdatedToolOutput    strictjson.Raw `json:"updatedToolOutput,omitzero"`
	UpdatedMCPToolOutput strictjson.Raw `json:"updatedMCPToolOutput,omitzero"`
	// Decision answers a PermissionRequest.
	Decision *RequestDecision `json:"decision,omitzero"`
	// Retry tells the model that it may try again (PermissionDenied).
	Retry bool `json:"retry,omitzero"`
}

// RequestDecision is the answer to a PermissionRequest.
type RequestDecision struct {
	Behavior string `json:"behavior"` // allow or deny
	// UpdatedInput is the whole input.
	UpdatedInput       strictjson.Raw `json:"updatedInput,omitzero"`
	UpdatedPermissions strictjson.Raw `json:"updatedPermissions,omitzero"`
	Message            string         `json:"message,omitzero"`
	Interrupt          bool           `json:"interrupt,omitzero"`
}
