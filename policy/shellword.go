package policy

import (
	"strings"
	"unicode/utf8"
)

// shellWord is a path as somebody can paste it into a command: quoted where the
// shell would take it apart, and with escapes for what cannot be seen.
func shellWord(path string) string {
	if path != "" && strings.Trim(path, plainWord) == "" {
		return path
	}
	if Visible(path) == path {
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

// plainWord are the bytes that mean themselves to every shell.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%"
