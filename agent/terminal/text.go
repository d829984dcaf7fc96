package terminal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/policy"
)

// Every line that somebody else wrote stands behind a bar. A line that is too long for
// the terminal goes on behind a colon, so that nobody takes the rest for a line of its
// own.
const (
	bar  = "  | "
	cont = "  : "
)

// minText is the least a line of text gets: the widest character must fit.
const minText = 2

// beside is what stands before text on a terminal of that width, and how much the text
// gets. Where there is too little room for both, what stands before gives way, but for
// the first column: text of others never begins there.
func beside(gutter string, width int) (before string, room int) {
	before = gutter[:min(len(gutter), max(width-minText, 1))]
	return before, max(width-len(before), minText)
}

// tabShown is what a tab in the text of a file looks like. In a command it is an escape.
const tabShown = "→   "

// spelling is how a text is written down: which of its characters are ordinary.
type spelling uint8

const (
	exact  spelling = iota + 1 // a tab is an escape, and so are letters that run leftwards
	source                     // a tab is an arrow: files are full of them
)

// visible is a piece of text without anything that hides.
func (s spelling) visible(text string) string {
	if s == source {
		return policy.Visible(text)
	}
	return policy.VisibleInOrder(text)
}

// shown is one line as it may be printed.
func (s spelling) shown(line string) string {
	if s != source || !strings.Contains(line, "\t") {
		return s.visible(line)
	}
	pieces := strings.Split(line, "\t")
	for i := range pieces {
		pieces[i] = policy.Visible(pieces[i])
	}
	return strings.Join(pieces, tabShown)
}

// quoted is somebody else's text as rows for a terminal. mark stands before each of its
// lines: the sign of a difference.
func quoted(s spelling, mark, text string, width int) []string {
	var rows []string
	for _, line := range split(text) {
		gutter, room := beside(bar+mark, width)
		for _, piece := range chop(s.shown(line), room) {
			rows = append(rows, gutter+piece)
			gutter, _ = beside(cont+strings.Repeat(" ", len(mark)), width)
		}
	}
	return rows
}

// split is the lines of a text. A line break at its end ends the last line and does not
// begin another.
func split(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// chop cuts a line into pieces that fit.
func chop(line string, width int) []string {
	width = max(width, minText)
	var pieces []string
	start, used := 0, 0
	for i, r := range line {
		w := cells(r)
		if used+w > width {
			pieces = append(pieces, line[start:i])
			start, used = i, 0
		}
		used += w
	}
	return append(pieces, line[start:])
}

// wrap breaks a text of one paragraph at its blanks; those inside of a row stay as they
// are.
func wrap(text string, width int) []string {
	width = max(width, minText)
	var rows []string
	row, used := "", 0
	for i, word := range strings.Split(text, " ") {
		n := breadth(word)
		switch {
		case i == 0:
		case used+1+n > width && used > 0:
			rows = append(rows, row)
			row, used = "", 0
		default:
			row, used = row+" ", used+1
		}
		row, used = row+word, used+n
		if used > width { // a word that is longer than a line
			pieces := chop(row, width)
			row = pieces[len(pieces)-1]
			rows, used = append(rows, pieces[:len(pieces)-1]...), breadth(row)
		}
	}
	return append(rows, row)
}

// unseen lists the escapes that stand in a text as it is shown, each once, and how many
// characters they stand for.
func (s spelling) unseen(text string) (escapes []string, count int) {
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		raw := text[i : i+size]
		i += size
		if raw == "\n" || raw == "\t" && s == source {
			continue
		}
		if shown := s.visible(raw); shown != raw {
			count++
			if !slices.Contains(escapes, shown) {
				escapes = append(escapes, shown)
			}
		}
	}
	return escapes, count
}

// oneLine is somebody else's text in the middle of a line of assent's.
func oneLine(text string, limit int) string {
	shown := policy.Visible(text)
	if breadth(shown) <= limit {
		return shown
	}
	if limit <= minText {
		return chop(shown, limit)[0]
	}
	return chop(shown, limit-1)[0] + "…"
}
