package chain

import (
	"errors"
	"os"
	"syscall"
)

// Sync waits until the content is on the disk, and of what is known about the file
// only what is needed to read it again.
func (d Disk) Sync() error {
	for {
		err := syscall.Fdatasync(int(d.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}
