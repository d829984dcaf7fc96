package hook

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReason is how much of a reason, in bytes, the model and a person get to read. The
// whole of what a command printed is on record.
const maxReason = 10_000

// legible is what a hook says to somebody: not longer than anybody wants to read, and
// without the characters that would do something to a terminal, or hide or reorder the
// others. Somebody decides by it.
func legible(text string) string {
	whole := len(text)
	if whole > maxReason {
		end := maxReason
		for end > maxReason-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	text = strings.Map(legibleRune, text)
	if whole > maxReason {
		text += fmt.Sprintf("… (cut off: %d bytes in all)", whole)
	}
	return text
}

// legibleRune is a character as it may be shown; -1 when it may not.
func legibleRune(r rune) rune {
	const nonJoiner, joiner = '\u200c', '\u200d'
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == nonJoiner || r == joiner: // many scripts and emoji are written with them
		return r
	case unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
		return '\n'
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// makeLegible is for all that an answer says to people, and for its reasons.
func (o *Output) makeLegible() {
	texts := []*string{&o.StopReason, &o.SystemMessage, &o.Reason}
	if s := o.Specific; s != nil {
		texts = append(texts, &s.PermissionDecisionReason)
		if s.Decision != nil {
			texts = append(texts, &s.Decision.Message)
		}
	}
	for _, text := range texts {
		*text = legible(*text)
	}
}

// panicText is for a function that did not return. Without a panic it has ended its
// goroutine.
func panicText(p any) string {
	if p == nil {
		return "it ended its goroutine (runtime.Goexit)"
	}
	return "panic: " + oneLine(fmt.Sprint(p))
}

// printable is output of a hook as text.
func printable(output []byte) string { return strings.ToValidUTF8(string(output), "\uFFFD") }
