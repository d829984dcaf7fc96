//go:build !windows

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/google/renameio/v2"
)

// NoWait opens a pipe without waiting for who writes into it.
const NoWait = syscall.O_NONBLOCK

const (
	// noFollow opens without following a link at the end and without waiting.
	noFollow = syscall.O_NOFOLLOW | NoWait
	onlyDir  = syscall.O_DIRECTORY
)

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
	d, err := OpenDir(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// MayOpenNumbered is [MayOpen] for a file of which somebody knows the device and its number
// there.
func MayOpenNumbered(device, number uint64) error { return mayOpen(numbered(device, number)) }

// OpenedNumbered is [Opened] for a descriptor.
func OpenedNumbered(fd int, device, number uint64) error {
	if MayOpenNumbered(device, number) == nil { // as mostly
		return nil
	}
	return keepOpen(os.NewFile(uintptr(fd), ""), numbered(device, number))
}

func numbered(device, number uint64) func(fs.FileInfo) bool {
	return func(other fs.FileInfo) bool {
		sys, ok := other.Sys().(*syscall.Stat_t)
		return ok && uint64(sys.Dev) == device && uint64(sys.Ino) == number
	}
}
