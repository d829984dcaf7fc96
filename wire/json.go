package wire

import (
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// The messages as they are written, field by field.

type initJSON struct {
	Type           string      `json:"type"`
	Subtype        string      `json:"subtype"`
	Cwd            string      `json:"cwd"`
	SessionID      string      `json:"session_id"`
	Tools          []string    `json:"tools"`
	MCPServers     []MCPServer `json:"mcp_servers"`
	Model          string      `json:"model"`
	PermissionMode string      `json:"permissionMode"`
	SlashCommands  []string    `json:"slash_commands"`
	APIKeySource   string      `json:"apiKeySource"`
	// Version has the vendor's name, because clients read it by that name.
	Version     string   `json:"claude_code_version"`
	OutputStyle string   `json:"output_style"`
	Agents      []string `json:"agents"`
	Skills      []string `json:"skills"`
	Plugins     []string `json:"plugins"`
	UUID        string   `json:"uuid"`
}

type turnJSON struct {
	ID           string        `json:"id"`
	Type         string        `json:"type"`
	Role         model.Role    `json:"role"`
	Model        string        `json:"model"`
	Content      []model.Block `json:"content"`
	StopReason   *string       `json:"stop_reason"`
	StopSequence *string       `json:"stop_sequence"`
	Usage        model.Usage   `json:"usage"`
}

type assistantJSON struct {
	Type      string   `json:"type"`
	Message   turnJSON `json:"message"`
	Parent    *string  `json:"parent_tool_use_id"`
	Error     string   `json:"error,omitzero"`
	SessionID string   `json:"session_id"`
	UUID      string   `json:"uuid"`
}

type userJSON struct {
	Type          string         `json:"type"`
	Message       model.Message  `json:"message"`
	Parent        *string        `json:"parent_tool_use_id"`
	SessionID     string         `json:"session_id"`
	UUID          string         `json:"uuid"`
	Timestamp     string         `json:"timestamp"`
	ToolUseResult strictjson.Raw `json:"tool_use_result,omitzero"`
	Synthetic     bool           `json:"isSynthetic,omitzero"`
	Replay        bool           `json:"isReplay,omitzero"`
}

type resultJSON struct {
	Type             string                `json:"type"`
	Subtype          Subtype               `json:"subtype"`
	IsError          bool                  `json:"is_error"`
	DurationMS       int64                 `json:"duration_ms"`
	DurationAPIMS    int64                 `json:"duration_api_ms"`
	NumTurns         int                   `json:"num_turns"`
	Result           *string               `json:"result,omitzero"`
	StopReason       *string               `json:"stop_reason"`
	SessionID        string                `json:"session_id"`
	TotalCostUSD     float64               `json:"total_cost_usd"`
	Usage            model.Usage           `json:"usage"`
	ModelUsage       map[string]ModelUsage `json:"modelUsage"`
	Denials          []Denial              `json:"permission_denials"`
	DeferredToolUse  *Deferred             `json:"deferred_tool_use,omitzero"`
	DeferredToolUses []Deferred            `json:"deferred_tool_uses,omitzero"`
	Errors           []string              `json:"errors,omitzero"`
	UUID             string                `json:"uuid"`
}

type hookJSON struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	HookID    string `json:"hook_id"`
	HookName  string `json:"hook_name"`
	HookEvent string `json:"hook_event"`
	SessionID string `json:"session_id"`
	UUID      string `json:"uuid"`
}

type hookResponseJSON struct {
	hookJSON
	Output   string `json:"output"`
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode *int   `json:"exit_code,omitzero"`
	Outcome  string `json:"outcome"`
}

type statusJSON struct {
	Type           string  `json:"type"`
	Subtype        string  `json:"subtype"`
	Status         *string `json:"status"`
	PermissionMode string  `json:"permissionMode"`
	SessionID      string  `json:"session_id"`
	UUID           string  `json:"uuid"`
}

type retryJSON struct {
	Type         string `json:"type"`
	Subtype      string `json:"subtype"`
	Attempt      int    `json:"attempt"`
	MaxRetries   int    `json:"max_retries"`
	RetryDelayMS int64  `json:"retry_delay_ms"`
	ErrorStatus  *int   `json:"error_status"`
	Error        string `json:"error"`
	SessionID    string `json:"session_id"`
	UUID         string `json:"uuid"`
}

type compactMetadata struct {
	Trigger   string `json:"trigger"`
	PreTokens int    `json:"pre_tokens"`
}

type compactJSON struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	Metadata  compactMetadata `json:"compact_metadata"`
	SessionID string          `json:"session_id"`
	UUID      string          `json:"uuid"`
}

type informationalJSON struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	Level     string `json:"level"`
	Content   string `json:"content"`
	SessionID string `json:"session_id"`
	UUID      string `json:"uuid"`
}

type streamJSON struct {
	Type      string         `json:"type"`
	Event     strictjson.Raw `json:"event"`
	Parent    *string        `json:"parent_tool_use_id"`
	SessionID string         `json:"session_id"`
	UUID      string         `json:"uuid"`
}
