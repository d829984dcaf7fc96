package settings

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a [Report] is about.
type Kind uint8

// The kinds.
const (
	// MalformedRule: an allow rule was dropped, or a deny or ask rule is kept as
	// "ask for that tool".
	MalformedRule Kind = iota + 1
	// HeldBackGrant: the workspace grants something and nobody has trusted it.
	HeldBackGrant
	// UnknownMode: a defaultMode that does not exist.
	UnknownMode
	// BypassDisabled: bypassPermissions was asked for and some file forbids it.
	BypassDisabled
	// DirectoryMissing: an additional directory does not exist or is none.
	DirectoryMissing
	// BrokenFile: a file broke while running; what stands in for it is said. Or the file
	// of a command or agent, for which nothing stands in.
	BrokenFile
	// MendedFile: a file is broken no longer: it can be read again, or is gone.
	MendedFile
	// TrustChanged: what a trusted workspace grants has changed since.
	TrustChanged
	// TrustUnreadable: a record of trust cannot be read and counts as "not trusted".
	TrustUnreadable
	// NotEnforced: a setting that restricts and that assent does not know how to keep.
	NotEnforced
	// UnknownValue: a setting with a value that does not exist.
	UnknownValue
	// ModeRefused: a mode that is looser than the administrator's was asked for.
	ModeRefused
	// UnknownKey: an unknown key under "permissions" or "sandbox", which may have been
	// meant to restrict.
	UnknownKey
	// ManagedOnly: what does not count because only managed settings may say it.
	ManagedOnly
	// NoEffect: a setting that means nothing in its file, or to assent at all.
	NoEffect
)

var kindNames = [...]string{
	MalformedRule: "malformed rule", HeldBackGrant: "held back", UnknownMode: "unknown mode",
	BypassDisabled: "bypass disabled", DirectoryMissing: "directory missing", BrokenFile: "broken file",
	MendedFile: "mended file", TrustChanged: "trust changed", TrustUnreadable: "trust unreadable",
	NotEnforced: "not enforced", UnknownValue: "unknown value", ModeRefused: "mode refused", UnknownKey: "unknown key",
	ManagedOnly: "managed only", NoEffect: "no effect",
}

func (k Kind) String() string {
	if k != 0 && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Report is something a person should know about the settings.
type Report struct {
	Kind Kind
	File string // empty when no file is to blame
	Line int    // from 1; 0 when it is about the whole file
	Text string // one sentence, one line
	Hint string // what to do about it
}

// String is the report on one line: "FILE:LINE: text (hint)".
func (r Report) String() string {
	var b strings.Builder
	if r.File != "" {
		b.WriteString(r.File)
		if r.Line > 0 {
			fmt.Fprintf(&b, ":%d", r.Line)
		}
		b.WriteString(": ")
	}
	b.WriteString(r.Text)
	if r.Hint != "" {
		b.WriteString(" (" + r.Hint + ")")
	}
	return b.String()
}

// same compares what two reports say. Where in the file it stands may move
// without making it news.
func (r Report) same(other Report) bool {
	r.Line = other.Line
	return r == other
}

// everyCall words what a rule on a whole tool is about.
func everyCall(tool string) string {
	if tool == "*" {
		return "every call of every tool"
	}
	return "every " + visible(tool) + " call"
}

// named is the text of a rule inside a sentence; one that is empty must be seen,
// too.
func named(text string) string {
	if strings.TrimSpace(text) == "" {
		return strconv.Quote(text)
	}
	return visible(text)
}

// shellWord is a path as somebody can paste it into a command: quoted where the
// shell would take it apart, and with escapes for what cannot be seen.
func shellWord(path string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+,:@%", r)
	}
	switch {
	case visible(path) != path:
		// Go and the shell's $'…' have the same escapes, but for the quotes.
		inner := strings.TrimSuffix(strings.TrimPrefix(strconv.Quote(path), `"`), `"`)
		return "$'" + strings.ReplaceAll(strings.ReplaceAll(inner, `\"`, `"`), "'", `\'`) + "'"
	case path != "" && strings.IndexFunc(path, special) < 0:
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// visible shows text of a settings file inside a sentence. When it holds anything
// that could deceive a reader (line breaks, control characters, reversed text) it
// is quoted and that is escaped.
func visible(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	return strconv.Quote(text)
}
