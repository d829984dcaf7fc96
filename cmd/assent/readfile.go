package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/assent-dev/assent/internal/durable"
)

// maxFile is far more than people write.
const maxFile = 4 << 20

var errTooLarge = fmt.Errorf("it is larger than %d MiB", maxFile>>20)

// readFile reads a regular file of bounded size. It never waits, as opening a named
// pipe would.
func readFile(path string) ([]byte, error) {
	f, err := durable.Open(path, durable.NoWait)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file (pass - to read standard input)")
	}
	return readBounded(f)
}

func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case len(data) > maxFile:
		return nil, errTooLarge
	}
	return data, nil
}
