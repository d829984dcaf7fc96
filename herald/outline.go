package herald

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/shell"
)

// kindsOfCalls are what the calls of tools do, whatever their input is.
var kindsOfCalls = map[string]string{
	"Write":           "Write a file",
	"Edit":            "Change a file",
	"NotebookEdit":    "Change a notebook",
	"Read":            "Read a file",
	"Glob":            "Look for files",
	"Grep":            "Search files",
	"WebFetch":        "Fetch a page",
	"WebSearch":       "Search the web",
	"Task":            "Start an agent",
	"Agent":           "Start an agent",
	"AskUserQuestion": "Answer a question",
	"ExitPlanMode":    "Begin to work on the plan",
}

// outline says of what kind a call is, for targets that may not have its input. No word of the call
// is in it, but for the names of programs: those say what a person needs to know who is woken.
func outline(tool string, input strictjson.Raw) string {
	if tool == "Bash" {
		return outlineOfCommand(input)
	}
	if kind, known := kindsOfCalls[tool]; known {
		return kind
	}
	own, of, isServers := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	switch {
	case !plain(tool, 80):
		return "Call a tool"
	case isServers && strings.HasPrefix(tool, "mcp__"):
		return "Call " + of + " of the MCP server " + own
	}
	return "Call the tool " + tool
}

// outlineOfCommand says how many commands there are, and which programs they are.
func outlineOfCommand(input strictjson.Raw) string {
	const unclear = "Run a command that cannot be understood"
	in, err := strictjson.Tree(input)
	if err != nil || in.Member("command").Kind != '"' {
		return unclear
	}
	script := shell.Parse(in.Member("command").Text())
	if script.Problem != nil {
		return unclear
	}
	direct := 0
	var names []string
	more := false
	for i := range script.Commands {
		c := &script.Commands[i]
		if len(c.Words) == 0 || c.Link == shell.Guess {
			continue
		}
		if c.Link == shell.Direct {
			direct++
		}
		const longest, most = 24, 5
		switch name := c.Program(); {
		case slices.Contains(names, name):
		case plain(name, longest) && len(names) < most:
			names = append(names, name)
		default:
			more = true
		}
	}
	text := "Run a command"
	if direct > 1 {
		text = fmt.Sprintf("Run %d commands", direct)
	}
	if len(names) == 0 {
		return text
	}
	text += ": " + strings.Join(names, ", ")
	if more {
		text += " and others"
	}
	return text
}

// plain: the text is a name, and has no room for anything else.
func plain(text string, longest int) bool {
	return text != "" && len(text) <= longest && !strings.ContainsFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && r != '-' && r != '_' && r != '.' && r != '+'
	})
}
