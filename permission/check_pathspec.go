package permission

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// repository resolves an access to whatever git finds in a repository: it is at home in
// the nearest directory upwards that holds .git. If that cannot be seen it is the
// directory in which git runs.
func (s *shellCheck) repository(a *fileAccess) {
	for _, dir := range s.script.Paths(a.Access) {
		if hasMarks(dir) {
			s.resolve(a, dir)
			continue
		}
		at := s.located(dir)
		a.paths = append(a.paths, at)
		if root := RepositoryRoot(s.links, at.Real); root != at.Real {
			a.paths = append(a.paths, Path{Given: root, Real: root})
		}
	}
}

// inTree resolves an access to a file in a tree of git, which is seen from the top of the
// repository and goes through no links.
func (s *shellCheck) inTree(a *fileAccess) {
	for _, path := range s.script.Paths(a.Access) {
		dir := strings.TrimSuffix(path, a.Tree)
		if hasMarks(dir) { // the top may be anywhere
			a.note(string([]byte{shell.Unknown}) + "/" + a.Tree)
			continue
		}
		if dir == "" {
			dir = "."
		}
		at := s.located(dir)
		name := strings.TrimSuffix(RepositoryRoot(s.links, at.Real), "/") + "/" + a.Tree
		if hasMarks(a.Tree) {
			a.note(name)
			continue
		}
		name = clean(name)
		a.paths = append(a.paths, Path{Given: name, Real: name})
	}
}

// RepositoryRoot is the nearest directory upwards that holds .git, or the directory
// itself if there is none or nobody can look.
func RepositoryRoot(links Links, dir string) string {
	finder, ok := links.(Finder)
	if !ok || dir == "" {
		return dir
	}
	for above := dir; ; above = parent(above) {
		if there, err := finder.Exists(strings.TrimSuffix(above, "/") + "/.git"); there || err != nil {
			return above
		}
		if above == "/" {
			return dir
		}
	}
}

// findsNothing: git does not look at the files of this access after all. A word that may
// be a branch is one if there is no file of that name; and if there is a file, git shows
// that one and not the whole repository.
func (s *shellCheck) findsNothing(a *fileAccess) bool {
	switch {
	case a.Pathspec == shell.MaybePathspec:
		return !s.exists(a)
	case a.Pathspec != shell.WholePathspec || a.Mode != shell.Reads:
		return false
	}
	for k := range s.accessesOf(a.Command) {
		other := &s.accesses[k]
		if other.Pathspec == shell.MaybePathspec && other.Mode == shell.Reads && s.exists(s.access(k)) {
			return true
		}
	}
	return false
}

// exists: there is a file of every name that the access may have, as far as can be seen.
func (s *shellCheck) exists(a *fileAccess) bool {
	finder, ok := s.links.(Finder)
	if !ok || len(a.paths) == 0 || len(a.unknown) > 0 {
		return false
	}
	for _, p := range a.paths {
		if there, err := finder.Exists(p.Given); !there || err != nil {
			return false
		}
	}
	return true
}

// singleFile: what git looks for is a file that is there, and no directory.
func (s *shellCheck) singleFile(a *fileAccess, p Path) bool {
	finder, ok := s.links.(Finder)
	if a.Pathspec != shell.LiteralPathspec && a.Pathspec != shell.MaybePathspec || !ok || p.Problem != "" {
		return false
	}
	there, err := finder.Exists(p.Given)
	if err != nil || !there {
		return false
	}
	directory, err := finder.Exists(strings.TrimSuffix(p.Given, "/") + "/.")
	return err == nil && !directory
}

// mostPatternLooks is how many directories are looked at for what a pattern may find.
const mostPatternLooks = 1024

// patternProtects says why changing what a pattern of git finds needs a person. What is
// deleted is there, so one can look; what is written may come from a commit, with any
// name.
func (s *shellCheck) patternProtects(a *fileAccess) (why, path string) {
	const may = "what a pattern of git finds, which may be a protected path"
	if a.Mode == shell.Reads {
		return "", ""
	}
	_, blind := s.links.(NoLinks)
	if a.Mode != shell.Deletes || blind || len(a.unknown) > 0 {
		return may, a.Path
	}
	for _, p := range a.paths {
		if p.Real == "" {
			return may, a.Path
		}
		found, complete := ProtectedBelow(s.links, p.Real, mostPatternLooks, notGit)
		switch {
		case found != "":
			return "a protected path, if the pattern of git finds it", found
		case !complete:
			return may, a.Path
		}
	}
	return "", ""
}

// ProtectedBelow looks for a path below a directory that counts, in at most so many
// directories, those near the top first. counts judges the last two names of a path, and
// is true only for what is protected. complete is false if there may be one that was not
// seen. What lies in .git is not looked at.
func ProtectedBelow(links Links, dir string, most int, counts func(path string) bool) (path string, complete bool) {
	todo := []string{strings.TrimSuffix(dir, "/")}
	for n := 0; n < len(todo); n++ {
		if n == most {
			return "", false
		}
		here := todo[n]
		found, whole := list(links, orRoot(here))
		for _, names := range [...][]string{found.Dirs, found.Hidden, found.Links} {
			for _, name := range names {
				if counts(here[strings.LastIndexByte(here, '/')+1:] + "/" + name) {
					return here + "/" + name, true
				}
			}
		}
		if !whole {
			return "", false
		}
		for _, name := range found.Dirs {
			if name != ".git" {
				todo = append(todo, here+"/"+name)
			}
		}
	}
	return "", true
}

// notGit is what git may change by a pathspec: never its own directory.
func notGit(path string) bool {
	return !strings.HasSuffix(path, "/.git") && shell.Protected(path)
}
