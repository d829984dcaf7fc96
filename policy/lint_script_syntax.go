package policy

import (
	"path"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/shell"
)

// hookSyntax finds text that no shell can read. A shell that cannot read its text ends
// with status 2, which blocks whatever the hook was there for.
func (l *linter) hookSyntax(e *hook.Entry, where, text string) {
	if problem := shell.Parse(text).Problem; problem != nil && problem.Kind == shell.Unparseable {
		l.addHook(Error, "hook-syntax", e, "the shell cannot read "+where+" ("+Visible(problem.Text)+"), and then ends with status 2, which blocks", "run it by hand with sh -n")
	}
}

// readsBash: a shell whose language is that of bash reads the file.
func (f scriptFile) readsBash(text string) bool {
	program := f.interpreter
	if f.direct {
		first, _, _ := strings.Cut(text, "\n")
		line, ok := strings.CutPrefix(first, "#!")
		words := strings.Fields(line)
		if !ok || len(words) == 0 {
			return false
		}
		program = path.Base(words[0])
		if program == "env" {
			program = path.Base(words[len(words)-1])
		}
	}
	return program == "sh" || program == "bash" || program == "dash"
}
