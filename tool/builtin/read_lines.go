package builtin

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// scan goes through UTF-8 text line by line.
func (l *lineReader) scan(r io.Reader) error {
	block := make([]byte, 64<<10)
	kept := 0 // bytes of a character that the block before has begun
	var line partLine
	for {
		n, err := r.Read(block[kept:])
		if err != nil && err != io.EOF {
			return err
		}
		text := block[:kept+n]
		whole := len(text)
		if err == nil {
			whole -= unfinished(text)
		}
		if !utf8.Valid(text[:whole]) || bytes.IndexByte(text[:whole], 0) >= 0 {
			return errNoText
		}
		l.split(text[:whole], &line)
		kept = copy(block, text[whole:])
		if err == io.EOF {
			if line.size > 0 {
				l.add(&line)
			}
			return nil
		}
	}
}

// unfinished is how many bytes at the end may be the beginning of a character.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// partLine is the beginning of a line: as much of it as is ever shown, and a bit more.
type partLine struct {
	text []byte
	size int // bytes of the whole line
}

func (p *partLine) add(text []byte) {
	p.size += len(text)
	room := (maxLine+2)*utf8.UTFMax - len(p.text)
	p.text = append(p.text, text[:min(room, len(text))]...)
}

func (l *lineReader) split(text []byte, line *partLine) {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			line.add(text)
			return
		}
		line.add(text[:end])
		l.add(line)
		text = text[end+1:]
	}
}

// numberSize is what is shown of a line beside its text.
const numberSize = len("123456\t\n")

// add counts a line, keeps it if it is wanted, and makes room for the next.
func (l *lineReader) add(p *partLine) {
	l.total++
	if l.total >= l.first && len(l.lines) < l.most && !l.full {
		line := l.shorten(p)
		// A file that may be shown as a whole fits with the numbers of its lines.
		if l.shown += len(line) + numberSize; l.shown > maxText+maxLines*numberSize && len(l.lines) > 0 {
			l.full = true
		} else {
			l.lines = append(l.lines, line)
		}
	}
	p.text, p.size = p.text[:0], 0
}

// shorten is a line as it is shown. The part that was kept may end inside of a
// character, but only beyond what is shown.
func (l *lineReader) shorten(p *partLine) string {
	text := p.text
	if p.size == len(text) {
		text = bytes.TrimSuffix(text, []byte{'\r'})
	}
	if len(text) <= maxLine {
		return string(text)
	}
	start, rest := firstRunes(string(text), maxLine)
	if rest == 0 {
		return strings.Clone(start)
	}
	l.cut = true
	return fmt.Sprintf("%s [cut: the line has %d bytes]", start, p.size)
}
