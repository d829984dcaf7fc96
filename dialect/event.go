package dialect

// speaksCopilot: the event may be in Copilot's words.
func (e *Event) speaksCopilot() bool { return e.Agent == Copilot || e.forCopilot }

// fromCopilot: Copilot runs the hooks of Claude Code's settings, too. It is known by
// its own spelling of the keys, and by the time, which Claude Code does not tell.
func (in envelope) fromCopilot() bool {
	for _, name := range [...]string{"toolName", "toolArgs", "toolInput", "sessionId", "timestamp"} {
		if in.has(name) {
			return true
		}
	}
	return false
}

// foreign: it is an event, and none that this agent has. The hook may be set up for the
// wrong agent, and whoever sent the event must obey the denial, too.
func (e *Event) foreign() bool { return e.Kind == 0 && e.readable }

// readName finds the name of the event and its kind. Copilot's own spelling of events
// has no name, so it is told by what it brings.
func (e *Event) readName(in envelope) error {
	var err error
	if !e.speaksCopilot() {
		e.Name, err = in.text("hook_event_name")
	} else if e.Name, err = in.text("hook_event_name", "hookName"); e.Name == "" && err == nil {
		e.Name, e.unsure = in.copilotEvent()
	}
	e.Kind = eventKind(e.Agent, e.Name)
	if e.Kind == 0 && e.forCopilot {
		e.Kind = copilotEventKind(e.Name)
	}
	return err
}

// eventKind is the kind of an event, zero for one that is not known.
func eventKind(agent Agent, name string) Kind {
	switch agent {
	case Claude:
		return claudeEvent(name)
	case Codex:
		return codexEvent(name)
	case Gemini:
		return geminiEvent(name)
	case Cursor:
		return cursorEventKind(name)
	case Copilot:
		return copilotEventKind(name)
	}
	return 0
}

func claudeEvent(name string) Kind {
	switch name {
	case "PreToolUse":
		return ToolCall
	case "PermissionRequest":
		return PermissionRequest
	case "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied", "UserPromptSubmit", "UserPromptExpansion", "Notification",
		"Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionStart", "SessionEnd", "Setup",
		"TeammateIdle", "TaskCreated", "TaskCompleted", "ConfigChange", "CwdChanged", "FileChanged", "InstructionsLoaded",
		"WorktreeCreate", "WorktreeRemove", "Elicitation", "ElicitationResult":
		return Notice
	}
	return 0
}

func codexEvent(name string) Kind {
	switch name {
	case "PreToolUse":
		return ToolCall
	case "PermissionRequest":
		return PermissionRequest
	case "PostToolUse", "PreCompact", "PostCompact", "SessionStart", "SessionEnd", "UserPromptSubmit", "SubagentStart", "SubagentStop", "Stop":
		return Notice
	}
	return 0
}

func geminiEvent(name string) Kind {
	switch name {
	case "BeforeTool":
		return ToolCall
	case "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "BeforeToolSelection", "AfterModel", "SessionStart", "SessionEnd",
		"Notification", "PreCompress":
		return Notice
	}
	return 0
}

func cursorEventKind(name string) Kind {
	switch name {
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead", "subagentStart":
		return ToolCall
	case "sessionStart", "sessionEnd", "postToolUse", "postToolUseFailure", "subagentStop", "afterShellExecution", "afterMCPExecution",
		"afterFileEdit", "beforeSubmitPrompt", "preCompact", "stop", "afterAgentResponse", "afterAgentThought", "afterTabFileEdit",
		"workspaceOpen":
		return Notice
	}
	return 0
}

func copilotEventKind(name string) Kind {
	switch name {
	case "preToolUse", "PreToolUse":
		return ToolCall
	case "permissionRequest", "PermissionRequest":
		return PermissionRequest
	case "sessionStart", "SessionStart", "sessionEnd", "SessionEnd", "userPromptSubmitted", "UserPromptSubmit", "userPromptTransformed",
		"postToolUse", "PostToolUse", "postToolUseFailure", "PostToolUseFailure", "agentStop", "Stop", "subagentStart", "SubagentStart",
		"subagentStop", "SubagentStop", "errorOccurred", "ErrorOccurred", "preCompact", "PreCompact", "notification", "Notification":
		return Notice
	}
	return 0
}

// copilotEvent tells a nameless event by what it brings. A tool with neither result
// nor error has not run yet. unsure: it may also be the other event that comes before
// a tool runs.
func (in envelope) copilotEvent() (name string, unsure bool) {
	switch {
	case in.has("toolName") && in.filled("toolResult"):
		return "postToolUse", false
	case in.has("toolName") && in.filled("error"):
		return "postToolUseFailure", false
	case in.has("toolName") && !in.has("toolArgs") && in.has("toolInput"):
		return "permissionRequest", true
	case in.has("toolName"):
		return "preToolUse", false
	case in.has("toolArgs") || in.has("toolInput") || in.has("tool_name") || in.has("tool_input"):
		return "", false // a call without the name of its tool, or in the words of other events
	}
	for _, sign := range [...]struct{ key, name string }{
		{"errorContext", "errorOccurred"},
		{"stopReason", "agentStop"},
		{"agentName", "subagentStart"},
		{"trigger", "preCompact"},
		{"source", "sessionStart"},
		{"reason", "sessionEnd"},
		{"prompt", "userPromptSubmitted"},
	} {
		if in.has(sign.key) {
			return sign.name, false
		}
	}
	return "", false
}
