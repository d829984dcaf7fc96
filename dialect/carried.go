package dialect

import (
	"errors"
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

var errCarried = errors.New("the command carries a patch in a way that assent does not read: use apply_patch itself, or `apply_patch <<'EOF'` and nothing else, after `cd DIR &&` at most")

// carriedPatch translates the patch that a command carries, as Codex takes it out of
// the command: apply_patch with the patch as its only argument or as a quoted
// here-document, also behind one `cd DIR &&`, also inside of `bash -lc`. Any other
// command with a patch in it is an error: where its files lie is not known.
func carriedPatch(command, dir string, h home) ([]Call, error) {
	script := shell.Parse(command)
	if !strings.Contains(command, patchBegin) && !slices.ContainsFunc(script.Commands, appliesPatch) {
		return nil, nil
	}
	text, below, ok := plainPatch(script)
	if !ok {
		return nil, errCarried
	}
	if err := plainDir(below); err != nil {
		return nil, err
	}
	calls, err := patchCalls(text, h)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasPrefix(below, "/"):
		dir = below
	case below != "" && dir != "":
		dir += "/" + below
	case below != "":
		dir = below
	}
	for i := range calls {
		calls[i].Dir = dir
	}
	return calls, nil
}

func appliesPatch(c shell.Command) bool { return isApplyPatch(c.Program()) }

func isApplyPatch(program string) bool { return program == "apply_patch" || program == "applypatch" }

// plainPatch is the patch in a script of one of those forms, and the directory of its
// `cd`.
func plainPatch(script *shell.Script) (patch, dir string, ok bool) {
	top := topLevel(script)
	if script.Problem != nil || len(top) == 0 || len(top) > 2 {
		return "", "", false
	}
	first, last := top[0], top[len(top)-1]
	start := strings.TrimLeft(script.Source, " \t\r\n")
	if int(first.Words[0].Span.Start) != len(script.Source)-len(start) {
		return "", "", false // there is a keyword or a bracket before it
	}
	if len(top) == 2 {
		between := script.Source[first.Words[len(first.Words)-1].Span.End:last.Words[0].Span.Start]
		if len(first.Words) != 2 || first.Words[0].Text != "cd" || strings.TrimSpace(between) != "&&" || strings.HasPrefix(first.Words[1].Text, "-") {
			return "", "", false
		}
		dir = first.Words[1].Text
	}
	if len(top) == 1 && len(last.Words) == 3 && isShell(last.Words[0].Text) && isCodeFlag(last.Words[1].Text) {
		return plainPatch(shell.Parse(last.Words[2].Text))
	}
	patch, ok = patchOf(script, last)
	return patch, dir, ok
}

// topLevel are the commands that the script itself runs, if nothing about them is
// unusual; none otherwise.
func topLevel(script *shell.Script) (top []*shell.Command) {
	for i := range script.Commands {
		c := &script.Commands[i]
		if c.Parent >= 0 {
			continue
		}
		if len(c.Words) == 0 || len(c.Assigns) > 0 || c.Opaque != shell.Clear && !isShell(c.Words[0].Text) || c.Taint != "" {
			return nil
		}
		for _, word := range c.Words {
			if word.Split || word.Home || word.Tilde || strings.ContainsAny(word.Text, string([]byte{shell.Unknown, shell.Glob})) {
				return nil
			}
		}
		top = append(top, c)
	}
	return top
}

// patchOf is what a command of apply_patch is given. The text must stand in the
// command as it is: Codex does not expand it, and bash would.
func patchOf(script *shell.Script, c *shell.Command) (patch string, ok bool) {
	if !isApplyPatch(c.Words[0].Text) {
		return "", false
	}
	switch {
	case len(c.Words) == 2 && len(c.Redirects) == 0:
		return c.Words[1].Text, true
	case len(c.Words) == 1 && len(c.Redirects) == 1 && c.Redirects[0].Kind == shell.RedirectText && c.Stdin.Kind == shell.StdinText:
		return c.Stdin.Text, strings.Contains(script.Source, c.Stdin.Text)
	}
	return "", false
}

func isShell(program string) bool {
	switch program[strings.LastIndexByte(program, '/')+1:] {
	case "sh", "bash", "zsh", "dash":
		return true
	}
	return false
}

func isCodeFlag(flag string) bool { return flag == "-c" || flag == "-lc" }
