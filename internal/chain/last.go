package chain

import (
	"bytes"
	"io"
)

// Last finds the last whole line of a file without reading all of it, and does not
// prove it: for lists. ok is false when there is none.
func Last(r io.ReaderAt, size int64) (e Entry, ok bool, err error) {
	// The line ends at the last line feed and starts behind the one before.
	for block := int64(4 << 10); ; block *= 4 {
		from := max(0, size-block)
		tail := make([]byte, size-from)
		if _, err := r.ReadAt(tail, from); err != nil && err != io.EOF {
			return e, false, err
		}
		end := bytes.LastIndexByte(tail, '\n')
		start := -1
		if end >= 0 {
			start = bytes.LastIndexByte(tail[:end], '\n')
		}
		switch {
		case end >= 0 && (start >= 0 || from == 0):
			e.Link, e.Record, ok = parseLine(tail[start+1 : end])
			e.Offset = from + int64(end) + 1
			return e, ok, nil
		case from == 0 || block > 3*maxLine:
			return e, false, nil
		}
	}
}
