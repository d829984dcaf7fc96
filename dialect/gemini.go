package dialect

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/strictjson"
)

// mcpContext is what Gemini CLI says about an MCP tool.
type mcpContext struct {
	Server string `json:"server_name"`
	Tool   string `json:"tool_name"`
}

// geminiCalls translates a call of Gemini CLI: its own tools, and those of MCP servers.
func geminiCalls(a *arguments, context strictjson.Raw) ([]Call, error) {
	calls, err := geminiTool(a)
	if err != nil {
		return nil, err
	}
	named, err := readContext(context)
	switch {
	case err != nil:
		return nil, err
	case named.Server != "" && named.Tool != "":
		return append(calls, geminiContext(a, named)...), nil
	case calls != nil:
		return calls, nil
	case strings.HasPrefix(a.tool, "mcp_"):
		return a.mcpGuesses(geminiMCP(a), doubled, inName), nil
	}
	return a.mcpGuesses(a.unknown(a.own()[0]), doubled, inName), nil
}

// geminiTool translates a tool of Gemini CLI's own; there are no calls for others.
func geminiTool(a *arguments) ([]Call, error) {
	file := []string{"file_path", "absolute_path", "path"}
	dir := []string{"dir_path", "path"}
	switch a.tool {
	case "run_shell_command":
		return a.command([]string{"command"}, []string{"dir_path", "directory"})
	case "write_file":
		return a.file(writeFile, file...)
	case "replace":
		return a.file(editFile, file...)
	case "read_file":
		return a.file(readFile, file...)
	case "read_many_files":
		return geminiReadMany(a)
	case "list_directory":
		return a.file(listFiles, dir...)
	case "glob":
		return a.search("Glob", []string{"pattern"}, dir, nil)
	case "grep_search", "search_file_content":
		calls, err := a.search("Grep", []string{"pattern"}, dir, nil)
		for i := range calls {
			calls[i] = alsoHidden(calls[i])
		}
		return calls, err
	case "web_fetch":
		return geminiFetch(a)
	case "google_web_search":
		return a.about(webSearch, "query")
	case "delegate_to_agent", "invoke_agent":
		return a.agentGuesses(append(a.unknown(a.own()[0]), guess(subagent(""))...)), nil
	case "write_todos":
		return []Call{notes()}, nil
	}
	return nil, nil
}

// alsoHidden makes a search one that reads hidden files: Gemini CLI's search does,
// where ripgrep would pass over them.
func alsoHidden(c Call) Call {
	var f map[string]string
	if strictjson.Unmarshal(c.Input, &f) == nil {
		f["glob"] = ".*"
		c.Input = marshal(f)
	}
	return c
}

// geminiReadMany reads whatever matches patterns. One without wildcards is a file;
// any other counts as a search of everything below the directory it starts in, and
// as a file, since a file of exactly that name is read before the pattern is tried.
func geminiReadMany(a *arguments) ([]Call, error) {
	a.translated = true
	patterns, err := a.list("include", "paths")
	if err != nil {
		return nil, err
	}
	var calls []Call
	for _, pattern := range patterns {
		calls = append(calls, a.home.calls(readFile, pattern)...)
		if dir := searched(pattern); dir != "" {
			calls = append(calls, a.home.calls(func(dir string) Call {
				c := alsoHidden(call("Grep", fields{"pattern", ".", "path", dir}))
				literal := strings.LastIndexByte(pattern[:strings.IndexAny(pattern, wildcards)], '/') + 1
				if dir != "/" || literal == 1 { // else it may lead anywhere, which is judged
					c.PatternDir, c.Pattern = dir, pattern[literal:]
				}
				return c
			}, dir)...)
		}
	}
	if len(calls) == 0 {
		return nil, errors.New("include of \"read_many_files\" is missing")
	}
	return calls, nil
}

// wildcards begin what is no name in a pattern.
const wildcards = "*?[{("

// searched is the directory below which a pattern looks, empty for one without
// wildcards.
func searched(pattern string) string {
	i := strings.IndexAny(pattern, wildcards)
	if i < 0 {
		return ""
	}
	if strings.Contains(pattern[i:], "..") || strings.Contains(pattern, "{") {
		return "/" // it may lead anywhere
	}
	if dir := pattern[:strings.LastIndexByte(pattern[:i], '/')+1]; dir != "" {
		return dir
	}
	return "."
}

