//go:build !windows

package session

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// writableByOthers is the part of a mode that lets others than the owner write.
const writableByOthers fs.FileMode = 0o022

// tryLock locks an open file, whatever name it has by now, until it is closed. It
// returns false when somebody else has locked it.
func tryLock(f *os.File) (bool, error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// unlockFile gives a locked file back, also for those who have it open as well.
func unlockFile(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
