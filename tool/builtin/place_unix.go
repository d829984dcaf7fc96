//go:build unix

package builtin

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/assent-dev/assent/internal/durable"
	"golang.org/x/sys/unix"
)

// folder is a directory that is held open. All its functions work on the directory
// itself: renaming it, or putting a link in its place, does not lead them elsewhere.
type folder struct{ fd int }

// openFolder opens a directory without following a link in any part of its path.
func openFolder(dir string, missing parents) (*folder, error) {
	if missing == mustExist {
		if fd, err, ok := openAtOnce(dir); ok {
			return &folder{fd}, err
		}
	}
	root, err := uninterrupted(func() (int, error) { return unix.Open("/", folderFlags, 0) })
	if err != nil {
		return nil, err
	}
	f := &folder{root}
	for _, name := range components(dir) {
		next, err := f.enter(name, missing)
		f.close()
		if err != nil {
			return nil, err
		}
		f = next
	}
	return f, nil
}

// enter opens a directory in this one; a missing one is made if that is wanted.
func (f *folder) enter(name string, missing parents) (*folder, error) {
	fd, err := f.openat(name, folderFlags|unix.O_NOFOLLOW, 0)
	if err == unix.ENOENT && missing == makeThem {
		// Somebody else may make it at the same time; then we use theirs.
		if err := unix.Mkdirat(f.fd, name, 0o777); err != nil && err != unix.EEXIST {
			return nil, err
		}
		fd, err = f.openat(name, folderFlags|unix.O_NOFOLLOW, 0)
	}
	if err == unix.ENOTDIR || err == unix.ELOOP || err == unix.EMLINK {
		return nil, f.whyNotEntered(name, err)
	}
	if err != nil {
		return nil, err
	}
	return &folder{fd}, nil
}

// whyNotEntered tells a link from a file.
func (f *folder) whyNotEntered(name string, err error) error {
	if s, statErr := f.lstat(name); statErr == nil && s.mode&fs.ModeSymlink != 0 {
		return errLink
	}
	return err
}

func (f *folder) openat(name string, flags int, perm uint32) (int, error) {
	return uninterrupted(func() (int, error) { return unix.Openat(f.fd, name, flags|unix.O_CLOEXEC, perm) })
}

// uninterrupted repeats a call that a signal has interrupted.
func uninterrupted(call func() (int, error)) (int, error) {
	for {
		fd, err := call()
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// open opens a file for reading. It never waits, as a pipe would have it.
func (f *folder) open(name string) (*os.File, error) {
	return own(f.file(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0))
}

// own is a file that was opened by a name, unless it belongs to the tickets that this process
// has open: somebody may have given them the name since we looked.
func own(f *os.File, err error) (*os.File, error) {
	if err == nil {
		err = durable.Opened(f)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// create makes a new file for writing.
func (f *folder) create(name string, perm fs.FileMode) (*os.File, error) {
	return f.file(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, uint32(perm.Perm()))
}

func (f *folder) file(name string, flags int, perm uint32) (*os.File, error) {
	fd, err := f.openat(name, flags, perm)
	if err == unix.ELOOP || err == unix.EMLINK {
		return nil, errLink
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// mayWrite asks the system whether a file may be written, by opening it as a writer
// would. A program that runs cannot be opened so, and can be replaced all the same.
func (f *folder) mayWrite(name string) error {
	file, err := own(f.file(name, unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0))
	if err == unix.ETXTBSY {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func (f *folder) rename(from, to string) error { return unix.Renameat(f.fd, from, f.fd, to) }

// publish gives a new file its name unless that is taken: fs.ErrExist.
func (f *folder) publish(from, to string) error {
	err := unix.Linkat(f.fd, from, f.fd, to, 0)
	switch {
	case err == nil:
		return f.remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// This file system knows no second names.
	if _, err := f.lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return f.rename(from, to)
}

func (f *folder) remove(name string) error { return unix.Unlinkat(f.fd, name, 0) }

// sync makes the names in the directory last. A directory that may be entered and not
// read cannot be flushed; that is no failure of the write.
func (f *folder) sync() {
	fd, err := f.openat(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return
	}
	_ = unix.Fsync(fd)
	_ = unix.Close(fd)
}

func (f *folder) close() { _ = unix.Close(f.fd) }

func (f *folder) lstat(name string) (state, error) {
	var s unix.Stat_t
	_, err := uninterrupted(func() (int, error) { return 0, unix.Fstatat(f.fd, name, &s, unix.AT_SYMLINK_NOFOLLOW) })
	return stateFrom(&s), err
}

func stateOf(f *os.File) (state, error) {
	var s unix.Stat_t
	raw, err := f.SyscallConn()
	if err != nil {
		return state{}, err
	}
	var statErr error
	if err := raw.Control(func(fd uintptr) { statErr = unix.Fstat(int(fd), &s) }); err != nil {
		return state{}, err
	}
	return stateFrom(&s), statErr
}

func stateFrom(s *unix.Stat_t) state {
	mode := fs.FileMode(s.Mode & 0o777)
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK, unix.S_IFCHR:
		mode |= fs.ModeDevice
	default:
		mode |= fs.ModeIrregular
	}
	return state{
		mode: mode, size: s.Size, modified: time.Unix(s.Mtim.Unix()), device: uint64(s.Dev), number: uint64(s.Ino),
		owner: s.Uid, group: s.Gid, links: uint64(s.Nlink),
	}
}

// keepOwner gives a new file the owner and group of the one that it replaces.
func keepOwner(f *os.File, old state) error {
	now, err := stateOf(f)
	if err != nil || now.owner == old.owner && now.group == old.group {
		return err
	}
	if f.Chown(int(old.owner), int(old.group)) != nil {
		return errors.New("it belongs to another user or group, which this process cannot give the new file; change it with Bash")
	}
	return nil
}
