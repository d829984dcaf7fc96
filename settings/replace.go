package settings

import (
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile puts data where path is, in one step: whoever reads sees the old file
// or the new one, also after a crash. An existing file keeps its permissions.
func (p *places) replaceFile(path string, data []byte, perm fs.FileMode) error {
	// The temporary file lies in the state directory if that is on the same file
	// system: a process that is killed then leaves nothing in the project.
	private := filepath.Join(p.StateDir, "tmp")
	if err := os.MkdirAll(private, 0o700); err != nil {
		return err
	}
	err := replaceThrough(private, path, data, perm)
	if crossesDevices(err) {
		err = replaceThrough(filepath.Dir(path), path, data, perm)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// makeDir creates a directory and its parents, and makes the new names last.
func makeDir(dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(parent, perm); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, perm); err != nil && !os.IsExist(err) {
		return err
	}
	return syncDir(parent)
}
