package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Entry is a record in its place.
type Entry struct {
	Number int `json:"n"`
	Record
}

// Read are the records that are wanted, oldest first; the log may be written at the
// same time. Every record is checked on the way, wanted or not, and any error ends the
// sequence.
func Read(dir string, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		c := newCursor(dir)
		c.read(q, yield)
	}
}

// cursor is a reader's place in a log.
type cursor struct {
	dir, segment string
	at           chain.Position
}

func newCursor(dir string) *cursor { return &cursor{dir: dir, segment: segmentName(1)} }

// read goes on to the end of the log. It returns false when it cannot be gone on with:
// nobody wants more, or there was an error.
func (c *cursor) read(q Query, yield func(Entry, error) bool) bool {
	known, _ := readHead(c.dir) // before the records, or it could be ahead of what was there then
	for {
		goOn, err := c.readSegment(q, yield)
		if err == nil && goOn {
			var moved bool
			if moved, err = c.nextSegment(); moved {
				continue
			}
			if err == nil && c.at.Number < known.Number {
				err = fmt.Errorf("the decision log ends with record %d, but its head knows of record %d: the end was cut off", c.at.Number, known.Number)
			}
		}
		if err != nil {
			yield(Entry{}, fmt.Errorf("%w (`assent audit verify` tells more)", err))
			return false
		}
		return goOn
	}
}

// readSegment reads from the cursor's place to the end of its segment. A line that is
// being written is left for later.
func (c *cursor) readSegment(q Query, yield func(Entry, error) bool) (goOn bool, err error) {
	disk, err := chain.OpenToRead(filepath.Join(c.dir, c.segment))
	if errors.Is(err, fs.ErrNotExist) && c.at.Offset == 0 {
		return true, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("the decision log is gone: %s was removed after record %d", c.segment, c.at.Number)
	}
	if err != nil {
		return false, err
	}
	defer disk.Close()
	if err := c.recognize(disk); err != nil {
		return false, err
	}
	in := chain.NewReader(io.NewSectionReader(disk, c.at.Offset, 1<<62), c.at)
	for e, err := range in.All() {
		if unfinished(err) {
			return true, nil
		}
		if f, ok := errors.AsType[*chain.Fault](err); ok {
			return false, fmt.Errorf("the decision log is damaged in %s, behind record %d: %s", c.segment, c.at.Number, f.Text())
		}
		if err != nil {
			return false, err
		}
		entry := Entry{Number: e.Number}
		if err := strictjson.Unmarshal(e.Record, &entry.Record); err != nil {
			return false, fmt.Errorf("record %d in %s cannot be read: %w", e.Number, c.segment, err)
		}
		c.at = e.Position
		if q.Match(entry.Record) && !yield(entry, nil) {
			return false, nil
		}
	}
	return true, nil
}

// recognize looks for the record that was read last: in a log that was replaced another
// one stands there, or none.
func (c *cursor) recognize(disk chain.Disk) error {
	if c.at.Offset == 0 {
		return nil
	}
	last, ok, err := chain.Last(disk, c.at.Offset)
	if err != nil {
		return err
	}
	if !ok || last.Position != c.at {
		return fmt.Errorf("the decision log was replaced: record %d is not where it was read, in %s", c.at.Number, c.segment)
	}
	return nil
}

// unfinished: somebody is writing the line, or has died over it.
func unfinished(err error) bool {
	f, ok := errors.AsType[*chain.Fault](err)
	return ok && (f.Kind == chain.Torn || f.Kind == chain.Unended)
}

// nextSegment moves to the segment that follows, if there is one.
func (c *cursor) nextSegment() (moved bool, err error) {
	names, err := segments(c.dir)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		first, _ := firstOf(name)
		switch {
		case name <= c.segment:
		case first == c.at.Number+1:
			c.segment, c.at.Offset = name, 0
			return true, nil
		default:
			return false, fmt.Errorf("the decision log has a gap: records %d to %d are missing before %s", c.at.Number+1, first-1, name)
		}
	}
	return false, nil
}
