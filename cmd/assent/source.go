package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/policy"
)

// maxSourceLines is how much of a long command is shown.
const maxSourceLines = 24

// source shows a command with carets below the bytes of the span. Characters that
// could hide or reorder text stand as escapes, and the carets account for them.
func source(text string, span [2]int) []string {
	var lines []string
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		shown, carets := underline(line, span[0]-start, span[1]-start)
		lines = append(lines, shown)
		if carets != "" {
			lines = append(lines, carets)
		}
		start += len(line) + 1
	}
	return clip(lines)
}

// underline is one line and the carets below it; from and to may lie outside of it.
func underline(line string, from, to int) (shown, carets string) {
	var text, below strings.Builder
	marked := false
	for i := 0; i < len(line); {
		_, size := utf8.DecodeRuneInString(line[i:])
		piece := policy.Visible(line[i : i+size])
		text.WriteString(piece)
		sign := " "
		if from <= i && i < to {
			sign, marked = "^", true
		}
		below.WriteString(strings.Repeat(sign, width(piece)))
		i += size
	}
	if !marked {
		return text.String(), ""
	}
	return text.String(), strings.TrimRight(below.String(), " ")
}

// clip keeps the lines around the carets.
func clip(lines []string) []string {
	if len(lines) <= maxSourceLines {
		return lines
	}
	at := 0
	for i, line := range lines {
		if strings.Trim(line, " ^") == "" && strings.Contains(line, "^") {
			at = i
			break
		}
	}
	from := max(0, min(at-maxSourceLines/2, len(lines)-maxSourceLines))
	kept := append([]string(nil), lines[from:from+maxSourceLines]...)
	if from > 0 {
		kept[0] = "…"
	}
	if from+maxSourceLines < len(lines) {
		kept[len(kept)-1] = "…"
	}
	return kept
}

// width is how many columns a terminal uses for a text.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
