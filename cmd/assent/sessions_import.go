package main

import (
	"errors"
	"io"

	"github.com/assent-dev/assent/internal/durable"
)

// openRegular opens a regular file to read at any place. It never waits, as opening a
// named pipe would.
func openRegular(name string) (file io.ReaderAt, size int64, done func(), err error) {
	f, err := durable.Open(name, durable.NoWait)
	if err != nil {
		return nil, 0, nil, cause(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file (pass - to read standard input)")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, nil, err
	}
	return f, info.Size(), func() { _ = f.Close() }, nil
}
