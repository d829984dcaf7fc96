package policy

import (
	"io/fs"
	"os"
	"time"

	"github.com/assent-dev/assent/settings"
)

// snapshot is how files looked before they were read. Asking whether that still
// holds costs one look at each, so it can be asked before every call.
type snapshot []stamp

// stamp is how one file looked.
type stamp struct {
	path string
	// link and file are what the path names, and what that leads to; nil when there
	// is nothing.
	link, file fs.FileInfo
	// young: it was written so shortly before that it may change again without
	// looking any different.
	young bool
	// listed: of a directory matters, too, what is in it.
	listed bool
}

// takeManaged looks at the administrator's files, and at the directories to which further ones may come.
func takeManaged(files []string) snapshot {
	if files == nil {
		files = settings.DefaultManagedFiles
	}
	all := take(settings.ManagedPlaces(files))
	for i := range all {
		s := &all[i]
		s.listed = true
		s.young = s.file != nil && time.Since(s.file.ModTime()) < clockStep(s.file.ModTime())
	}
	return all
}

// take looks at files.
func take(paths []string) snapshot {
	all := make(snapshot, 0, len(paths))
	now := time.Now()
	for _, path := range paths {
		s := look(path)
		s.young = s.file != nil && !s.file.IsDir() && now.Sub(s.file.ModTime()) < clockStep(s.file.ModTime())
		all = append(all, s)
	}
	return all
}

func look(path string) stamp {
	s := stamp{path: path}
	var err error
	if s.link, err = os.Lstat(path); err != nil {
		return stamp{path: path}
	}
	if s.file = s.link; s.link.Mode()&fs.ModeSymlink != 0 {
		if s.file, err = os.Stat(path); err != nil {
			s.file = nil
		}
	}
	return s
}

// clockStep is how far apart two writes may be and still have the same time. File
// systems that keep whole seconds only are given two.
func clockStep(written time.Time) time.Duration {
	if written.Nanosecond() == 0 {
		return 2 * time.Second
	}
	return 100 * time.Millisecond
}

// current: no file has changed since. What was not read from files stays current.
func (all snapshot) current() bool {
	for _, s := range all {
		if s.young || !s.same(look(s.path)) {
			return false
		}
	}
	return true
}

func (s stamp) same(now stamp) bool {
	unchanged := !s.listed || s.file == nil || now.file == nil || s.file.ModTime().Equal(now.file.ModTime())
	return unchanged && sameInfo(s.link, now.link) && sameInfo(s.file, now.file)
}

// sameInfo: of a directory only matters which one it is, not what is made in it.
func sameInfo(a, b fs.FileInfo) bool {
	switch {
	case a == nil || b == nil:
		return a == nil && b == nil
	case a.IsDir() && b.IsDir():
		return os.SameFile(a, b)
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}
