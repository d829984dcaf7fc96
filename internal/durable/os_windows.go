package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// NoWait: there is no pipe in the file system to wait for.
const NoWait = 0

// There are no flags for these.
const (
	noFollow = 0
	onlyDir  = 0
)

// Windows replaces an existing file on rename as well; what it lacks are
// permission bits and directories that can be flushed.
func replaceThrough(tmp, path string, data []byte, perm fs.FileMode) error {
	f, err := os.CreateTemp(tmp, "."+filepath.Base(path)+"*"+temporary)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// temporary ends the names of temporary files, after a random number.
const temporary = ".tmp"

func marksTemporary(mark string) bool {
	number, ok := strings.CutSuffix(mark, temporary)
	return ok && isNumber(number, 1)
}

func crossesDevices(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

func syncDir(string) error { return nil }

// MayOpenNumbered: locks are those of an open file here, and not of the process, so
// closing another one gives up none.
func MayOpenNumbered(_, _ uint64) error { return nil }
