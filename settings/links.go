package settings

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// linkError is a link that leads nowhere. What it was meant to lead to may hold
// rules that somebody relies on.
type linkError struct{ link string }

func (e *linkError) Error() string {
	return visible(e.link) + " is a link to something that does not exist"
}

// Unwrap: for whoever asks, the file does not exist.
func (e *linkError) Unwrap() error { return fs.ErrNotExist }

// danglingLink finds the first link on the way to path, path included, that leads
// nowhere; empty when there is none. there: path itself is something, a link included.
func danglingLink(path string) (link string, there bool) { return looked{}.danglingLink(path) }

// looked remembers what is at paths, for those who ask about many in one directory. It must not
// live longer than they do.
type looked map[string]found

// found is what [looked.linkAt] says about a path.
type found struct {
	link  string
	there bool
}

func (l looked) danglingLink(path string) (link string, there bool) {
	// Most files that are missing are missing together with their directory, so that is
	// looked at first: nothing is in a directory that does not exist.
	dir := filepath.Dir(path)
	for at := dir; ; at = filepath.Dir(at) {
		switch link, there := l.linkAt(at); {
		case link != "":
			return link, false
		case there && at == dir:
			return l.linkAt(path)
		case there || at == filepath.Dir(at):
			return "", false
		}
	}
}

// linkAt is danglingLink for the last name of a path only.
func (l looked) linkAt(path string) (link string, there bool) {
	f, known := l[path]
	if !known {
		f.link, f.there = linkAt(path)
		l[path] = f
	}
	return f.link, f.there
}

func linkAt(path string) (link string, there bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(path); err != nil {
			return path, true
		}
	}
	return "", true
}

// resolved follows links as far as the path exists.
func resolved(path string) string {
	if path == "" {
		return ""
	}
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

// resolvedIn is [resolved] for a name in a directory that has no links on the way to it.
func resolvedIn(realDir, name string) string {
	path := filepath.Join(realDir, name)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	return resolved(path)
}

// maxLinks is how many links the kernel follows before it gives up.
const maxLinks = 40

// follow goes the way that an absolute path leads: where it ends, and the links that were
// followed, by their real names, those that other links lead to included. The end
// need not exist. A path that goes round in circles ends where it starts.
func follow(path string) (end string, links []string) {
	if !filepath.IsAbs(path) {
		return path, nil
	}
	separator := string(filepath.Separator)
	root := filepath.VolumeName(path) + separator
	at, ahead := root, strings.Split(path[len(root)-1:], separator)
	for len(ahead) > 0 {
		next := filepath.Join(at, ahead[0]) // also for "..": at holds no link any more
		ahead = ahead[1:]
		target, err := os.Readlink(next)
		if err != nil {
			at = next
			continue
		}
		if links = append(links, next); len(links) > maxLinks {
			return path, links
		}
		if filepath.IsAbs(target) {
			at = root
		}
		ahead = append(strings.Split(target, separator), ahead...)
	}
	return at, links
}
