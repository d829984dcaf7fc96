package launch

import (
	_ "embed"
	"runtime"
	"strings"
)

// instructions is what the model is told about its task.
//
//go:embed instructions.md
var instructions string

// systemPrompt is what the model is told before the conversation. It depends on nothing
// that changes from one run to the next: a session that goes on must ask what it would
// have asked without the pause.
func systemPrompt(o Options, cwd string) string {
	text := o.System
	if text == "" {
		text = strings.NewReplacer("{{cwd}}", cwd, "{{platform}}", runtime.GOOS).Replace(instructions)
	}
	if o.Append != "" {
		text = strings.TrimRight(text, "\n") + "\n\n" + o.Append
	}
	return text
}
