package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Call is a call as people write it, in the way of rules: Bash(git push),
// Read(~/.ssh/id_rsa), WebFetch(https://example.com), mcp__pay__refund({"id": 1}).
type Call struct {
	Tool  string
	Input []byte // JSON
}

// ParseCall reads a call. What the tool needs besides the content is filled in
// with something harmless.
func ParseCall(text string) (Call, error) {
	tool, rest, found := strings.Cut(strings.TrimSpace(text), "(")
	content, closed := strings.CutSuffix(rest, ")")
	switch {
	case !found:
		return Call{}, fmt.Errorf("%s is no call: write Tool(content), for example Bash(git push)", Visible(text))
	case !closed:
		return Call{}, fmt.Errorf(`%s is no call: the ")" at its end is missing`, Visible(text))
	case tool == "":
		return Call{}, fmt.Errorf("%s is no call: the name of the tool is missing", Visible(text))
	}
	return NewCall(tool, content)
}

// NewCall is the call of a tool about something: the command of Bash, the path of
// Read. An input in JSON is taken as it is, except for Bash, where a brace opens a
// group.
func NewCall(tool, content string) (Call, error) {
	if tool != "Bash" && strings.HasPrefix(strings.TrimSpace(content), "{") {
		return Call{Tool: tool, Input: []byte(content)}, nil
	}
	input, ok := shorthand(tool, content)
	if !ok {
		return Call{}, fmt.Errorf("%s has no short form: give its input as JSON, for example %s({})", Visible(tool), Visible(tool))
	}
	if !utf8.ValidString(content) {
		return Call{}, fmt.Errorf("%s is not valid UTF-8, and the input of a tool is: no agent can make this call (write it in UTF-8)", Visible(tool+"("+content+")"))
	}
	data, err := strictjson.Marshal(input)
	if err != nil {
		return Call{}, fmt.Errorf("%s cannot be written as JSON: %w", Visible(content), err)
	}
	return Call{Tool: tool, Input: data}, nil
}

// shorthand is the smallest valid input that is about the content.
func shorthand(tool, content string) (map[string]string, bool) {
	switch tool {
	case "Bash", "SlashCommand":
		return map[string]string{"command": content}, true
	case "Read":
		return map[string]string{"file_path": content}, true
	case "Write":
		return map[string]string{"file_path": content, "content": ""}, true
	case "Edit":
		return map[string]string{"file_path": content, "old_string": "", "new_string": ""}, true
	case "NotebookEdit":
		return map[string]string{"notebook_path": content, "new_source": ""}, true
	case "Glob":
		return map[string]string{"path": content, "pattern": "**"}, true
	case "Grep":
		return map[string]string{"path": content, "pattern": "."}, true
	case "WebFetch":
		if host, ok := strings.CutPrefix(content, "domain:"); ok {
			content = "https://" + host + "/"
		}
		return map[string]string{"url": content, "prompt": ""}, true
	case "WebSearch":
		return map[string]string{"query": content}, true
	case "Task", "Agent":
		return map[string]string{"subagent_type": content, "description": "", "prompt": ""}, true
	case "Skill":
		return map[string]string{"skill": content}, true
	}
	return nil, false
}
