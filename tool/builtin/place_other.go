//go:build !unix

package builtin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// folder is a directory that is held open, on systems where only package os knows how.
type folder struct{ root *os.Root }

// openFolder opens a directory without following a link in any part of its path.
func openFolder(dir string, missing parents) (*folder, error) {
	volume := filepath.VolumeName(filepath.FromSlash(dir))
	root, err := os.OpenRoot(volume + string(filepath.Separator))
	if err != nil {
		return nil, err
	}
	f := &folder{root}
	for _, name := range components("/" + strings.Trim(strings.TrimPrefix(dir, filepath.ToSlash(volume)), "/")) {
		next, err := f.enter(name, missing)
		f.close()
		if err != nil {
			return nil, err
		}
		f = next
	}
	return f, nil
}

// enter opens a directory in this one. Package os would follow a link, so what was
// opened must be the very directory that was there before.
func (f *folder) enter(name string, missing parents) (*folder, error) {
	before, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && missing == makeThem {
		if err := f.root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		before, err = f.root.Lstat(name)
	}
	switch {
	case err != nil:
		return nil, err
	case before.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := root.Stat("."); err != nil || !os.SameFile(before, after) {
		_ = root.Close()
		return nil, errLink
	}
	return &folder{root}, nil
}

func (f *folder) open(name string) (*os.File, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	if after, err := file.Stat(); err != nil || !os.SameFile(before, after) {
		_ = file.Close()
		return nil, errLink
	}
	return file, nil
}

func (f *folder) create(name string, perm fs.FileMode) (*os.File, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
}

func (f *folder) mayWrite(name string) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

func (f *folder) rename(from, to string) error { return f.root.Rename(from, to) }

// publish gives a new file its name unless that is taken: fs.ErrExist.
func (f *folder) publish(from, to string) error {
	if _, err := f.root.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return f.rename(from, to)
}

func (f *folder) remove(name string) error { return f.root.Remove(name) }

// sync: there are no directories here that can be flushed.
func (f *folder) sync() {}

func (f *folder) close() { _ = f.root.Close() }

func (f *folder) lstat(name string) (state, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}

func stateOf(f *os.File) (state, error) {
	info, err := f.Stat()
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}

func stateFrom(info fs.FileInfo) state {
	return state{mode: info.Mode(), size: info.Size(), modified: info.ModTime(), links: 1}
}

func keepOwner(*os.File, state) error { return nil }
