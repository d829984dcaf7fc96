//go:build unix

package builtin

import (
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// openDir opens a directory for listing, by its real path. It follows no link: where
// one has appeared since the path was judged it fails.
func openDir(path string) (*os.File, error) {
	folder, err := openFolder(path, mustExist)
	if err != nil {
		return nil, err
	}
	defer folder.close()
	fd, err := folder.openat(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// openDirAt opens a directory by its name in another one. A link is none.
func openDirAt(dir *os.File, name string) (*os.File, error) {
	return openAt(dir, name, unix.O_DIRECTORY)
}

// openFileAt opens a plain file for reading by its name in a directory. Links, pipes
// and devices are refused, and none of them makes it wait.
func openFileAt(dir *os.File, name string) (*os.File, error) {
	before, err := statAt(dir, name, linkItself)
	if err == nil {
		err = before.touchable()
	}
	if err != nil {
		return nil, err
	}
	return openPlainAt(dir, name)
}

// openPlainAt opens what a name stands for at this moment, which may be something else than a
// moment before: hence no waiting, and a second look.
func openPlainAt(dir *os.File, name string) (*os.File, error) {
	file, err := own(openAt(dir, name, unix.O_NONBLOCK|unix.O_NOCTTY))
	if err != nil {
		return nil, err
	}
	now, err := file.Stat()
	if err == nil {
		err = plainFile(now.Mode())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func openAt(dir *os.File, name string, flags int) (*os.File, error) {
	fd, err := uninterrupted(func() (int, error) {
		return unix.Openat(int(dir.Fd()), name, flags|unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	// The full name serves messages, and file systems that list names without types.
	return os.NewFile(uintptr(fd), strings.TrimSuffix(dir.Name(), "/")+"/"+name), nil
}

// statAt is what a name in a directory stands for.
func statAt(dir *os.File, name string, at target) (state, error) {
	flags := 0
	if at == linkItself {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	var st unix.Stat_t
	_, err := uninterrupted(func() (int, error) { return 0, unix.Fstatat(int(dir.Fd()), name, &st, flags) })
	if err != nil {
		return state{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return stateFrom(&st), nil
}
