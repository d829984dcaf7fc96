package builtin

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// accessList is what a file allows to whom beyond its mode, as the kernel writes it. With
// one, the bits of the group in the mode are not those of the group but the most that
// anybody in the list may get: the mode alone would give the group more than it had.
type accessList []byte

const accessName = "system.posix_acl_access"

// accessOf reads the list of a file; nil when it has none.
func accessOf(f *os.File) (list accessList, err error) {
	const most = 64 << 10 // of any such value
	err = withDescriptor(f, func(fd int) error {
		list = make([]byte, most)
		n, err := unix.Fgetxattr(fd, accessName, list)
		list = list[:max(n, 0)]
		return err
	})
	if noList(err) {
		return nil, nil
	}
	return list, err
}

// keepAccess lets a new file, which is nobody else's yet, allow what the old one did. A
// new file may have got a list from its directory.
func keepAccess(f *os.File, old state, list accessList) error {
	err := withDescriptor(f, func(fd int) error {
		if list == nil {
			return unix.Fremovexattr(fd, accessName)
		}
		return unix.Fsetxattr(fd, accessName, list, 0)
	})
	switch {
	case list == nil && (err == nil || noList(err)):
		return f.Chmod(old.mode.Perm())
	case err != nil:
		return errors.New("its access list cannot be kept here; change it with Bash")
	}
	return nil // the mode is a part of the list
}

// noList: there is none, or the file system knows none.
func noList(err error) bool { return err == unix.ENODATA || err == unix.ENOTSUP }

// withDescriptor calls the system about an open file.
func withDescriptor(f *os.File, call func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = call(int(fd)) }); err != nil {
		return err
	}
	return failed
}
