//go:build !unix

package builtin

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Without the calls that open a name in an open directory, a link that appears in the
// instant between the look and the opening is noticed by comparing the files.

func openDir(path string) (*os.File, error) {
	return openKind(path, fs.FileMode.IsDir)
}

func openDirAt(dir *os.File, name string) (*os.File, error) {
	return openKind(filepath.Join(dir.Name(), name), fs.FileMode.IsDir)
}

func openFileAt(dir *os.File, name string) (*os.File, error) {
	return openKind(filepath.Join(dir.Name(), name), fs.FileMode.IsRegular)
}

func openKind(path string, kind func(fs.FileMode) bool) (*os.File, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !kind(before.Mode()) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if after, err := file.Stat(); err != nil || !os.SameFile(before, after) {
		file.Close()
		return nil, errLink
	}
	return file, nil
}

func statAt(dir *os.File, name string, at target) (state, error) {
	look := os.Stat
	if at == linkItself {
		look = os.Lstat
	}
	info, err := look(filepath.Join(dir.Name(), name))
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}
