// Package oslinks looks at the links of the real file system for package permission,
// which does no input of its own.
package oslinks

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/permission"
)

// Links reads the links of the real file system.
type Links struct{}

var (
	_ permission.Links  = Links{}
	_ permission.Lister = Links{}
	_ permission.Finder = Links{}
)

// Readlink returns "" for what is no link or does not exist. Anything else that
// keeps it from looking is an error: a path that cannot be followed is not known
// to be harmless.
func (Links) Readlink(path string) (string, error) {
	target, err := os.Readlink(path)
	if err == nil || nothingThere(err) {
		return target, nil
	}
	return "", cause(err)
}

// List reads a directory of at most so many names.
func (Links) List(dir string, most int) (permission.Listing, error) {
	var found permission.Listing
	info, err := os.Stat(dir)
	switch {
	case err != nil && !nothingThere(err):
		return found, cause(err)
	case err != nil || !info.IsDir(): // opening a device may do something to it
		return found, nil
	}
	file, err := durable.OpenDir(dir)
	if err != nil {
		return found, cause(err)
	}
	defer file.Close()
	for {
		entries, err := file.ReadDir(256)
		for _, entry := range entries {
			switch kind := entry.Type(); {
			case kind&fs.ModeSymlink != 0:
				found.Links = append(found.Links, entry.Name())
			case kind.IsDir():
				found.Dirs = append(found.Dirs, entry.Name())
			case entry.Name()[0] == '.':
				found.Hidden = append(found.Hidden, entry.Name())
			}
		}
		found.Read += len(entries)
		switch {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return found, cause(err)
		case found.Read >= most:
			found.Partial = true
			return found, nil
		}
	}
}

// Exists reports whether there is anything at path.
func (Links) Exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return true, nil
	case nothingThere(err):
		return false, nil
	}
	return false, cause(err)
}

func nothingThere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, notALink) || errors.Is(err, syscall.ENOTDIR)
}

// cause is the error without the path, which whoever asked knows.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
