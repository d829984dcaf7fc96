package shell

import "strings"

// maxValue bounds the texts that are made of others: of variables that are made of others twice
// over, of a value that is put in many times. No path is longer, and a few hundred bytes that
// double each other would use up the memory.
const maxValue = 4096

// grown is a text with another behind it, which is not known where it is too long.
func grown(text, more string) string {
	if text != "" && more != "" && len(text)+len(more) > maxValue {
		return unknownMark
	}
	return text + more
}

// replaced is a text with another put in for each occurrence of a third, which is not known where
// that makes it too long.
func replaced(text, old, with string) string {
	if size := len(text) + strings.Count(text, old)*(len(with)-len(old)); size > max(maxValue, len(text)) {
		return unknownMark
	}
	return strings.ReplaceAll(text, old, with)
}
