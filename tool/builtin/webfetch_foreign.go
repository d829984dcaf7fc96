package builtin

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// The limits of what a server can say outside of its page, in characters.
const (
	mostTerm    = 100 // a media type or the name of a character set
	mostForeign = 500 // a URL or an error that quotes the server
)

// foreign is a text of a server that stands outside of the lines around its page: short,
// and on one line, so that it cannot pass for anything but a part of our sentence.
func foreign(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, plain(text))
	kept, cut := cutText(text, most)
	if cut {
		kept += " [cut]"
	}
	return kept
}

// shownURL is a URL as one word of plain ASCII. Package url leaves blanks and foreign
// letters in queries and hosts as they came; whoever fetches the result gets the same
// page.
func shownURL(u *url.URL) string {
	var b strings.Builder
	text := u.String()
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return foreign(b.String(), mostForeign)
}
