package durable

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts data where path is, in one step: whoever reads sees the old file or
// the new one, also after a crash. An existing file keeps its permissions, a new one
// gets perm.
//
// The temporary file lies in tmpDir, which is made if need be: a process that is
// killed then leaves nothing beside path. If that is on another file system, or
// empty, it lies beside path all the same.
func Replace(path string, data []byte, perm fs.FileMode, tmpDir string) error {
	dir := filepath.Dir(path)
	if tmpDir == "" {
		tmpDir = dir
	} else if err := os.MkdirAll(tmpDir, 0o700); err != nil {
		return err
	}
	err := replaceThrough(tmpDir, path, data, perm)
	if crossesDevices(err) {
		err = replaceThrough(dir, path, data, perm)
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

// MakeDir creates a directory and its parents, and makes the new names last.
func MakeDir(dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MakeDir(parent, perm); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, perm); err != nil && !os.IsExist(err) {
		return err
	}
	return syncDir(parent)
}
