package durable

import "os"

// Open opens a file for reading that a model, a call, a project or a command line names. The
// flags are further ones of [os.OpenFile]; see [NoWait]. A database that this process has
// open is refused with [ErrKept], also if somebody gives the name to it at the last moment.
func Open(path string, flags int) (*os.File, error) {
	if err := MayOpen(path); err != nil {
		return nil, err
	}
	if looked != nil {
		looked(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|flags, 0)
	if err != nil {
		return nil, err
	}
	if err := Opened(f); err != nil {
		return nil, err
	}
	return f, nil
}

// looked is called between the look at a file and its opening. It is for tests, which put
// another file there.
var looked func(path string)

// Opened looks at a file that somebody has opened by a name: what the name stood for before
// says nothing. If it belongs to a database that this process has open the error is [ErrKept],
// and the file is not the caller's any more: closing it would give up the locks, so it stays
// open until the database is closed.
func Opened(f *os.File) error {
	if !Keeping() {
		return nil
	}
	info, err := f.Stat()
	if err == nil && MayOpenThis(info) == nil { // as mostly
		return nil
	}
	return keepOpen(f, sameAs(info))
}

// OpenDir opens a directory to list or flush it, and nothing else: another file is not even
// opened.
func OpenDir(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|onlyDir, 0) }
