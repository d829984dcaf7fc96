package policy

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/hook"
)

// Script is a program of a hook as it lies on the disk.
type Script struct {
	Text       []byte // its beginning; empty when it is no text
	Executable bool
}

// maxScript is how much of a script is looked at.
const maxScript = 256 << 10

// hookProgram looks at what a command runs: whether it can run at all, and for the
// mistakes that make it answer something else than its author means.
func (l *linter) hookProgram(e *hook.Entry) {
	command, ok := e.Handler.(hook.Command)
	if !ok {
		return
	}
	if !command.Exec {
		l.hookSyntax(e, "the command", command.Line)
	}
	p := readCommand(command)
	said := answer{code: p.line, speech: p.speech, partial: p.unknown}
	for _, file := range p.files {
		text, ok := l.script(e, file, p.careful)
		if !ok {
			said.partial = true
			continue
		}
		said.code += "\n" + text
		said.speech += "\n" + text
	}
	if e.Event == hook.PreToolUse {
		l.answers(e, said)
	}
}

// script reads a file that a hook runs, and says what keeps it from running. careful:
// the command looks for itself whether the file is there.
func (l *linter) script(e *hook.Entry, file scriptFile, careful bool) (text string, ok bool) {
	if l.Script == nil {
		return "", false
	}
	script, err := l.Script(file.path)
	switch {
	case err != nil && careful:
		return "", false
	case err != nil:
		l.addHook(Error, "hook-missing", e, fmt.Sprintf("%s cannot be read (%v)%s", Visible(file.path), err, consequence(e)), "mend the path; a path with blanks needs quotes, or \"args\": []")
		return "", false
	case file.direct && !script.Executable && !careful:
		l.addHook(Error, "hook-not-executable", e, fmt.Sprintf("%s is not executable%s", Visible(file.path), consequence(e)), "run chmod +x "+shellQuote(file.path))
	}
	text = string(script.Text[:min(len(script.Text), maxScript)])
	if brokenByLineEnds(text, file) {
		l.addHook(Error, "hook-line-ends", e, fmt.Sprintf("the lines of %s end with a carriage return, as on Windows, which is taken for a part of the last word%s", Visible(file.path), consequence(e)),
			"save it with line feeds alone")
	} else if len(text) < maxScript && file.readsBash(text) {
		l.hookSyntax(e, Visible(file.path), text)
	}
	return text, text != ""
}

// brokenByLineEnds: the system takes a carriage return for a part of the program's name
// in the first line, and a shell for a part of every command. Other interpreters
// do not mind.
func brokenByLineEnds(text string, file scriptFile) bool {
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case !strings.HasSuffix(first, "\r"):
		return false
	case file.direct:
		return strings.HasPrefix(text, "#!")
	}
	return isShell(file.interpreter)
}

func consequence(e *hook.Entry) string {
	if e.Event == hook.PreToolUse && e.OnFailure != hook.FailOpen {
		return ": every call it is for is denied"
	}
	return ""
}

func shellQuote(file string) string { return "'" + strings.ReplaceAll(file, "'", `'\''`) + "'" }
