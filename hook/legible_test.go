package hook

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// What a hook says to the model or to a person has an end, and does nothing to a
// terminal.
func TestH10_ReasonsAreBoundedAndPlain(t *testing.T) {
	const wild, plain = "no\x1b[2J\x1b]0;x\x07\r\n\tthen\u009b31m\x00", "no[2J]0;x\n\tthen31m"
	long := strings.Repeat("é", 300_000)
	answers := func(text string) map[string]func() []string {
		pre := func(h Handler) []string {
			v := newSession(t, Config{Entries: before(h)}).run(bashInput("ls"))
			return append(v.Denials, v.Permission.Reason, v.Runs[0].Reason)
		}
		return map[string]func() []string{
			"exit status 2": func() []string { return pre(exiting(2, "", text)) },
			"deny":          func() []string { return pre(saying("x", Deny(text))) },
			"older block":   func() []string { return pre(saying("x", Block(text))) },
			"ask":           func() []string { return pre(saying("x", Ask(text)))[:1] },
			"halt":          func() []string { return pre(saying("x", Halt(text))) },
			"an error": func() []string {
				return pre(Function{Label: "x", Func: func(context.Context, Invocation) (Output, error) { return Output{}, errors.New(text) }})
			},
			"an answer": func() []string {
				v := newSession(t, Config{Entries: entriesAt(PermissionRequest, saying("x", AnswerDeny(text)))}).run(PermissionRequestInput{ToolName: "Bash"})
				return []string{v.Answer.Message}
			},
			"feedback": func() []string {
				return newSession(t, Config{Entries: entriesAt(Stop, saying("x", Block(text)))}).run(StopInput{}).Feedback
			},
			"a message": func() []string {
				return newSession(t, Config{Entries: entriesAt(Stop, saying("x", Message(text)))}).run(StopInput{}).Messages
			},
		}
	}
	for name, said := range answers(wild) {
		for _, text := range said() {
			if !strings.Contains(text, plain) || strings.ContainsAny(text, "\x1b\x07\r\x00\u009b") {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
	for name, said := range answers(long) {
		for _, text := range said() {
			if len(text) > maxReason+200 || !utf8.ValidString(text) || !strings.Contains(text, "… (cut off: ") {
				t.Errorf("%s: %d bytes, …%q", name, len(text), text[max(0, len(text)-60):])
			}
		}
	}
	// What was printed is on record as it was.
	v := newSession(t, Config{Entries: before(exiting(2, "", long))}).run(bashInput("ls"))
	if v.Runs[0].Stderr != long {
		t.Error("the record is cut off, too")
	}
}

func TestLegibleLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{"", "one\n\ttwo", "naïve 😀 ﷽", "👩\u200d🚀 می\u200cخواهم", strings.Repeat("x", maxReason)} {
		if got := legible(text); got != text {
			t.Errorf("%.40q became %.40q", text, got)
		}
	}
}

// Characters that hide or reorder others are gone from what a person reads before he
// decides.
func TestH10_ReasonsShowWhatTheySay(t *testing.T) {
	for text, want := range map[string]string{
		"run \u202egnp.exe\u202c \u200bnow":       "run gnp.exe now",
		"\u2066a\u2069 \u200f\u061cb\ufeff\u00ad": "a b",
		"hidden\U000e0041\U000e0042":              "hidden",
		"a\u2028b\u2029c":                         "a\nb\nc",
	} {
		s := newSession(t, Config{Entries: before(saying("x", Ask(text)))})
		if got := s.bash("ls").Verdict.Permission.Reason; got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
