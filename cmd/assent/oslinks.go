package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/assent-dev/assent/permission"
)

// osLinks reads the links of the real file system.
type osLinks struct{}

var _ permission.Links = osLinks{}

// Readlink returns "" for what is no link or does not exist. Anything else that
// keeps it from looking is an error: a path that cannot be followed is not known
// to be harmless.
func (osLinks) Readlink(path string) (string, error) {
	target, err := os.Readlink(path)
	switch {
	case err == nil:
		return target, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOTDIR):
		return "", nil
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return "", err
}
