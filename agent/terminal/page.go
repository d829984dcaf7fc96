package terminal

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/ansi"
	"github.com/assent-dev/assent/policy"
)

// How many rows of a long text are shown, from its beginning and its end.
const (
	headRows = 24
	tailRows = 12
)

// page is a question as it is printed. It is made once, so that it can be shown again.
type page struct {
	width int
	// all: nothing is left out.
	all   bool
	paint paint
	text  strings.Builder
	// cut: something was left out.
	cut bool
}

// say prints words of assent's own, and nothing else: they begin in the first column.
func (p *page) say(s style, text string) {
	for _, row := range wrap(text, p.width) {
		p.text.WriteString(p.paint.text(s, row) + "\n")
	}
}

// ask prints what is asked. Names in it may be others'.
func (p *page) ask(text string) { p.hang(heading, "? ", text) }

// minHung is how much room there must be beside a label, and maxLabel how long that may
// be; otherwise it has its own row.
const minHung, maxLabel = 12, 16

// hang prints a word of assent's own and what others have to say behind it, which never
// begins in the first column.
func (p *page) hang(s style, label, text string) {
	if len(label) > 4 && (p.width-len(label) < minHung || len(label) > maxLabel) {
		p.say(s, strings.TrimSpace(label))
		label = "  "
	}
	label, room := beside(label, p.width)
	rows := wrap(policy.VisibleInOrder(text), room)
	for i := range rows {
		rows[i] = p.paint.text(s, pick(i == 0, label, strings.Repeat(" ", len(label)))+rows[i])
	}
	p.rows(rows)
}

// quote prints text of others, and says which of its characters cannot be seen.
func (p *page) quote(s spelling, text string) {
	p.rows(quoted(s, "", text, p.width))
	p.warnUnseen(s, text)
}

// rows prints rows of others' text, or as much of them as fits on a page.
func (p *page) rows(rows []string) {
	if left := len(rows) - headRows - tailRows; left > 1 && !p.all {
		p.cut = true
		p.plain(rows[:headRows])
		p.say(warning, fmt.Sprintf("  ... %d lines are left out here; v shows all of it ...", left))
		rows = rows[len(rows)-tailRows:]
	}
	p.plain(rows)
}

func (p *page) plain(rows []string) {
	for _, row := range rows {
		p.text.WriteString(row + "\n")
	}
}

// warnUnseen says that some of the text are escapes: without that nobody could tell them
// from a text that has a backslash in it.
func (p *page) warnUnseen(s spelling, texts ...string) {
	escapes, count := s.unseen(strings.Join(texts, ""))
	if count == 0 {
		return
	}
	const most = 8
	list := strings.Join(escapes[:min(len(escapes), most)], " ")
	if len(escapes) > most {
		list += " ..."
	}
	what := "1 character that cannot be seen is"
	if count > 1 {
		what = fmt.Sprintf("%d characters that cannot be seen are", count)
	}
	p.hang(warning, "Careful: ", what+" shown as "+list)
}

// style is how words of assent's own look, where the terminal has colours. It only
// supports the words.
type style = ansi.Style

const (
	ordinary = ansi.Plain
	heading  = ansi.Bold
	faint    = ansi.Faint
	warning  = ansi.Yellow
	refusal  = ansi.Red
)

// paint: the terminal has colours.
type paint ansi.Painter

func (p paint) text(s style, text string) string { return ansi.Painter(p).Text(s, text) }
