//go:build !windows

package settings

import (
	"errors"
	"io/fs"
	"syscall"
	"unsafe"

	"github.com/assent-dev/assent/internal/durable"
)

// readFile reads a regular file of at most limit bytes. It never waits, as opening
// a named pipe would. It asks the kernel itself: package os would first prepare to
// wait for such a file, and a guard that is started for every call reads nothing
// else.
func readFile(path string, limit int64) (string, error) {
	if err := durable.MayOpen(path); err != nil {
		return "", err
	}
	return readNamed(path, limit)
}

// readNamed reads what a name stands for at the moment of its opening.
func readNamed(path string, limit int64) (string, error) {
	fd, err := retried(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return "", &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		_ = syscall.Close(fd)
		return "", &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if err := durable.OpenedNumbered(fd, uint64(info.Dev), uint64(info.Ino)); err != nil {
		return "", err
	}
	defer syscall.Close(fd)
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return "", errors.New("it is not a regular file")
	}
	if info.Size > limit {
		return "", tooLarge(limit)
	}
	data := make([]byte, 0, info.Size+1)
	for {
		n, err := retried(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return "", &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			return unsafe.String(unsafe.SliceData(data), len(data)), nil // nobody else has the bytes
		}
		if data = data[:len(data)+n]; int64(len(data)) > limit {
			return "", tooLarge(limit)
		}
		if len(data) == cap(data) { // it grows while it is read
			data = append(data, 0)[:len(data)]
		}
	}
}

// retried repeats a system call that a signal interrupted.
func retried(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR { // which no other error wraps
			return n, err
		}
	}
}
