package audit

import "iter"

// Reader reads a log in parts: each time what has come since. It is not safe for concurrent
// use.
type Reader struct{ cursor *cursor }

// NewReader reads the log of a directory from its beginning.
func NewReader(dir string) *Reader { return &Reader{newCursor(dir)} }

// More are the records that have come since, as [Read] has them. Those that were read before
// are not looked at again, but for the last of them: a log that was replaced is an error.
// After an error the reader is of no further use.
func (r *Reader) More(q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { r.cursor.read(q, yield) }
}

// Head stands for all records that were read.
func (r *Reader) Head() Head { return Head{r.cursor.at.Link} }
