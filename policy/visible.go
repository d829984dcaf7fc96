package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/shell"
)

// Visible is text as it may be shown to somebody who decides by it: what could
// hide or reorder other text (control and format characters, blanks that are no
// blank, invalid bytes) stands as an escape. Line breaks are escaped as well.
func Visible(text string) string { return visible(text, visibleRune) }

// VisibleInOrder is [Visible] where the order matters, as in a command: letters that are
// written from right to left would turn what stands around them round, so they stand as
// escapes too.
func VisibleInOrder(text string) string {
	return visible(text, func(r rune, raw string) string {
		if leftwards(r) {
			return escape(r)
		}
		return visibleRune(r, raw)
	})
}

func visible(text string, show func(r rune, raw string) string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(show(r, text[i:i+size]))
		i += size
	}
	return b.String()
}

func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// visibleRune is one character, or its escape; raw is how it is encoded.
func visibleRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x80 && unicode.IsControl(r):
		return fmt.Sprintf(`\x%02x`, r)
	case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unseen(r):
		return raw
	}
	return escape(r)
}

func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// leftwards: Unicode keeps these blocks for scripts that run from right to left, whatever
// is added to them.
func leftwards(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// unseen: characters that count as graphic and show nothing. Fillers, variation
// selectors and the joiner have been used to hide words from reviewers.
func unseen(r rune) bool {
	switch r {
	case 0x2800, // an empty pattern of braille
		0xfffc,           // stands for an object that is not there
		0x16fe4, 0x1d159, // a filler, a note without a head
		0x13441, 0x13442: // blanks between hieroglyphs
		return true
	}
	controls := r >= 0x13430 && r <= 0x13455 // of how hieroglyphs are put together
	return controls || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// Shows: somebody who looks at a text sees something of it. Blanks and what is invisible show
// nothing, nor do marks without a letter to which they belong.
func Shows(text string) bool {
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		broken := r == utf8.RuneError && size == 1
		if !broken && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !unseen(r) {
			return true
		}
	}
	return false
}

// PartText is the text of a part of a command with the marks for what is not
// known shown as people write them, and without bytes that are no text.
func PartText(text string) string {
	if plain(text) {
		return text
	}
	text = strings.ReplaceAll(text, string([]byte{shell.Unknown}), "…")
	text = strings.ReplaceAll(text, string([]byte{shell.Glob}), "*")
	return strings.ToValidUTF8(text, "\uFFFD")
}

// WellFormed is a text as JSON can hold it: bytes that are no text stand as escapes.
// File systems take any bytes for a name.
func WellFormed(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

func allWellFormed(texts []string) []string {
	all := slices.Clone(texts)
	for i := range all {
		all[i] = WellFormed(all[i])
	}
	return all
}
