package rule

import "strings"

// builtins are the tools whose names a rule may get wrong in letter case only.
// An unknown name is no mistake: it may belong to a server or a Go program.
var builtins = []string{
	"Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode", "ExitPlanMode", "Glob", "Grep",
	"KillShell", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Skill", "SlashCommand", "Task",
	"TaskOutput", "TodoWrite", "WebFetch", "WebSearch", "Write",
}

// isBuiltin: the name is that of a built-in tool, to the letter.
func isBuiltin(name string) bool {
	for _, tool := range builtins {
		if tool == name {
			return true
		}
	}
	return false
}

// builtinLike finds the built-in tool that a name spells in any letter case.
func builtinLike(name string) (string, bool) {
	for _, tool := range builtins {
		if len(tool) == len(name) && strings.EqualFold(tool, name) {
			return tool, true
		}
	}
	return "", false
}

// pathKind is the kind of a tool's content when that is a path pattern; zero for
// other tools.
func pathKind(tool string) Kind {
	switch tool {
	case "Read", "Glob", "Grep", "NotebookRead":
		return ReadRule
	case "Edit", "NotebookEdit", "MultiEdit":
		return EditRule
	case "Write":
		return WriteRule
	}
	return 0
}

// nameByte reports whether a tool name may hold the byte; a star stands for any
// run. Model providers take no other names, so look-alike letters are mistakes.
func nameByte(b byte) bool {
	switch {
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9':
		return true
	}
	return b == '_' || b == '-' || b == '.' || b == '/' || b == '*'
}

// leadingName is the part of a text that could be a tool name.
func leadingName(text string) string {
	for i := range len(text) {
		if !nameByte(text[i]) {
			return text[:i]
		}
	}
	return text
}
