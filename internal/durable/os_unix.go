//go:build !windows

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/google/renameio/v2"
)

// noFollow opens without following a link at the end and without waiting.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func replaceThrough(tmp, path string, data []byte, perm fs.FileMode) error {
	pending, err := renameio.NewPendingFile(path, renameio.WithTempDir(tmp),
		renameio.WithPermissions(perm), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	// After the replacement this has nothing left to do.
	defer func() { _ = pending.Cleanup() }()
	if _, err := pending.Write(data); err != nil {
		return err
	}
	return pending.CloseAtomicallyReplace()
}

// marksTemporary tells the names that renameio gives: a random number of 63 bits
// follows the file's own. Shorter numbers are rare, and could be somebody's date.
func marksTemporary(mark string) bool { return isNumber(mark, 16) }

func crossesDevices(err error) bool { return errors.Is(err, syscall.EXDEV) }

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// MayOpenNumbered is [MayOpen] for a file of which somebody knows the device and its number
// there.
func MayOpenNumbered(device, number uint64) error {
	return mayOpen(func(other fs.FileInfo) bool {
		sys, ok := other.Sys().(*syscall.Stat_t)
		return ok && uint64(sys.Dev) == device && uint64(sys.Ino) == number
	})
}
