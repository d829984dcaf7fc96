package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook"
)

// answer is what the program of a hook may say, as far as its text tells.
type answer struct {
	code   string // the command and the scripts that it runs
	speech string // the part of it in which it can speak of what it does
	// partial: something else has a say as well, of which nothing is known.
	partial bool
}

// answers looks for answers that mean something else than they seem to. It reads
// the text of a program in any language, so it looks for words, and only for those
// that are hard to mistake.
func (l *linter) answers(e *hook.Entry, a answer) {
	if bad := a.wrongWord(); bad != "" {
		l.addHook(Error, "hook-word", e, fmt.Sprintf("it answers the permissionDecision %q, which is no word: the hook counts as broken", bad), "the words are allow, deny, ask and defer")
	}
	if a.partial {
		return
	}
	if strings.Contains(a.code, "updatedInput") && !matches(`["'](allow|approve)\\*["']`, a.code) {
		l.addHook(Warning, "hook-input", e, "it answers updatedInput but never allow, and without an explicit allow the input stays as it is", `answer "permissionDecision": "allow" beside it`)
	}
	if strings.Contains(a.code, "permissionDecision") && !strings.Contains(a.code, "hookSpecificOutput") {
		l.addHook(Error, "hook-place", e, "it answers permissionDecision outside of hookSpecificOutput: the hook counts as broken", `put it into {"hookSpecificOutput": {"hookEventName": "PreToolUse", …}}`)
	}
	if a.speaksOfBlocking() && !a.decides() && !a.mayExitTwo() {
		l.addHook(Warning, "hook-never-denies", e, "it speaks of blocking, but neither answers a decision nor exits with 2: printing something stops no call", `answer {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}, or exit with 2 and the reason on standard error`)
	}
}

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// wrongWord is a decision that does not exist. The key of an object has a word as its
// value; a variable of that name may hold others on the way, so of those only words
// count that are surely meant to decide.
func (a answer) wrongWord() string {
	words := []string{"allow", "deny", "ask", "defer"}
	others := []string{"reject", "block", "cancel", "approve", "denied", "allowed", "refuse", "no", "yes"}
	for _, m := range regexp.MustCompile(`permissionDecision\\*["']?\s*([:=]+)\s*\\*["'](\w+)\\*["']`).FindAllStringSubmatch(a.code, -1) {
		sign, word := m[1], m[2]
		meant := strings.ToLower(word)
		if !slices.Contains(words, word) && (sign == ":" || slices.Contains(words, meant) || slices.Contains(others, meant)) {
			return word
		}
	}
	return ""
}

func (a answer) decides() bool {
	return strings.Contains(a.code, "permissionDecision") || matches(`\bdecision\\*["']?\s*[:=]`, a.code)
}

// mayExitTwo: it ends with 2, or with something that only running it can tell.
func (a answer) mayExitTwo() bool {
	return matches(`(\b|_)(exit|SystemExit)!?\s*\(?\s*2\b`, a.code) || // exit 2, sys.exit(2), os._exit(2)
		matches(`(\b|_)(exit|SystemExit)\s*\(\s*[A-Za-z_$]`, a.code) || // sys.exit(main())
		matches(`\bexit\s+"?\$`, a.code) || // exit $code
		matches(`\bexitCode\s*=\s*(2\b|[A-Za-z_])`, a.code) ||
		matches(`\breturn\s+2\b`, a.code)
}

func (a answer) speaksOfBlocking() bool {
	return matches(`(?i)\b(block(ed|ing)?|den(y|ied)|forbidden|reject(ed)?|refus(e|ed))\b`, a.speech)
}
