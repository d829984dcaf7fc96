package chain

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Disk is a file on the disk.
type Disk struct{ *os.File }

// ErrNotRegular is what [Open] and [OpenToRead] say of links, pipes and directories.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a file for appending and reading. With os.O_CREATE in flags it is made
// if need be, for its owner only; whoever makes one must see to it that its name lasts.
// No link is followed, and nothing is waited for.
func Open(path string, flags int) (Disk, error) {
	return open(path, flags|os.O_RDWR|os.O_APPEND)
}

// OpenToRead opens a file for reading.
func OpenToRead(path string) (Disk, error) { return open(path, os.O_RDONLY) }

// OpenCopy opens a file for reading and writing anywhere in it; it is made if need be, for
// its owner only. It is for whoever puts in order what is only a copy.
func OpenCopy(path string) (Disk, error) { return open(path, os.O_RDWR|os.O_CREATE) }

func open(path string, flags int) (Disk, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return Disk{}, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, flags|noFollow, 0o600)
	if err != nil {
		return Disk{}, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close()
		return Disk{}, err
	}
	return Disk{f}, nil
}

// Recover checks a file from a position to its end and returns the end, where a [Log]
// can go on. visit is told each record on the way; nil means nobody.
//
// A last line that a process has not finished is removed: it was never acknowledged.
// Any other fault is an error, and the file stays as it is.
func Recover(d Disk, from Position, visit func(Entry) error) (Position, error) {
	return RecoverPast(d, from, Link{}, visit)
}

// RecoverPast recovers a file that has had a certain record: one that ends before it, or
// has another one in its place, is faulty, and stays as it is.
func RecoverPast(d Disk, from Position, known Link, visit func(Entry) error) (Position, error) {
	info, err := d.Stat()
	if err != nil {
		return from, err
	}
	if info.Size() < from.Offset {
		return from, &Fault{Kind: Cut, Line: 1, Offset: info.Size(), Want: from.Number}
	}
	r := NewReader(io.NewSectionReader(d, from.Offset, info.Size()-from.Offset), from)
	lines := 0
	pass := func(e Entry) error {
		if e.Number == known.Number && e.Link != known {
			return &Fault{Kind: Exchanged, Line: e.Line, Offset: e.Offset, Want: e.Number, Found: e.Number}
		}
		if visit == nil {
			return nil
		}
		return visit(e)
	}
	for e, err := range r.All() {
		if err != nil {
			if r.At().Number < reached(known, err) {
				return r.At(), &Fault{Kind: Cut, Line: lines + 1, Offset: r.At().Offset, Want: r.At().Number + 1}
			}
			return mend(d, r.At(), err, pass)
		}
		lines = e.Line
		if err := pass(e); err != nil {
			return r.At(), err
		}
	}
	if r.At().Number < known.Number {
		return r.At(), &Fault{Kind: Cut, Line: lines + 1, Offset: r.At().Offset, Want: r.At().Number + 1}
	}
	return r.At(), nil
}

// reached is the record before the known one that is whole, if the fault is that the
// file ends too early: a last line that lacks only its line feed is one.
func reached(known Link, fault error) int {
	f, ok := errors.AsType[*Fault](fault)
	switch {
	case ok && f.Kind == Torn:
		return known.Number
	case ok && f.Kind == Unended:
		return known.Number - 1
	}
	return 0 // another fault says more
}

// mend removes the beginning of a line at the end of the file. A line that lacks
// nothing but its line feed may have been acknowledged and cut later, so it counts like
// any other, and then gets one.
func mend(d Disk, end Position, fault error, pass func(Entry) error) (Position, error) {
	f, ok := errors.AsType[*Fault](fault)
	if !ok || f.Kind != Torn && f.Kind != Unended {
		return end, fault
	}
	if f.Kind == Torn {
		if err := d.Truncate(end.Offset); err != nil {
			return end, err
		}
		return end, d.Sync()
	}
	r := NewUnended(d, end)
	e, err := r.Next()
	if err != nil {
		return end, err
	}
	e.Line = f.Line
	if err := pass(e); err != nil {
		return end, err
	}
	if _, err := d.Write([]byte("\n")); err != nil {
		return end, err
	}
	return e.Position, d.Sync()
}

// NewUnended reads the last line of a file, which lacks its line feed, as if it were
// there. The position is that before the line.
func NewUnended(r io.ReaderAt, after Position) *Reader {
	return NewReader(io.MultiReader(io.NewSectionReader(r, after.Offset, 1<<62), strings.NewReader("\n")), after)
}
