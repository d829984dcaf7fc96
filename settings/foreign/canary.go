package foreign

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Canary is a line for a shell that asks the guard, as an agent would, about a call
// that nobody should allow: reading .env in dir. Nothing is read.
func (p Program) Canary(a Agent, dir string) (string, error) {
	event, err := strictjson.Marshal(canaryEvent(a, dir))
	if err != nil {
		return "", err
	}
	quoted := "'" + strings.ReplaceAll(string(event), "'", `'\''`) + "'"
	return "echo " + quoted + " | " + p.quoted() + p.arguments(a), nil
}

type canaryInput struct {
	Command string `json:"command"`
}

// canary has the keys of all agents; each uses some.
type canary struct {
	Event        string       `json:"hook_event_name,omitzero"`
	Session      string       `json:"session_id,omitzero"`
	Turn         string       `json:"turn_id,omitzero"`
	Conversation string       `json:"conversation_id,omitzero"`
	CopilotID    string       `json:"sessionId,omitzero"`
	Transcript   *string      `json:"transcript_path,omitzero"`
	Time         string       `json:"timestamp,omitzero"`
	Roots        []string     `json:"workspace_roots,omitzero"`
	Dir          string       `json:"cwd"`
	Model        string       `json:"model,omitzero"`
	Mode         string       `json:"permission_mode,omitzero"`
	Tool         string       `json:"tool_name,omitzero"`
	Input        *canaryInput `json:"tool_input,omitzero"`
	Use          string       `json:"tool_use_id,omitzero"`
	CopilotTool  string       `json:"toolName,omitzero"`
	CopilotArgs  *canaryInput `json:"toolArgs,omitzero"`
}

func canaryEvent(a Agent, dir string) canary {
	const id = "canary"
	input, transcript := &canaryInput{Command: "cat .env"}, new(string)
	c := canary{Event: a.event(), Session: id, Dir: dir, Input: input}
	switch a {
	case Gemini:
		c.Tool, c.Transcript, c.Time = "run_shell_command", transcript, "2026-01-01T00:00:00Z"
	case Cursor:
		c.Conversation, c.Tool, c.Use, c.Roots = id, "Shell", id, []string{dir}
	case Copilot:
		c = canary{CopilotID: id, Dir: dir, CopilotTool: "bash", CopilotArgs: input}
	case Codex:
		c.Turn, c.Transcript, c.Model, c.Mode, c.Tool, c.Use = id, transcript, id, "default", "Bash", id
	default:
		c.Transcript, c.Mode, c.Tool, c.Use = transcript, "default", "Bash", id
	}
	return c
}
