//go:build unix

package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// writable says why a file cannot be written. It does not open it.
func writable(path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: unix.EISDIR}
	case errors.Is(err, fs.ErrNotExist): // and something has that name
		if target, err := os.Readlink(path); err == nil {
			return fmt.Errorf("it is a link to %s, which does not exist (make that, or remove the link)", target)
		}
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
