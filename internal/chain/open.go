package chain

import (
	"errors"
	"io"
	"io/fs"
	"os"
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
	info, err := d.Stat()
	if err != nil {
		return from, err
	}
	if info.Size() < from.Offset {
		return from, &Fault{Kind: Cut, Line: 1, Offset: info.Size(), Want: from.Number}
	}
	r := NewReader(io.NewSectionReader(d, from.Offset, info.Size()-from.Offset), from)
	for e, err := range r.All() {
		if err != nil {
			return mend(d, r.At(), err)
		}
		if visit == nil {
			continue
		}
		if err := visit(e); err != nil {
			return r.At(), err
		}
	}
	return r.At(), nil
}

// mend removes the beginning of a line at the end of the file. A line that lacks
// nothing but its line feed may have been acknowledged and cut later, so it gets one.
func mend(d Disk, end Position, fault error) (Position, error) {
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
	if _, err := d.Write([]byte("\n")); err != nil {
		return end, err
	}
	if err := d.Sync(); err != nil {
		return end, err
	}
	r := NewReader(io.NewSectionReader(d, end.Offset, 1<<62), end)
	_, err := r.Next()
	return r.At(), err
}
