package dialect

import (
	"errors"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// cursorEvent translates the events of Cursor that come before something runs.
func (e *Event) cursorEvent(in envelope) ([]Call, error) {
	if err := e.cursorRoots(in); err != nil {
		return nil, err
	}
	switch e.Name {
	case "beforeShellExecution":
		e.Tool = "Shell"
		command, err := in.need("command")
		one := call("Bash", fields{"command", command})
		e.input = one.Input
		return []Call{one}, err
	case "beforeReadFile", "beforeTabFileRead":
		e.Tool = "Read"
		path, err := in.need("file_path")
		e.input = readFile(path).Input
		return literal.calls(readFile, path), err
	case "subagentStart":
		e.Tool = "Task"
		kind, err := in.text(agentTypes[:]...)
		return []Call{subagent(kind)}, err
	}
	a, err := e.arguments(in)
	if err != nil {
		return nil, err
	}
	if e.Name == "beforeMCPExecution" {
		return cursorMCP(a, e.Tool), nil
	}
	calls, err := cursorCalls(a)
	return a.said(a.doubted(calls), false), err
}

// cursorRoots reads the directories of the workspace.
func (e *Event) cursorRoots(in envelope) error {
	if !in.has("workspace_roots") {
		return nil
	}
	if err := strictjson.Unmarshal(in["workspace_roots"], &e.Roots); err != nil {
		return errors.New("workspace_roots of the event is no list of texts")
	}
	e.Roots = slices.DeleteFunc(e.Roots, func(root string) bool { return root == "" })
	return nil
}

func (in envelope) need(name string) (string, error) {
	text, err := in.text(name)
	if err == nil && text == "" {
		err = errors.New("the event has no " + name)
	}
	return text, err
}

// cursorCalls translates a call of Cursor's agent.
func cursorCalls(a *arguments) ([]Call, error) {
	file := []string{"file_path", "path", "target_file"}
	switch a.tool {
	case "Shell":
		return a.command([]string{"command"}, []string{"working_directory", "cwd"})
	case "Read":
		return a.file(readFile, file...)
	case "Write":
		return a.file(writeFile, file...)
	case "Edit", "StrReplace", "Delete":
		return a.file(editFile, file...)
	case "Grep":
		return a.search("Grep", []string{"pattern"}, []string{"path"}, []string{"glob"})
	case "Glob":
		return a.search("Glob", []string{"pattern", "glob_pattern"}, []string{"path", "target_directory"}, nil)
	case "LS":
		return a.file(listFiles, "path", "target_directory")
	case "WebFetch":
		return a.about(fetch, "url")
	case "WebSearch":
		return a.about(webSearch, "query", "search_term")
	case "TodoWrite":
		return []Call{notes()}, nil
	case "Task":
		return a.kindOfAgent()
	}
	if tool, ok := strings.CutPrefix(a.tool, "MCP:"); ok {
		return cursorMCP(a, tool), nil
	}
	if isMCP(a.tool) {
		return []Call{{Tool: a.tool, Input: a.raw}}, nil
	}
	return a.mcpGuesses(a.unknown(a.own()[0]), doubled, anyServer), nil
}

// cursorMCP is a tool of an MCP server. Cursor does not say of which, so the rules
// for every server count. Where its name holds that of a server all the same, rules
// that deny or ask hold for the rest of it.
func cursorMCP(a *arguments, tool string) []Call {
	tool = strings.TrimPrefix(tool, "MCP:")
	calls := []Call{{Tool: tool, Input: a.raw, AnyServer: true}}
	r := nameReader{input: a.raw, server: anyServer}
	r.add(Call{Tool: strings.TrimSpace(tool), AnyServer: true})
	return r.guessedWith(calls, tool, single)
}

// cursorAnswer: Cursor does not keep its promise to ask (one event ignores it,
// another blocks without a dialogue), so a question is a denial. It may be set up to
// block on empty output, so an allow is written out. The model is shown the text
// that is meant for the user.
func cursorAnswer(o Outcome) Reply {
	if o.Behavior == allow {
		return object(map[string]any{"permission": "allow"})
	}
	reason := o.refusal()
	return object(map[string]any{"permission": "deny", "user_message": reason, "agent_message": reason})
}

// cursorFailure: an event that is not known may be that of another agent. Exit status
// 2 blocks most of them, and Cursor as well.
func cursorFailure(e *Event, reason string) Reply {
	reply := cursorAnswer(Outcome{Behavior: deny, Reason: reason})
	if e.foreign() {
		reply.Stderr, reply.Exit = []byte(reason+"\n"), 2
	}
	return reply
}

func cursorNotice(e *Event) Reply {
	if e.Name == "beforeSubmitPrompt" {
		return object(map[string]any{"continue": true})
	}
	return object(map[string]any{})
}
