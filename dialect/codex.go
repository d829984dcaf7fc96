package dialect

import "strings"

// codexCalls translates a call of Codex.
func codexCalls(a *arguments) ([]Call, error) {
	switch a.tool {
	case "Bash", "shell", "shell_command", "local_shell", "exec_command", "unified_exec":
		return codexCommand(a)
	case "write_stdin":
		return a.typed("chars", asBytes)
	case "apply_patch":
		return a.patch("file_path", "path")
	case "Edit":
		return a.fileOrPatch(editFile, "file_path")
	case "Write":
		return a.fileOrPatch(writeFile, "file_path")
	case "view_image":
		return a.file(readFile, "path")
	case "web_search":
		return a.about(webSearch, "query")
	case "update_plan":
		return []Call{notes()}, nil
	case "spawn_agent", "Agent":
		return a.kindOfAgent()
	}
	if isMCP(a.tool) {
		return []Call{{Tool: a.tool, Input: a.raw}}, nil
	}
	return a.mcpGuesses(a.unknown(a.own()[0]), doubled, inName), nil
}

// codexCommand is a command, and what Codex does with it besides: a patch that a
// command carries is applied by Codex itself, and a request for the network comes as
// a command with a description.
func codexCommand(a *arguments) ([]Call, error) {
	calls, err := a.command([]string{"command", "cmd"}, []string{"workdir"})
	if err != nil {
		return nil, err
	}
	text, _, _ := a.agreed([]string{"command", "cmd"}, readCommand)
	carried, err := carriedPatch(text, calls[0].Dir, a.home)
	if err != nil {
		return nil, err
	}
	calls = append(calls, carried...)
	description, _, _ := a.get("description")
	if domain, ok := strings.CutPrefix(description, "network-access "); ok {
		calls = append(calls, fetch("https://"+strings.TrimSpace(domain)+"/"))
	}
	return calls, nil
}

// codexAnswer: Codex takes a bare allow, and every question, for a hook that does
// not work, and then runs the tool. So an allow is silence and a question is a
// denial; a denial counts only with a reason and exit status 0.
func codexAnswer(e *Event, o Outcome) Reply {
	if e.Kind == PermissionRequest {
		return specificDecision(o)
	}
	if o.Behavior == allow && o.Input != nil { // with an input it is no bare allow
		return object(withInput(preToolUse(allow, o.Reason), o))
	}
	if o.Behavior == allow {
		return Reply{}
	}
	return object(preToolUse(deny, o.refusal()))
}

// codexFailure: an event that could not be read is taken for the one where silence
// would run a tool. If it was the other one, Codex asks its person.
func codexFailure(e *Event, reason string) Reply {
	known := *e
	if known.Kind == 0 {
		known.Kind = ToolCall
	}
	return codexAnswer(&known, Outcome{Behavior: deny, Reason: reason})
}
