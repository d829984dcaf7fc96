package foreign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/internal/durable"
)

// readFile reads a regular file of bounded size. It never waits, as opening a named
// pipe would.
func readFile(path string) ([]byte, error) {
	f, err := durable.Open(path, durable.NoWait)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if len(text) > maxFileSize {
		err = fmt.Errorf("it is larger than %d MiB", maxFileSize>>20)
	}
	if text == nil {
		text = []byte{}
	}
	return text, cause(err)
}

// cause is what the operating system said, without the path that the sentence around
// it names already.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok { // with the name of a temporary file
		return linkErr.Err
	}
	return err
}

// permissionHint says what a person can do when the file system refuses.
func permissionHint(err error, want string) string {
	if !errors.Is(err, fs.ErrPermission) {
		return ""
	}
	return " (make the file and its directory " + want + " for you, then run this again)"
}

// writeProtected: the owner has taken the right to write the file from everybody.
func writeProtected(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o222 == 0
}

// load finds the file behind a path and reads it; nil if there is none. Links are
// followed, so that the file they lead to is changed and they stay, but only to a
// file that is this user's and, for a project, lies in it.
func (o Options) load(path string) (target string, text []byte, err error) {
	target = resolved(path)
	if _, err := os.Lstat(path); err == nil {
		if _, err := os.Stat(path); err != nil {
			return "", nil, fmt.Errorf("%s cannot be used: %w (create what the link leads to, or remove it)", path, cause(err))
		}
	}
	if o.Scope == Project && !within(resolved(o.Dir), target) {
		return "", nil, fmt.Errorf("%s leads to %s, outside of the project (remove the link)", path, target)
	}
	info, err := os.Stat(target)
	if err != nil && target != path {
		info, err = os.Stat(existing(filepath.Dir(target)))
	}
	switch {
	case err != nil || ours(info):
	case target == path:
		return "", nil, fmt.Errorf("%s belongs to another user (run this as that user, or make it yours)", path)
	default:
		return "", nil, fmt.Errorf("%s leads to %s, which belongs to another user (run this as that user, or remove the link)", path, target)
	}
	text, err = readFile(target)
	if errors.Is(err, fs.ErrNotExist) {
		return target, nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s cannot be read: %w%s", path, err, permissionHint(err, "readable"))
	}
	return target, text, nil
}

// resolved follows links as far as the path exists.
func resolved(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolved(parent), filepath.Base(path))
}

// existing is the innermost directory on the way to dir that is there.
func existing(dir string) string {
	for {
		parent := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || parent == dir {
			return dir
		}
		dir = parent
	}
}

// missingDirs lists the directories on the way to dir that are not there, outermost
// first.
func missingDirs(dir string) []string {
	var all []string
	for at := existing(dir); at != dir; {
		rest, _ := filepath.Rel(at, dir)
		first, _, _ := strings.Cut(rest, string(filepath.Separator))
		at = filepath.Join(at, first)
		all = append(all, at)
	}
	return all
}

func within(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
