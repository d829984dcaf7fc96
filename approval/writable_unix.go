//go:build unix

package approval

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// writable says why a file cannot be written. It does not open it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return &fs.PathError{Op: "open", Path: path, Err: unix.EISDIR}
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
