package permission

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// Finder is implemented by [Links] that can also say whether there is something of a
// name. Without it nothing that a checkout brings along is noticed.
type Finder interface {
	// Exists reports whether there is anything at path, a link to nowhere included.
	Exists(path string) (bool, error)
}

// foreignRepository says why git, run by command i, may start a program although its
// arguments only read: a checkout can hold a directory that git takes for a repository,
// with a configuration that names programs. "" means that there is none.
func (s *shellCheck) foreignRepository(i int) string {
	finder, ok := s.links.(Finder)
	if !ok {
		return ""
	}
	for _, k := range s.gitCommands() {
		if k != i && (k < i || s.runBy(k) != i) {
			continue
		}
		for _, dir := range s.script.RepositoryDirs(k) {
			if why := foreignRepository(s.links, finder, dir, s.cwd, s.ctx.config.Home); why != "" {
				return why
			}
		}
	}
	return ""
}

// gitCommands are the commands of the script that run git.
func (s *shellCheck) gitCommands() []int {
	if !s.gitsFound {
		s.gitsFound = true
		for k := range s.script.Commands {
			if c := &s.script.Commands[k]; c.Program() == "git" && c.Link != shell.Guess {
				s.gits = append(s.gits, k)
			}
		}
	}
	return s.gits
}

// startsForeign is foreignRepository for all commands of the script.
func (s *shellCheck) startsForeign() bool {
	for i := range s.script.Commands {
		if s.foreignRepository(i) != "" {
			return true
		}
	}
	return false
}

// ForeignRepository says why git may start a program in a directory, which is relative to
// cwd or absolute, although its arguments do nothing of the kind; "" if nothing is seen.
func ForeignRepository(links Links, dir, cwd, home string) string {
	finder, ok := links.(Finder)
	if !ok {
		return ""
	}
	return foreignRepository(links, finder, dir, cwd, home)
}

// foreignRepository looks for the repository that git finds from a directory.
func foreignRepository(links Links, finder Finder, dir, cwd, home string) string {
	if hasMarks(dir) {
		return "in which repository it runs is only known when it runs"
	}
	at := ResolvePath(links, dir, cwd, home)
	if at.Problem != "" {
		return at.Problem
	}
	for dir := at.Real; ; dir = parent(dir) {
		switch found, err := repositoryAt(finder, strings.TrimSuffix(dir, "/")); {
		case err != nil:
			return "which repository " + dir + " belongs to cannot be found out: " + err.Error()
		case found == ownRepository:
			return ""
		case found == looksLikeOne:
			return dir + " looks like a bare repository, whose configuration can name programs that git runs"
		}
		if dir == "/" {
			return ""
		}
	}
}

// repositoryKind is what git finds in one directory.
type repositoryKind uint8

const (
	noRepository  repositoryKind = iota
	ownRepository                // one that git has made: no checkout can bring .git along
	looksLikeOne                 // the directory itself has what git looks for
)

// repositoryAt looks at what git looks at: .git first, then the directory itself.
func repositoryAt(finder Finder, dir string) (repositoryKind, error) {
	if strings.HasSuffix(dir, "/.git") || strings.Contains(dir, "/.git/") {
		return ownRepository, nil
	}
	for _, look := range [...]struct {
		name  string
		found repositoryKind
	}{{"/.git", ownRepository}, {"/HEAD", looksLikeOne}} {
		switch there, err := finder.Exists(dir + look.name); {
		case err != nil:
			return noRepository, err
		case there && look.found == looksLikeOne:
			return holdsObjects(finder, dir)
		case there:
			return look.found, nil
		}
	}
	return noRepository, nil
}

// holdsObjects: besides HEAD the directory has objects, or says where they are.
func holdsObjects(finder Finder, dir string) (repositoryKind, error) {
	for _, name := range [...]string{"/objects", "/commondir"} {
		switch there, err := finder.Exists(dir + name); {
		case err != nil:
			return noRepository, err
		case there:
			return looksLikeOne, nil
		}
	}
	return noRepository, nil
}
