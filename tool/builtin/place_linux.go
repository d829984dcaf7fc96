package builtin

import (
	"golang.org/x/sys/unix"
)

// folderFlags open a directory for finding things in it, which needs no permission to
// list it: /home is often such a directory.
const folderFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC

// openAtOnce has the kernel walk the path and refuse links. ok is false where it cannot,
// because it is old or a sandbox forbids the call.
func openAtOnce(dir string) (fd int, err error, ok bool) {
	how := unix.OpenHow{Flags: folderFlags, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err = uninterrupted(func() (int, error) { return unix.Openat2(unix.AT_FDCWD, dir, &how) })
	switch err {
	case nil, unix.ENOENT, unix.EACCES:
		return fd, err, true
	}
	return -1, nil, false // step by step there is a reason to name
}
