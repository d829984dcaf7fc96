package main

import "unicode/utf8"

// bytesLeft is how many bytes of descriptions still have a place in a list for the host. A file
// or a server may describe itself at any length, and an answer must stay readable.
type bytesLeft int

const (
	listRoom       bytesLeft = 128 << 10
	maxDescription           = 500
)

// take is the beginning of a description; nothing is left of it when the room is used up.
func (r *bytesLeft) take(text string) string {
	if len(text) > maxDescription {
		end := maxDescription
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + "…"
	}
	if len(text) > int(*r) {
		*r = 0 // what follows a gap would look as if it were complete
		return ""
	}
	*r -= bytesLeft(len(text))
	return text
}
