package account

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// outside is the name of an account in a user namespace; empty where there is none. What cannot be
// asked of the kernel itself, because something else lies in the place of its files, is unknown.
func outside(uid int) string {
	text, err := readKernel("/proc/self/uid_map")
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := readKernel("/proc/self/status"); err == nil { // a kernel that knows no namespaces
			return ""
		}
	}
	if err != nil {
		return unknownOutside
	}
	return outerName(text, uid)
}

// readKernel reads a file that is one of the kernel, and not one that somebody has put there.
func readKernel(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var system unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &system); err != nil {
		return "", err
	}
	if system.Type != unix.PROC_SUPER_MAGIC {
		return "", errors.New("it is no file of the kernel")
	}
	const most = 64 << 10
	text, err := io.ReadAll(io.LimitReader(f, most))
	return string(text), err
}
