package builtin

import (
	"errors"
	"fmt"
	"strings"
)

// fewPlaces is how many places are named in a message.
const fewPlaces = 10

// apply makes the change in a text. Lines of old may end differently in the text; what
// is not replaced stays as it is to the byte, and what is new gets the endings that most
// lines have.
func (c change) apply(text string) (changed string, at places, err error) {
	if c.old == "" {
		return "", places{}, errors.New("old_string is empty; quote the text that is to be replaced, or write the whole file with Write")
	}
	// Searching in the text without CRs and mapping back is simple and exact.
	flat := unixLines(text)
	count := strings.Count(flat, c.old)
	switch {
	case count == 0:
		return "", places{}, notFound(flat, c.old)
	case count > 1 && !c.all:
		return "", places{}, fmt.Errorf("old_string occurs %d times, on %s; add text around it that occurs once, or set replace_all",
			count, c.placesIn(flat, count))
	}
	replacement := withEndings(c.new, usesCRLF(text))
	if size := len(text) + count*(len(replacement)-len(c.old)); size > maxLoad {
		return "", places{}, fmt.Errorf("the file would grow to %d bytes, more than can be written at once (%d)", size, maxLoad)
	}
	at.count = count
	var out strings.Builder
	line, done, found, m := 1, 0, 0, mapper{text: text}
	for range count {
		found += strings.Index(flat[found:], c.old)
		from := m.offset(found)
		found += len(c.old)
		line += strings.Count(text[done:from], "\n")
		at.add(line)
		line += strings.Count(replacement, "\n")
		out.WriteString(text[done:from])
		out.WriteString(replacement)
		done = m.offset(found)
	}
	out.WriteString(text[done:])
	return out.String(), at, nil
}

// placesIn are the lines at which old occurs.
func (c change) placesIn(text string, count int) places {
	at := places{count: count}
	line, done := 1, 0
	for range min(count, fewPlaces) {
		from := done + strings.Index(text[done:], c.old)
		line += strings.Count(text[done:from], "\n")
		at.add(line)
		line += strings.Count(c.old, "\n")
		done = from + len(c.old)
	}
	return at
}

// mapper finds places of a text without CRs in the text with them.
type mapper struct {
	text string
	// with and without are the same place in both texts, and crlf is the next CR LF at
	// or behind it in the text with CRs, or its end. All are zero at the beginning.
	with, without, crlf int
	started             bool
}

// offset maps an offset; offsets must not go back.
func (m *mapper) offset(flat int) int {
	if !m.started {
		m.started = true
		m.find()
	}
	for m.crlf < len(m.text) && m.without+m.crlf-m.with < flat {
		m.without += m.crlf - m.with + 1
		m.with = m.crlf + 2
		m.find()
	}
	m.with += flat - m.without
	m.without = flat
	return m.with
}

func (m *mapper) find() {
	m.crlf = len(m.text)
	if i := strings.Index(m.text[m.with:], "\r\n"); i >= 0 {
		m.crlf = m.with + i
	}
}

// places are the lines of a change, the first of them by number.
type places struct {
	count int
	lines []int
}

func (p *places) add(line int) {
	if len(p.lines) < fewPlaces {
		p.lines = append(p.lines, line)
	}
}

func (p places) String() string {
	if p.count == 1 {
		return fmt.Sprintf("line %d", p.lines[0])
	}
	numbers := make([]string, len(p.lines))
	for i, line := range p.lines {
		numbers[i] = fmt.Sprint(line)
	}
	text := "lines " + strings.Join(numbers, ", ")
	if p.count > len(p.lines) {
		text += ", …"
	}
	return text
}
