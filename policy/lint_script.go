package policy

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/shell"
)

// Script is a program of a hook as it lies on the disk.
type Script struct {
	Text       []byte // its beginning; empty when it is no text
	Executable bool
}

// maxScript is how much of a script is looked at.
const maxScript = 256 << 10

// hookProgram looks at the script that a hook runs: whether it can run at all, and
// for the mistakes that make it answer something else than its author means.
func (l *linter) hookProgram(e *hook.Entry) {
	command, ok := e.Handler.(hook.Command)
	if !ok || l.Script == nil {
		return
	}
	file, direct := scriptOf(command)
	if file == "" {
		return
	}
	script, err := l.Script(file)
	switch {
	case err != nil:
		l.addHook(Error, "hook-missing", e, fmt.Sprintf("%s cannot be read (%v)%s", Visible(file), err, consequence(e)), "mend the path; a path with blanks needs quotes, or \"args\": []")
	case direct && !script.Executable:
		l.addHook(Error, "hook-not-executable", e, fmt.Sprintf("%s is not executable%s", Visible(file), consequence(e)), "run chmod +x "+shellQuote(file))
	}
	if err == nil && e.Event == hook.PreToolUse {
		l.answers(e, string(script.Text[:min(len(script.Text), maxScript)]))
	}
}

func consequence(e *hook.Entry) string {
	if e.Event == hook.PreToolUse && e.OnFailure != hook.FailOpen {
		return ": every call it is for is denied"
	}
	return ""
}

func shellQuote(file string) string { return "'" + strings.ReplaceAll(file, "'", `'\''`) + "'" }

// scriptOf finds the file that a command runs: the program itself if that is named
// by a path, or the first file given to an interpreter. direct: the kernel starts it.
func scriptOf(c hook.Command) (file string, direct bool) {
	words := append([]string{c.Line}, c.Args...)
	if !c.Exec {
		s := shell.Parse(c.Line)
		if s.Problem != nil || len(s.Commands) == 0 {
			return "", false
		}
		words = words[:0]
		for _, w := range s.Commands[0].Words {
			if !w.Known() && !strings.HasSuffix(w.Text, ".sh") && !strings.HasSuffix(w.Text, ".py") && !strings.HasSuffix(w.Text, ".js") {
				return "", false
			}
			words = append(words, w.Text)
		}
	}
	if len(words) == 0 || strings.ContainsAny(strings.Join(words, ""), "\xff\xfe~") {
		return "", false
	}
	if strings.Contains(words[0], "/") && !interprets(path.Base(words[0])) {
		return words[0], true
	}
	if interprets(path.Base(words[0])) && len(words) > 1 && !strings.HasPrefix(words[1], "-") {
		return words[1], false
	}
	return "", false
}

func interprets(program string) bool {
	switch strings.TrimRight(program, "0123456789.") {
	case "sh", "bash", "zsh", "python", "node", "ruby", "perl", "deno", "bun":
		return true
	}
	return false
}

// answers looks for answers that mean something else than they seem to. It reads
// the text of a program in any language, so it looks for words, and only for those
// that are hard to mistake.
func (l *linter) answers(e *hook.Entry, text string) {
	if text == "" {
		return
	}
	word := func(pattern string) string {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	if bad := word(`permissionDecision["']?\s*[:=]+\s*\\?["'](reject|block|cancel|approve|denied|allowed|refuse|no|yes)\\?["']`); bad != "" {
		l.addHook(Error, "hook-word", e, fmt.Sprintf("it answers the permissionDecision %q, which is no word: the hook counts as broken", bad), "the words are allow, deny, ask and defer")
	}
	decides := strings.Contains(text, "permissionDecision") || regexp.MustCompile(`["']decision["']\s*[:=]`).MatchString(text)
	blocks := regexp.MustCompile(`\bexit\s*\(?\s*2\b|\bexitCode\s*=\s*2\b`).MatchString(text)
	if strings.Contains(text, "updatedInput") && !regexp.MustCompile(`["']allow\\?["']`).MatchString(text) {
		l.addHook(Warning, "hook-input", e, "it answers updatedInput but never allow, and without an explicit allow the input stays as it is", `answer "permissionDecision": "allow" beside it`)
	}
	if strings.Contains(text, "permissionDecision") && !strings.Contains(text, "hookSpecificOutput") {
		l.addHook(Error, "hook-place", e, "it answers permissionDecision outside of hookSpecificOutput: the hook counts as broken", `put it into {"hookSpecificOutput": {"hookEventName": "PreToolUse", …}}`)
	}
	if !decides && !blocks && regexp.MustCompile(`(?i)\b(block(ed|ing)?|den(y|ied)|forbidden|reject(ed)?|refus(e|ed))\b`).MatchString(text) {
		l.addHook(Warning, "hook-never-denies", e, "it speaks of blocking, but neither answers a decision nor exits with 2: printing something stops no call", `answer {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}, or exit with 2 and the reason on standard error`)
	}
}
