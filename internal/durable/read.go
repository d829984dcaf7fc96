package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrLink is what [Read] says of a symbolic link.
var ErrLink = errors.New("it is a symbolic link")

// Read reads a regular file of at most limit bytes. It follows no link at the end of
// path, where somebody could have put one to have another file read, and it never
// waits, as opening a pipe would. A database that this process has open is not read, see
// [Keep].
func Read(path string, limit int) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, ErrLink
	}
	f, err := Open(path, noFollow)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(data) > limit {
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	return data, nil
}
