package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shellWord is a path as somebody can paste it into a command: quoted where the
// shell would take it apart, and with escapes for what cannot be seen.
func shellWord(path string) string {
	switch {
	case path != "" && strings.IndexFunc(path, special) < 0:
		return path
	case Visible(path) == path:
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if r == '\'' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteString(visibleRune(r, path[i:i+size]))
		i += size
	}
	b.WriteByte('\'')
	return b.String()
}

// special: the character may mean something to a shell.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+,:@%", r) || unseen(r)
}