// geminiFetch finds the addresses: this tool takes them inside of its prompt.
func geminiFetch(a *arguments) ([]Call, error) {
	a.translated = true
	prompt, _, err := a.get("prompt")
	if err != nil {
		return nil, err
	}
	urls, err := a.list("url", "urls")
	if err != nil {
		return nil, err
	}
	var calls []Call
	for _, url := range urls {
		calls = append(calls, fetch(url))
	}
	for word := range strings.FieldsFuncSeq(prompt, isScriptSpace) {
		if !strings.Contains(word, "://") {
			continue
		}
		calls = append(calls, fetch(strings.Trim(word, `"'<>()[]{},.;`)))
	}
	if calls == nil { // a rule on the tool as a whole still holds
		calls = append(a.own(), guess(fetch("https://unknown.invalid/"))...)
	}
	return calls, nil
}

// isScriptSpace: what JavaScript takes for a blank, which is what Gemini CLI splits a
// prompt at.
func isScriptSpace(r rune) bool {
	return r >= '\t' && r <= '\r' || r == 0xfeff || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Zs, r)
}

func readContext(context strictjson.Raw) (mcp mcpContext, err error) {
	if context == nil || string(context) == "null" {
		return mcp, nil
	}
	if err := strictjson.Unmarshal(context, &mcp); err != nil {
		return mcp, fmt.Errorf("mcp_context of the event cannot be read: %w", err)
	}
	return mcp, nil
}

// geminiContext is a tool of an MCP server where Gemini CLI says beside the call which
// one it is. What else the name may mean is held against the rules that deny or ask;
// a name that does not fit is for a person.
func geminiContext(a *arguments, named mcpContext) []Call {
	one := Call{Tool: mcpName(named.Server, named.Tool), Input: a.raw}
	switch server, _ := splitMCP(one.Tool); {
	case !named.fits(a.tool):
		one.Doubt = "the name of the tool does not fit what is said about its server"
	case server != named.Server:
		one.Doubt = "the name of the server holds the sign that joins it to its tools, so rules would take it for another one"
	}
	calls := []Call{one}
	if strings.HasPrefix(a.tool, "mcp_") {
		calls = append(calls, guess(geminiMCP(a)...)...)
	} else {
		calls = append(calls, guess(a.own()...)...)
	}
	return a.mcpGuesses(calls, doubled, inName)
}

// fits: the name is one that Gemini CLI makes of the server's and the tool's.
func (c mcpContext) fits(name string) bool {
	for _, made := range [...]string{"mcp_" + c.Server + "_" + c.Tool, mcpName(c.Server, c.Tool), c.Server + "__" + c.Tool, c.Tool} {
		if name == made || name == strings.Map(plainSign, made) {
			return true
		}
	}
	return false
}

// plainSign replaces a character that a function's name cannot hold, as Gemini CLI does.
func plainSign(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.:-", r) {
		return r
	}
	return '_'
}

// geminiMCP is a tool of an MCP server, written mcp_server_tool. Both names may hold
// the sign that joins them: every way to split the name is judged, and the strictest
// counts.
func geminiMCP(a *arguments) []Call {
	var calls []Call
	if isMCP(a.tool) {
		calls = []Call{{Tool: a.tool, Input: a.raw}}
	}
	ways, complete := splits(strings.TrimPrefix(a.tool, "mcp_"), '_', a.raw)
	calls = append(calls, ways...)
	switch {
	case len(calls) == 0:
		return a.own()
	case !complete:
		calls[0].Doubt = tooManyWays
	}
	return calls
}

// geminiAnswer: Gemini CLI takes no output at all for no opinion, also with exit
// status 2, so every answer is JSON.
func geminiAnswer(o Outcome) Reply {
	answer := map[string]any{"decision": o.Behavior.String()}
	if o.Behavior != allow {
		answer["reason"] = o.Reason
	}
	return object(answer)
}

// geminiFailure: an event that is not known may be that of another agent. Gemini CLI
// takes "block" for "deny", and it is also an older word of Claude Code and Codex.
func geminiFailure(e *Event, reason string) Reply {
	if e.foreign() {
		return object(map[string]any{"decision": "block", "reason": reason})
	}
	return geminiAnswer(Outcome{Behavior: deny, Reason: reason})
}
