package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Replace puts data where path is, in one step: whoever reads sees the old file or
// the new one, also after a crash. An existing file keeps its permissions, a new one
// gets perm.
//
// The temporary file lies in tmpDir, which is made if need be: a process that is
// killed then leaves nothing beside path. If that is on another file system, or
// empty, it lies beside path all the same. What a killed process has left is removed
// by the next one that replaces the same file.
func Replace(path string, data []byte, perm fs.FileMode, tmpDir string) error {
	dir := filepath.Dir(path)
	if tmpDir == "" {
		tmpDir = dir
	} else if err := os.MkdirAll(tmpDir, 0o700); err != nil {
		return err
	}
	removeLeftovers(tmpDir, path)
	err := replaceThrough(tmpDir, path, data, perm)
	if crossesDevices(err) {
		removeLeftovers(dir, path)
		err = replaceThrough(dir, path, data, perm)
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

const (
	// abandoned is how old a temporary file is whose writer is dead: from its first
	// byte to its end it lives for as long as a disk needs.
	abandoned = time.Minute
	// fewNames is how much of a directory is looked at for leftovers. In one that
	// holds more they do not stand out, and a change must not take longer for it.
	fewNames = 1000
)

// removeLeftovers removes temporary files for path that nobody will finish. It is a
// courtesy: nothing depends on it, so nothing fails with it.
func removeLeftovers(dir, path string) {
	d, err := OpenDir(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(fewNames)
	for _, name := range names {
		mark, ok := strings.CutPrefix(name, "."+filepath.Base(path))
		if !ok || !marksTemporary(mark) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(file)
		}
	}
}

// isNumber: text consists of at least so many digits.
func isNumber(text string, atLeast int) bool {
	return len(text) >= atLeast && strings.Trim(text, "0123456789") == ""
}

// SyncDir makes the names in a directory last: those that were made, and those that were
// removed.
func SyncDir(dir string) error { return syncDir(dir) }

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
