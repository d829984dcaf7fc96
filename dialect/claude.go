package dialect

import (
	"maps"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// claudeCalls translates a call of Claude Code, whose tools assent's are named
// after.
func claudeCalls(a *arguments) ([]Call, error) {
	calls, known, err := a.claudeTool([]string{"file_path"})
	if known || err != nil {
		return calls, err
	}
	// The agent's own tools: those that assent knows are validated by their schema.
	one := Call{Tool: a.tool, Input: a.raw}
	if isMCP(a.tool) {
		return []Call{one}, nil
	}
	return a.unknown(one), nil
}

// claudeTool translates the tools that touch files, run commands or leave the
// machine. Other agents that use these names may call the file something else.
func (a *arguments) claudeTool(file []string) (calls []Call, known bool, err error) {
	switch a.tool {
	case "Bash":
		calls, err = a.command([]string{"command"}, nil)
	case "Read":
		calls, err = a.file(readFile, file...)
	case "NotebookRead":
		calls, err = a.file(readFile, "notebook_path")
	case "Write":
		calls, err = a.file(writeFile, file...)
	case "Edit", "MultiEdit":
		calls, err = a.file(editFile, file...)
	case "NotebookEdit":
		calls, err = a.file(func(path string) Call {
			return call("NotebookEdit", fields{"notebook_path", path, "new_source", ""})
		}, "notebook_path")
	case "LS":
		calls, err = a.file(listFiles, "path")
	case "Glob":
		calls, err = a.search("Glob", []string{"pattern"}, []string{"path"}, nil)
	case "Grep":
		calls, err = a.search("Grep", []string{"pattern"}, []string{"path"}, []string{"glob"})
	case "WebFetch":
		calls, err = a.about(fetch, "url")
	case "WebSearch":
		calls, err = a.about(webSearch, "query")
	default:
		return nil, false, nil
	}
	return calls, true, err
}

// claudeAnswer: the decision stands in hookSpecificOutput. With exit status 0 the
// JSON decides; silence leaves the call to Claude Code's own permissions, which may
// allow it.
func claudeAnswer(e *Event, o Outcome) Reply {
	if e.forCopilot {
		return sharedAnswer(e, o)
	}
	if e.Kind == PermissionRequest {
		return specificDecision(o)
	}
	return object(withInput(preToolUse(o.Behavior, o.Reason), o))
}

// withInput adds the input that is to run in place of the agent's own, if there is one.
func withInput(answer map[string]any, o Outcome) map[string]any {
	if o.Input != nil {
		answer["hookSpecificOutput"].(map[string]any)["updatedInput"] = strictjson.Raw(o.Input)
	}
	return answer
}

// preToolUse is a decision as Claude Code and Codex read it.
func preToolUse(b permission.Behavior, reason string) map[string]any {
	return specific(map[string]any{"hookEventName": "PreToolUse", "permissionDecision": b.String(), "permissionDecisionReason": reason})
}

// specificDecision answers a permission request of Claude Code or Codex. Silence is
// the answer "ask": the agent goes on to ask its person.
func specificDecision(o Outcome) Reply {
	if o.Behavior == ask {
		return Reply{}
	}
	return object(permissionRequest(o))
}

// permissionRequest is the answer to a permission request as Claude Code and Codex
// read it.
func permissionRequest(o Outcome) map[string]any {
	decision := map[string]any{"behavior": o.Behavior.String()}
	if o.Behavior == deny {
		decision["message"] = o.Reason
	}
	return specific(map[string]any{"hookEventName": "PermissionRequest", "decision": decision})
}

func specific(output map[string]any) map[string]any {
	return map[string]any{"hookSpecificOutput": output}
}

// sharedAnswer is for an event that Copilot may have sent to a hook of Claude Code's:
// the words of both, and for a denial the status that both take for one.
func sharedAnswer(e *Event, o Outcome) Reply {
	answer := copilotWords(e, o)
	switch {
	case e.Kind != PermissionRequest:
		maps.Copy(answer, preToolUse(o.Behavior, o.Reason))
	case o.Behavior != ask:
		maps.Copy(answer, permissionRequest(o))
	}
	reply := object(answer)
	if o.Behavior == deny {
		reply.Stderr, reply.Exit = []byte(o.Reason+"\n"), 2
	}
	return reply
}

// claudeFailure: an event that could not be read has no name to answer under, and a
// foreign name would be ignored. Exit status 2 blocks whatever it was.
func claudeFailure(e *Event, reason string) Reply {
	if e.Kind == 0 {
		return Reply{Stderr: []byte(reason + "\n"), Exit: 2}
	}
	return claudeAnswer(e, Outcome{Behavior: deny, Reason: reason})
}
