package wire

import (
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// readerOf is what reads the messages of that name; nil when they are not known.
func readerOf(h head) func(line []byte) (Message, error) {
	switch h.Type {
	case "assistant":
		return decodeAssistant
	case "user":
		return decodeUser
	case "result":
		return decodeResult
	case "stream_event":
		return decodeStream
	case "tool_progress":
		return decodeToolProgress
	case "system":
		return systemReaderOf(h.Subtype)
	}
	return nil
}

func systemReaderOf(subtype string) func(line []byte) (Message, error) {
	switch subtype {
	case "init":
		return decodeInit
	case "hook_started":
		return decodeHookStarted
	case "hook_response":
		return decodeHookResponse
	case "status":
		return decodeStatus
	case "api_retry":
		return decodeRetry
	case "compact_boundary":
		return decodeCompact
	case "informational":
		return decodeInformational
	}
	return nil
}

// into reads a line in its written form.
func into[T any](line []byte) (T, error) {
	var v T
	err := strictjson.Unmarshal(line, &v)
	return v, err
}

func decodeInit(line []byte) (Message, error) {
	m, err := into[struct {
		initJSON
		Plugins []plugin `json:"plugins"`
	}](line)
	var plugins []string
	for _, p := range m.Plugins {
		plugins = append(plugins, string(p))
	}
	return &Init{
		Cwd: m.Cwd, Tools: orNone(m.Tools), MCPServers: orNone(m.MCPServers), Model: m.Model, PermissionMode: m.PermissionMode, SlashCommands: orNone(m.SlashCommands),
		APIKeySource: m.APIKeySource, Version: m.Version, OutputStyle: m.OutputStyle, Agents: orNone(m.Agents), Skills: orNone(m.Skills),
		Plugins: plugins, Stamp: Stamp{m.SessionID, m.UUID},
	}, err
}

// plugin is the name of one; some programs write an object around it.
type plugin string

// UnmarshalJSON reads either form.
func (p *plugin) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var named struct {
			Name string `json:"name"`
		}
		err := strictjson.Unmarshal(text, &named)
		*p = plugin(named.Name)
		return err
	}
	return strictjson.Unmarshal(text, (*string)(p))
}

// decodeAssistant: a message has one block. One with none, or several, is not ours to
// take apart.
func decodeAssistant(line []byte) (Message, error) {
	m, err := into[assistantJSON](line)
	if err != nil {
		return nil, err
	}
	if len(m.Message.Content) != 1 {
		return nil, errOther
	}
	return &Assistant{
		TurnID: m.Message.ID, Model: m.Message.Model, Block: m.Message.Content[0], Usage: m.Message.Usage,
		ParentToolUseID: orEmpty(m.Parent), Error: m.Error, Stamp: Stamp{m.SessionID, m.UUID},
	}, nil
}

func decodeUser(line []byte) (Message, error) {
	m, err := into[struct {
		userJSON
		Message struct {
			Content strictjson.Raw `json:"content"`
		} `json:"message"`
	}](line)
	if err != nil {
		return nil, err
	}
	content, err := model.Content(m.Message.Content)
	if string(m.ToolUseResult) == "null" {
		m.ToolUseResult = nil
	}
	return &User{
		Content: orNone(content), ParentToolUseID: orEmpty(m.Parent), ToolUseResult: m.ToolUseResult, Synthetic: m.Synthetic, Replay: m.Replay,
		Stamp: Stamp{m.SessionID, m.UUID},
	}, err
}

func decodeResult(line []byte) (Message, error) {
	m, err := into[resultJSON](line)
	r := &Result{
		Subtype: m.Subtype, IsError: m.IsError, DurationMS: m.DurationMS, DurationAPIMS: m.DurationAPIMS, NumTurns: m.NumTurns, Text: orEmpty(m.Result),
		StopReason: orEmpty(m.StopReason), TotalCostUSD: m.TotalCostUSD, Usage: m.Usage, Denials: orNone(m.Denials), Errors: orNone(m.Errors),
		Deferred: orNone(m.DeferredToolUses), Stamp: Stamp{m.SessionID, m.UUID},
	}
	if len(m.ModelUsage) > 0 {
		r.ModelUsage = m.ModelUsage
	}
	if r.Deferred == nil && m.DeferredToolUse != nil {
		r.Deferred = []Deferred{*m.DeferredToolUse}
	}
	return r, err
}

func decodeStream(line []byte) (Message, error) {
	m, err := into[streamJSON](line)
	return &StreamEvent{Event: m.Event, ParentToolUseID: orEmpty(m.Parent), Stamp: Stamp{m.SessionID, m.UUID}}, err
}

func decodeToolProgress(line []byte) (Message, error) {
	m, err := into[toolProgressJSON](line)
	return &ToolProgress{
		ToolUseID: m.ToolUseID, ToolName: m.ToolName, ParentToolUseID: orEmpty(m.Parent), ElapsedSeconds: m.ElapsedSeconds,
		Done: m.Done, Total: m.Total, Message: m.Message, Stamp: Stamp{m.SessionID, m.UUID},
	}, err
}

func decodeHookStarted(line []byte) (Message, error) {
	m, err := into[hookJSON](line)
	return &HookStarted{HookID: m.HookID, HookName: m.HookName, HookEvent: m.HookEvent, Stamp: Stamp{m.SessionID, m.UUID}}, err
}

func decodeHookResponse(line []byte) (Message, error) {
	m, err := into[hookResponseJSON](line)
	return &HookResponse{
		HookID: m.HookID, HookName: m.HookName, HookEvent: m.HookEvent, Output: m.Output, Stdout: m.Stdout, Stderr: m.Stderr,
		ExitCode: m.ExitCode, Outcome: m.Outcome, Stamp: Stamp{m.SessionID, m.UUID},
	}, err
}

// decodeStatus: a status that says nothing about the mode is about something else.
func decodeStatus(line []byte) (Message, error) {
	m, err := into[struct {
		statusJSON
		Status strictjson.Raw `json:"status"`
	}](line)
	if err == nil && m.PermissionMode == "" {
		err = errOther
	}
	return &Status{PermissionMode: m.PermissionMode, Stamp: Stamp{m.SessionID, m.UUID}}, err
}

func decodeRetry(line []byte) (Message, error) {
	m, err := into[struct {
		retryJSON
		Delay float64 `json:"retry_delay_ms"` // others have fractions of it
	}](line)
	r := &APIRetry{
		Attempt: m.Attempt, MaxRetries: m.MaxRetries, RetryDelayMS: int64(m.Delay), Error: m.Error, Stamp: Stamp{m.SessionID, m.UUID},
	}
	if m.ErrorStatus != nil {
		r.ErrorStatus = *m.ErrorStatus
	}
	return r, err
}

func decodeCompact(line []byte) (Message, error) {
	m, err := into[compactJSON](line)
	return &CompactBoundary{Trigger: m.Metadata.Trigger, PreTokens: m.Metadata.PreTokens, Stamp: Stamp{m.SessionID, m.UUID}}, err
}

func decodeInformational(line []byte) (Message, error) {
	m, err := into[informationalJSON](line)
	return &Informational{Level: m.Level, Text: m.Content, Stamp: Stamp{m.SessionID, m.UUID}}, err
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// orNone is nil for an empty list: who writes one does not tell the two apart.
func orNone[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
