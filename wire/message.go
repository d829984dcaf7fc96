package wire

import (
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Message is something that happens in a session: one of the types of this file,
// by pointer. Output fills in session and uuid.
type Message interface{ stamp() *Stamp }

// Stamp is what every message carries.
type Stamp struct {
	SessionID string `json:"session_id"`
	UUID      string `json:"uuid"`
}

func (s *Stamp) stamp() *Stamp { return s }

// Init tells a host what the session works with. It comes before the first model
// call of every prompt.
type Init struct {
	Cwd            string
	Tools          []string
	MCPServers     []MCPServer
	Model          string
	PermissionMode string
	SlashCommands  []string
	APIKeySource   string
	Version        string // of assent
	OutputStyle    string
	Agents         []string
	Skills         []string
	Plugins        []string
	Stamp
}

// MCPServer is a server and whether it can be used.
type MCPServer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// Assistant is one block of what the model said.
type Assistant struct {
	// TurnID is shared by the blocks of one turn.
	TurnID          string
	Model           string
	Block           model.Block
	Usage           model.Usage
	ParentToolUseID string // the call of the sub-agent that said it
	// Error is set on a message that stands in for a turn that failed:
	// "authentication_failed".
	Error string
	Stamp
}

// User is what the model is told: the result of a tool, a prompt that is repeated,
// or a text of assent's own.
type User struct {
	Content         []model.Block
	ParentToolUseID string
	// ToolUseResult is the result for programs; nil when it is none.
	ToolUseResult strictjson.Raw
	// Synthetic: assent wrote it. Replay: the host sent it, and gets it back.
	Synthetic, Replay bool
	// Task: it is what a sub-agent is asked to do. A program does not print that.
	Task bool
	Stamp
}

// Result is the end of a prompt.
type Result struct {
	Subtype       Subtype
	IsError       bool
	DurationMS    int64
	DurationAPIMS int64
	NumTurns      int
	// Text is the last thing the model said. It is left out where the subtype says
	// that there is none.
	Text string
	// StopReason is why the model stopped, in its own word, or [ToolDeferred] and its like;
	// "" means null.
	StopReason   string
	TotalCostUSD float64
	Usage        model.Usage
	ModelUsage   map[string]ModelUsage
	Denials      []Denial
	Errors       []string
	Deferred     []Deferred
	// Batch: several calls of a turn may wait, so Deferred is printed as a list, also of
	// one. It is for whoever prints the result; who reads it need not care.
	Batch bool
	// TakenUp: this is how the calls went that had waited when the session was resumed, and
	// the result of the prompt is still to come. It is for Go programs, and not printed.
	TakenUp bool
	// Hooks are those that ran for the prompt. They are for Go programs: they are not
	// printed, since hosts get messages about them.
	Hooks []HookResponse
	Stamp
}

// Subtype is how a prompt ended.
type Subtype string

// The subtypes.
const (
	Success              Subtype = "success"
	ErrorDuringExecution Subtype = "error_during_execution"
	ErrorMaxTurns        Subtype = "error_max_turns"
)

// Why a prompt stopped that ends with calls that wait.
const (
	ToolDeferred            = "tool_deferred"             // somebody has to decide
	ToolDeferredUnavailable = "tool_deferred_unavailable" // the tool of such a call is gone
)

// ModelUsage is what one model cost.
type ModelUsage struct {
	InputTokens              int     `json:"inputTokens"`
	OutputTokens             int     `json:"outputTokens"`
	CacheReadInputTokens     int     `json:"cacheReadInputTokens"`
	CacheCreationInputTokens int     `json:"cacheCreationInputTokens"`
	WebSearchRequests        int     `json:"webSearchRequests"`
	CostUSD                  float64 `json:"costUSD"`
	ContextWindow            int     `json:"contextWindow"`
}

// Denial is a call that was refused; the input is the model's.
type Denial struct {
	ToolName  string         `json:"tool_name"`
	ToolUseID string         `json:"tool_use_id"`
	ToolInput strictjson.Raw `json:"tool_input"`
	// Reason is why, in the words that the model was told. It is for Go programs: hosts find
	// it in the result of the call, and nobody prints it here.
	Reason string `json:"-"`
}

// Deferred is a call that waits for somebody's decision.
type Deferred struct {
	ToolUseID string         `json:"id"`
	ToolName  string         `json:"name"`
	ToolInput strictjson.Raw `json:"input"`
}

// HookStarted is a hook that runs.
type HookStarted struct {
	HookID, HookName, HookEvent string
	Stamp
}

// HookResponse is how it ended.
type HookResponse struct {
	HookID, HookName, HookEvent string
	Output, Stdout, Stderr      string
	ExitCode                    *int
	Outcome                     string // success, error, cancelled
	Stamp
}

// Status is a change of the permission mode.
type Status struct {
	PermissionMode string
	Stamp
}

// APIRetry is a call of the model that failed and is tried again.
type APIRetry struct {
	Attempt, MaxRetries int
	RetryDelayMS        int64
	ErrorStatus         int // 0 means null: no answer
	Error               string
	Stamp
}

// CompactBoundary is where the conversation starts anew with a summary.
type CompactBoundary struct {
	Trigger   string // manual, auto
	PreTokens int
	Stamp
}

// Informational is something that a person should know.
type Informational struct {
	Level string // info, warning
	Text  string
	Stamp
}

// StreamEvent is a piece of the model's answer (--include-partial-messages).
type StreamEvent struct {
	Event           strictjson.Raw
	ParentToolUseID string
	Stamp
}
