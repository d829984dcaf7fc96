package dialect

// copilotCalls translates a call of Copilot. It uses its own names, or Claude's when
// the hook is set up under the name PreToolUse.
func copilotCalls(a *arguments) ([]Call, error) {
	file := []string{"path", "file_path", "filePath"}
	switch a.tool {
	case "bash":
		return a.command([]string{"command"}, nil)
	case "powershell", "PowerShell":
		return powershell(a)
	case "write_bash", "write_powershell":
		return a.typed("input", inBraces)
	case "view":
		return a.file(readFile, file...)
	case "create":
		return a.file(writeFile, file...)
	case "apply_patch":
		return a.patch(file...)
	case "edit", "str_replace_editor", "Edit":
		return a.fileOrPatch(editFile, file...)
	case "grep", "rg", "Grep":
		return a.search("Grep", []string{"pattern"}, []string{"path", "paths"}, []string{"glob", "include"})
	case "glob", "Glob":
		return a.search("Glob", []string{"pattern"}, []string{"path", "paths"}, nil)
	case "web_fetch", "WebFetch":
		return a.about(fetch, "url")
	case "web_search", "WebSearch":
		return a.about(webSearch, "query")
	case "update_todo", "TodoWrite":
		return []Call{notes()}, nil
	case "task", "Agent", "Task":
		return a.kindOfAgent()
	}
	if calls, known, err := a.claudeTool(file); known {
		return calls, err
	}
	return copilotOther(a), nil
}

// powershell is a command in a language that assent does not read. What looks like
// the same command in bash may still be denied by a rule.
func powershell(a *arguments) ([]Call, error) {
	calls, err := a.command([]string{"command"}, nil)
	if err != nil {
		return nil, err
	}
	own := a.own()
	own[0].Doubt = "assent does not read PowerShell"
	return append(own, guess(calls...)...), nil
}

// copilotOther is a tool under Copilot's name for it. A tool of an MCP server is
// called server-tool there; rules that deny it under its own name hold for every way
// to split that.
func copilotOther(a *arguments) []Call {
	if isMCP(a.tool) {
		return []Call{{Tool: a.tool, Input: a.raw}}
	}
	return a.mcpGuesses(a.unknown(a.own()[0]), single, inName)
}

// copilotAnswer: one object, and a reason with every denial. Its cloud agent takes a
// question for a denial. Under one of Claude's names for the event the answer is one
// that Claude Code obeys, too: it may be the one who asks.
func copilotAnswer(e *Event, o Outcome) Reply {
	if eventKind(Claude, e.Name) != 0 {
		return sharedAnswer(e, o)
	}
	return object(copilotWords(e, o))
}

// copilotWords are the answer to a call, to a permission request, or to both where
// the event may be either: each reads its own words. To a permission request no word
// means that the person is asked.
func copilotWords(e *Event, o Outcome) map[string]any {
	words := map[string]any{}
	if e.Kind != PermissionRequest || e.unsure {
		words["permissionDecision"], words["permissionDecisionReason"] = o.Behavior.String(), o.Reason
	}
	if e.Kind == PermissionRequest && o.Behavior != ask {
		words["behavior"] = o.Behavior.String()
		if o.Behavior == deny {
			words["message"] = o.Reason
		}
	}
	return words
}

// copilotFailure says it twice: a status other than 0 denies a call whatever the
// JSON says, and the JSON has the reason.
func copilotFailure(e *Event, reason string) Reply {
	reply := copilotAnswer(e, Outcome{Behavior: deny, Reason: reason})
	reply.Stderr, reply.Exit = []byte(reason+"\n"), 2
	return reply
}
