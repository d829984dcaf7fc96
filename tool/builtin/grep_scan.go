package builtin

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// The limits of what is read and shown.
const (
	// mostFile is the size of the largest file that is searched.
	mostFile = 32 << 20
	// smallFile is the size up to which files are searched side by side; of the larger
	// ones there is one at a time.
	smallFile = 1 << 20
	// binaryHead is where a zero byte makes a file a binary one.
	binaryHead = 8 << 10
	// mostColumns is how many bytes of a line are shown.
	mostColumns = 500
	// mostOutput is how many characters of lines are shown.
	mostOutput = 30_000
)

// reading is how far the reading of a file came.
type reading uint8

const (
	readAll reading = iota
	readBinary
	readLarge
	readFailed
)

// readText reads a file into a buffer that may be used again.
func readText(ctx context.Context, file *os.File, buffer []byte, most int) ([]byte, reading) {
	// Some names in /proc seem to be plain files and have nothing to say for a long
	// time. On real files there is no deadline, and none is needed.
	_ = file.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	text := buffer[:0]
	for checked := false; ; {
		if len(text) == cap(text) {
			text = append(text, make([]byte, max(64<<10, min(len(text), 4<<20)))...)[:len(text)]
		}
		n, err := file.Read(text[len(text):min(cap(text), len(text)+smallFile)])
		text = text[:len(text)+n]
		if !checked && (len(text) >= binaryHead || err != nil) {
			checked = true
			if bytes.IndexByte(text[:min(len(text), binaryHead)], 0) >= 0 {
				return text, readBinary
			}
		}
		switch {
		case err == io.EOF:
			return text, readAll
		case err != nil || ctx.Err() != nil:
			return text, readFailed
		case len(text) > most:
			return text, readLarge
		}
	}
}

// lines are the lines of one file to show.
type lines struct {
	shown []shownLine
	// matches counts the groups that match; it stops with the lines when they are full.
	matches int
	bytes   int
}

// shownLine is one line without the name of its file.
type shownLine struct {
	mark byte // ':' when it matches, '-' when it stands beside one that does; 0 sets groups apart
	text string
}

// separator is the text of a line that sets groups apart.
const separator = "--"

// scanner makes lines of a text.
type scanner struct {
	*expression
	before, after int
	numbers       bool
	// skip is how many lines to leave out first, most how many to make.
	skip, most int
}

// scan finds the lines that match and those around them.
func (s *scanner) scan(ctx context.Context, text []byte) lines {
	var out lines
	number, counted := 1, 0 // the line number at an offset
	printed := 0            // the offset behind what was shown
	pending := 0            // lines still to show behind the last match
	show := func(at int, mark byte) int {
		number += bytes.Count(text[counted:at], []byte{'\n'})
		counted = at
		end := lineEnd(text, at)
		s.add(&out, mark, func() string { return s.render(ctx, text[at:end], number, mark) })
		return end + 1
	}
	for at := 0; !s.full(&out); {
		from, to, ok := s.next(ctx, text, at)
		limit := len(text)
		if ok {
			limit = from
		}
		for ; pending > 0 && printed < limit; pending-- {
			printed = show(printed, '-')
		}
		if !ok {
			break
		}
		start := linesBefore(text, from, s.before, printed)
		if s.before+s.after > 0 && out.matches > 0 && start > printed {
			s.add(&out, 0, func() string { return separator })
		}
		out.matches++
		for start < from {
			start = show(start, '-')
		}
		for start <= to && start < len(text) {
			start = show(start, ':')
		}
		printed, pending, at = start, s.after, start
	}
	return out
}

// linesBefore is the offset of the line that stands so many lines in front of an
// offset, but not before a bound.
func linesBefore(text []byte, at, count, bound int) int {
	for ; count > 0 && at > bound; count-- {
		at = bytes.LastIndexByte(text[:at-1], '\n') + 1
	}
	return max(at, bound)
}

func (s *scanner) full(out *lines) bool { return len(out.shown) >= s.most || out.bytes > mostOutput }

func (s *scanner) add(out *lines, mark byte, line func() string) {
	switch {
	case s.skip > 0:
		s.skip--
	case !s.full(out):
		text := line()
		out.shown = append(out.shown, shownLine{mark, text})
		out.bytes += len(text) + 1
	}
}

// render is one line with its number. The mark tells lines that match from others.
func (s *scanner) render(ctx context.Context, line []byte, number int, mark byte) string {
	var b strings.Builder
	if s.numbers {
		b.WriteString(strconv.Itoa(number))
		b.WriteByte(mark)
	}
	line = bytes.TrimSuffix(line, []byte{'\r'})
	from := 0
	if len(line) > mostColumns && mark == ':' {
		at, _, _ := s.find(ctx, line)
		from = max(0, min(at-mostColumns/5, len(line)-mostColumns))
	}
	to := min(len(line), from+mostColumns)
	if from > 0 {
		b.WriteString("[" + strconv.Itoa(from) + " bytes cut] ")
	}
	b.WriteString(strings.ToValidUTF8(string(line[from:to]), "\ufffd"))
	if to < len(line) {
		b.WriteString(" [" + strconv.Itoa(len(line)-to) + " bytes cut]")
	}
	return b.String()
}

// count is how many groups of lines match.
func (e *expression) count(ctx context.Context, text []byte) int {
	n := 0
	for at := 0; ; n++ {
		_, to, ok := e.next(ctx, text, at)
		if !ok {
			return n
		}
		at = to + 1
	}
}
