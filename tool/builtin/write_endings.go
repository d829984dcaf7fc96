package builtin

import "strings"

// usesCRLF: most lines of a text end with CR LF. Models write plain line breaks; a file
// keeps the ones it has.
func usesCRLF(text string) bool {
	crlf := strings.Count(text, "\r\n")
	return crlf > strings.Count(text, "\n")-crlf
}

// unixLines is a text whose lines end with LF.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// withEndings is a text with the line endings of a file.
func withEndings(text string, crlf bool) string {
	if !crlf {
		return text
	}
	return strings.ReplaceAll(unixLines(text), "\n", "\r\n")
}
