package foreign

import (
	"path"
	"strings"
)

// The command that a hook runs is a line for a shell. Some agents could start a
// program with a list of arguments instead, but only their newer versions: an older
// one would start the program without them, get no decision and let the call run.

// Program says how the guard is started.
type Program struct {
	// Path is "assent-hook" or "assent" when that is found on PATH, else absolute.
	Path string
	// Windows: the shell is not a POSIX one.
	Windows bool
}

// line is the command for an agent, with what to say when the guard does not answer.
func (p Program) line(a Agent) string {
	return p.quoted() + p.arguments(a) + p.otherwise(a)
}

// unjudged is said of a call when the guard was not there to judge it. It stands
// between the quotes of a shell and of JSON, so it has neither.
const unjudged = "assent did not judge this call: is it installed?"

// otherwise is the end of a line: what says "no" when the guard fails, for example
// because assent is not installed any more or not on the PATH of a program that was
// started from a desktop. Three agents let the call run then. Claude Code obeys exit
// status 2. Codex and Gemini CLI do so only when something is said as well, and not in
// every version, but obey this object together with status 0. The guard ends with
// status 0 whenever it has answered one of these two, so they never get two objects.
func (p Program) otherwise(a Agent) string {
	switch {
	case p.Windows: // what runs the line there is not known
		return ""
	case a == Claude:
		return " || { echo '" + unjudged + "' >&2; exit 2; }"
	case a == Codex, a == Gemini:
		return ` || echo '{"decision":"block","reason":"` + unjudged + `"}'`
	}
	return "" // Cursor is told failClosed, and to Copilot CLI any status but 0 is a "no"
}

// powershell is the line for the shell of Windows.
func (p Program) powershell(a Agent) string {
	return p.quotedForPowershell() + p.arguments(a)
}

func (p Program) quotedForPowershell() string {
	if strings.ContainsFunc(p.Path, unsafeInShell) {
		return "& '" + strings.ReplaceAll(p.Path, "'", "''") + "'"
	}
	return p.Path
}

// arguments tell the program to be the guard of an agent.
func (p Program) arguments(a Agent) string {
	if guardAlone(p.Path) {
		return " --agent " + a.String()
	}
	return " hook --agent " + a.String()
}

// guardAlone: the program is the guard and nothing else.
func guardAlone(program string) bool { return baseName(program) == "assent-hook" }

func baseName(program string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
}

func (p Program) absolute() bool { return strings.ContainsAny(p.Path, `/\`) }

func (p Program) quoted() string {
	switch {
	case !strings.ContainsFunc(p.Path, unsafeInShell):
		return p.Path
	case p.Windows:
		return `"` + p.Path + `"`
	}
	return "'" + strings.ReplaceAll(p.Path, "'", `'\''`) + "'"
}

func unsafeInShell(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:@%+,", r))
}
