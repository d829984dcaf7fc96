package rule

import "strings"

// parameter is what a rule of the form Tool(name:value) is about: one parameter of the
// call's input, and not what the content of other rules on the tool is about.
type parameter struct {
	name, value string
	// extended: no vendor reads such rules on the tool, so that the name may be nested and
	// the value a comparison.
	extended bool
}

// parametersOf are the parameters of a built-in tool. For any other tool none is known.
func parametersOf(tool string) (names string, known bool) {
	switch tool {
	case "Agent", "Task":
		return "description prompt subagent_type model run_in_background resume max_turns name team_name isolation mode", true
	case "AskUserQuestion":
		return "questions answers annotations metadata", true
	case bashTool:
		return "command timeout description run_in_background dangerouslyDisableSandbox", true
	case "BashOutput":
		return "bash_id filter", true
	case "Edit":
		return "file_path old_string new_string replace_all", true
	case "EnterPlanMode", "TaskList":
		return "", true
	case "ExitPlanMode":
		return "plan planFilePath allowedPrompts", true
	case "Glob":
		return "pattern path", true
	case "Grep":
		return "pattern path glob type output_mode -A -B -C context -n -i head_limit offset multiline", true
	case "KillShell":
		return "shell_id", true
	case "ListMcpResourcesTool":
		return "server", true
	case "LS":
		return "path ignore", true
	case "MultiEdit":
		return "file_path edits", true
	case "NotebookEdit":
		return "notebook_path cell_id new_source cell_type edit_mode", true
	case "NotebookRead":
		return "notebook_path cell_id", true
	case "Read":
		return "file_path offset limit pages", true
	case "ReadMcpResourceTool":
		return "server uri", true
	case "Skill":
		return "skill args", true
	case "SlashCommand":
		return "command", true
	case "TaskCreate":
		return "subject description activeForm metadata", true
	case "TaskGet":
		return "taskId", true
	case "TaskOutput":
		return "task_id block timeout", true
	case "TaskStop":
		return "task_id shell_id", true
	case "TaskUpdate":
		return "taskId subject description activeForm status addBlocks addBlockedBy owner metadata", true
	case "TodoWrite":
		return "todos", true
	case "WebFetch":
		return "url prompt", true
	case "WebSearch":
		return "query allowed_domains blocked_domains", true
	case "Write":
		return "file_path content", true
	}
	return "", false
}

// Parameters are the names of the parameters of a built-in tool; known is false for any
// other tool.
func Parameters(tool string) (names []string, known bool) {
	text, known := parametersOf(tool)
	return strings.Fields(text), known
}

// ownParameter is the parameter that the content of other rules on the tool is about, where
// that is understood rather than compared as given. A text of it that looks harmless grants
// nothing: make * is also "make; rm x".
func ownParameter(tool string) string {
	switch tool {
	case bashTool:
		return "command"
	case "Read", "Edit", "Write", "MultiEdit":
		return "file_path"
	case "NotebookEdit", "NotebookRead":
		return "notebook_path"
	case "Glob", "Grep", "LS":
		return "path"
	case "WebFetch":
		return "url"
	}
	return ""
}

// parameterOf reads a content as that of a rule on a parameter. On a built-in tool it is
// one where it names a parameter of the tool.
func parameterOf(tool, content string) (p parameter, ok bool) {
	name, value, found := strings.Cut(content, ":")
	if !found || name == "" || hasBlank(name) {
		return parameter{}, false
	}
	p = parameter{name: name, value: trimContent(value)}
	names, known := parametersOf(tool)
	switch {
	case !known:
		p.extended = true
		return p, strings.HasPrefix(tool, mcpPrefix) || leadingName(name) == name && !strings.Contains(name, "*")
	case !hasWord(names, name):
		return parameter{}, false
	case tool == bashTool && strings.Trim(value, "*") == "" && value != "":
		// timeout:* has always been every command of a program of that name.
		return p, name == "run_in_background" || name == "dangerouslyDisableSandbox"
	}
	return p, true
}

func hasWord(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

// Parameter is the parameter that a rule is about and the value it must have; ok is false
// for other rules.
func (r *Rule) Parameter() (name, value string, ok bool) {
	if r.Bare {
		return "", "", false
	}
	p, ok := parameterOf(r.Tool, r.Content)
	return p.name, p.value, ok
}

// GrantsNothing reports whether an allow rule is about a parameter that only deny and ask
// rules can be about: the command of Bash, the path of Read.
func (r *Rule) GrantsNothing() bool {
	name, _, ok := r.Parameter()
	return ok && r.Behavior == Allow && name == ownParameter(r.Tool)
}

func (r *Rule) aboutParameter() bool {
	_, _, ok := r.Parameter()
	return ok
}

// comparisons of an extended value, the longer ones first.
var comparisons = []string{">=", "<=", ">", "<"}

// comparison takes a value like ">= 500" apart. signed: it begins like one.
func (p parameter) comparison() (sign string, limit decimal, signed bool, f *fault) {
	if !p.extended || p.value == "" || strings.IndexByte("<>=!", p.value[0]) < 0 {
		return "", decimal{}, false, nil
	}
	digits := strings.TrimLeft(p.value, "<>=!"+blanks)
	written := strings.TrimRight(p.value[:len(p.value)-len(digits)], blanks)
	limit, number := parseDecimal([]byte(digits))
	for _, sign := range comparisons {
		if written == sign && number {
			return sign, limit, true, nil
		}
	}
	return "", decimal{}, true, &fault{
		"the comparison is none with a number",
		"write " + p.name + ":500 for that number, or " + p.name + ":>500 with >, >=, < or <=",
	}
}
