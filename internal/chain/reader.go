package chain

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// Reader reads records one after the other and checks each. It keeps one line in
// memory.
type Reader struct {
	in    *bufio.Reader
	sums  *summer
	at    Position
	line  int
	limit int    // of a line
	near  int    // how much is still read in small pieces
	long  []byte // a line that does not fit into in
	loose bool   // the sum before is not known
}

// readAhead is how much is read at once. With less, what is read costs noticeably more in
// a long file; with more, it does not cost less.
const readAhead = 128 << 10

// readFirst is how much is read at once in the beginning: most files are short, and of many
// only the first record is wanted. A server that looks at many of them would spend its time
// on memory otherwise.
const readFirst = 8 << 10

// NewReader reads what follows a position; r begins there.
func NewReader(r io.Reader, after Position) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, readFirst), near: 4 * readFirst, sums: newSummer(), at: after, limit: maxLine}
}

// At is the place behind the last record that was read.
func (r *Reader) At() Position { return r.at }

// Next reads a record. At the end the error is io.EOF.
//
// The error is a [*Fault] where the file is not as it was written. For a report one
// may read on after it: the chain is then taken up again at that line, as far as it
// can be.
func (r *Reader) Next() (Entry, error) {
	start := r.at.Offset
	if r.near < 0 && r.in.Size() < readAhead {
		r.in = bufio.NewReaderSize(r.in, readAhead) // which reads past the small one once that is empty
	}
	line, size, err := r.readLine()
	r.near -= size
	if err != nil && !errors.Is(err, io.EOF) {
		return Entry{}, err
	}
	if size == 0 && err != nil {
		return Entry{}, io.EOF
	}
	r.line++
	want := r.at.Number + 1
	fault := func(kind FaultKind, found int) (Entry, error) {
		return Entry{}, &Fault{Kind: kind, Line: r.line, Offset: start, Want: want, Found: found}
	}
	if err != nil {
		return fault(r.judgeTail(line), 0)
	}
	r.at.Offset += int64(size)
	if line == nil {
		r.Skip(want)
		return fault(TooLong, 0)
	}
	if !r.loose {
		if l, record, ok := r.sums.follows(r.at.Link, line); ok {
			r.at.Link = l
			return Entry{Position: r.at, Line: r.line, Record: record}, nil
		}
	}
	l, record, ok := parseLine(line)
	if !ok {
		r.Skip(want)
		return fault(Malformed, 0)
	}
	kind := r.judge(l, record)
	// After a fault, too: whoever removed or moved lines has hardly made a new chain of
	// the rest.
	r.at.Link, r.loose = l, false
	if kind != 0 {
		return fault(kind, l.Number)
	}
	return Entry{Position: r.at, Line: r.line, Record: record}, nil
}

// judge is what is wrong with a line that can be read; 0 if nothing is.
func (r *Reader) judge(l Link, record []byte) FaultKind {
	switch want := r.at.Number + 1; {
	case l.Number > want:
		return Missing
	case l.Number < want:
		return Misplaced
	case !r.loose && r.sums.next(r.at.Link, record) != l:
		return Altered
	}
	return 0
}

// Skip goes on as if the record of a number had been read whose sum nobody knows: for
// reports on what has gaps. The next record proves nothing.
func (r *Reader) Skip(number int) {
	r.at.Link, r.loose = Link{Number: number}, true
}

// judgeTail judges what stands behind the last line feed. A process that dies leaves
// the beginning of a line, and a machine that dies may leave zeros in place of what
// was not on the disk yet. All else was put there by somebody.
func (r *Reader) judgeTail(tail []byte) FaultKind {
	switch {
	case tail == nil:
		return TooLong
	case r.isNext(tail):
		return Unended
	case r.isNext(tail[:len(tail)-1]):
		return Malformed // it was whole, and its line feed is another character now
	case beginsLine(bytes.TrimRight(tail, "\x00"), r.at.Number+1):
		return Torn
	}
	return Malformed
}

func (r *Reader) isNext(line []byte) bool {
	l, record, ok := parseLine(line)
	return ok && r.judge(l, record) == 0
}

// readLine reads to the next line feed, which is not part of the line, or to the end,
// where the error is io.EOF. size counts every byte; a line that is too long is nil.
func (r *Reader) readLine() (line []byte, size int, err error) {
	line, err = r.in.ReadSlice('\n')
	size = len(line)
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimSuffix(line, []byte("\n")), size, err
	}
	r.long = append(r.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.in.ReadSlice('\n')
		size += len(line)
		if len(r.long) <= r.limit {
			r.long = append(r.long, line...)
		}
	}
	if line = bytes.TrimSuffix(r.long, []byte("\n")); len(line) > r.limit {
		line = nil
	}
	return line, size, err
}

// All are the records up to the end. Any error ends them.
func (r *Reader) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for {
			e, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(e, err) || err != nil {
				return
			}
		}
	}
}
