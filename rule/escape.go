package rule

import "strings"

// blanks are trimmed around a rule and around its content.
const blanks = " \t\r\n"

func blank(b byte) bool { return strings.IndexByte(blanks, b) >= 0 }

// Escape turns a literal text into rule content, for Bash and for every tool
// whose content is plain text, that matches exactly that text. An empty text has
// no such content: `Tool()` is malformed. Where a text reads as a parameter and its value
// the rule is one on that, see [Rule.Parameter].
func Escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c == '*' || c == '\\' || blank(c) && (i == 0 || i == len(text)-1) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// EscapePath turns a literal absolute, clean path into the content of a path
// rule that matches it and, when it is a directory, what is below it.
func EscapePath(path string) string {
	var b strings.Builder
	b.WriteByte('/') // two slashes: from the root of the file system
	for i := range len(path) {
		c := path[i]
		if strings.IndexByte(`*?[\`, c) >= 0 || blank(c) && i == len(path)-1 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// trimContent removes blanks on both sides, but keeps a last one that a
// backslash protects.
func trimContent(s string) string {
	if trimmed(s) {
		return s
	}
	s = strings.TrimLeft(s, blanks)
	t := strings.TrimRight(s, blanks)
	if len(t) < len(s) && escapedAt(t, len(t)) {
		return s[:len(t)+1]
	}
	return t
}

// trimmed: no blank on either side, which is how nearly every rule is written.
func trimmed(s string) bool {
	return s == "" || !isBlank(s[0]) && !isBlank(s[len(s)-1])
}

func isBlank(c byte) bool { return c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n') }

func hasBlank(s string) bool {
	for i := range len(s) {
		if isBlank(s[i]) {
			return true
		}
	}
	return false
}

// escapedAt reports whether an odd number of backslashes stands before s[i].
func escapedAt(s string, i int) bool {
	n := 0
	for i > n && s[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
