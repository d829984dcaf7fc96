package people

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how long a name may be.
const longestName = 64

// reserved are the names under which assent itself, or somebody who has not signed in, stands
// in records: nobody signs as one of them. Those with a blank in them, as "the server" and
// "the guard of codex", cannot be names anyway.
var reserved = []string{
	"assent", "server", "system", "operator", "root",
	"hook", "rule", "policy", "mode", "safety", "classifier", "guard", "time", "timeout",
	"agent", "model", "host", "terminal", "desk", "clerk", "inbox", "worker", "transcript", "process", "session",
	"person", "people", "somebody", "nobody", "anybody", "everybody", "anonymous", "unknown", "none", "you", "user",
}

// CheckName refuses what cannot be the name of a person. The error is a [*BadValue].
func CheckName(name string) error {
	bad := func(why string) error {
		return &BadValue{Subject: "name", Why: fmt.Sprintf("%q %s", clipped(name), why), Hint: "use at most 64 of the characters a-z 0-9 . _ - @, a letter or a digit first"}
	}
	switch {
	case name == "":
		return bad("is empty")
	case len(name) > longestName:
		return bad("is too long")
	case strings.ContainsFunc(name, func(r rune) bool { return !wordly(r) && !strings.ContainsRune("._-@", r) }):
		return bad("has other characters in it")
	case !wordly(rune(name[0])):
		return bad("begins with a sign")
	case ofProgram(name):
		return &BadValue{Subject: "name", Why: fmt.Sprintf("%q is a name that assent uses for itself", name), Hint: "choose another one"}
	}
	return nil
}

func wordly(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }

// ofProgram: under that name people would take somebody for assent, as under "assent-server".
func ofProgram(name string) bool {
	rest, own := strings.CutPrefix(name, "assent")
	return slices.Contains(reserved, name) || own && !wordly(first(rest))
}

func first(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// checkText refuses a text that is not one line which looks like what it is.
func checkText(subject, text string, most int) error {
	hint := fmt.Sprintf("write one line of at most %d characters", most)
	switch {
	case !utf8.ValidString(text):
		return &BadValue{Subject: subject, Why: "it is not UTF-8", Hint: hint}
	case utf8.RuneCountInString(text) > most:
		return &BadValue{Subject: subject, Why: "it is too long", Hint: hint}
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return &BadValue{Subject: subject, Why: "it has characters in it that cannot be seen", Hint: hint}
	}
	return nil
}

// clipped is what an error quotes of a text.
func clipped(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
