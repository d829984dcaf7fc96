package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// madeLink is a link that the command itself makes: ln -s .git g; echo x > g/config.
// Commands may run in any order and make a link again, so none of them replaces
// another, nor what the file system has under that name.
type madeLink struct {
	name   string // absolute; it may hold marks
	target string // as the kernel reads it, but it may hold marks
}

// follows notes the links that the script makes.
func (s *shellCheck) follows() {
	s.links = s.engine.links
	for _, l := range s.script.MadeLinks() {
		for _, dir := range dirsOf(&s.script.Commands[l.Command]) {
			s.makes(&l, dir)
		}
	}
}

func (s *shellCheck) makes(l *shell.MadeLink, dir string) {
	home := s.ctx.config.Home
	lost := strings.IndexByte(dir, shell.Unknown) >= 0 // nobody knows where it runs
	if lost && !rooted(l.Name) {
		return
	}
	at := absolute(dir, s.cwd, home)
	m := madeLink{name: absolute(l.Name, at, home), target: l.Target}
	switch {
	case l.Target == "" || l.Target[0] == shell.Unknown:
	case rooted(l.Target):
		m.target = absolute(l.Target, at, home)
	case l.Kind == shell.SymbolicLink:
	case lost:
		m.target = string([]byte{shell.Unknown})
	default:
		m.target = absolute(l.Target, at, home)
	}
	if max(len(m.name), len(m.target)) > 2*maxPath { // no directory and no name in it are that long
		return
	}
	if m.target == "" || m.target == m.name || len(s.made) < manyMade && slices.Contains(s.made, m) || l.Kind == shell.CopiedLink && !s.mayBeLink(m.target) {
		return
	}
	s.made = append(s.made, m)
}

// manyMade links are no longer compared with each other.
const manyMade = 256

// mayBeLink: the path is a link, of the file system or of the script. With marks it
// is one if they stand for the name of a link.
func (s *shellCheck) mayBeLink(path string) bool {
	if len(s.made) >= manyMade {
		return true
	}
	for _, m := range s.made {
		if m.name == path || hasMarks(m.name) && fits(m.name, path) {
			return true
		}
	}
	known := knownPart(path)
	if known == len(path) {
		target, err := s.links.Readlink(path)
		return target != "" || err != nil
	}
	slash := strings.LastIndexByte(path, '/')
	if slash > known || slash < 0 {
		return true
	}
	found, complete := list(s.links, path[:max(slash, 1)])
	for _, name := range found.Links {
		if fits(path[slash+1:], name) {
			return true
		}
	}
	return !complete
}

// rooted: the path does not depend on the working directory.
func rooted(path string) bool {
	return path != "" && (path[0] == '/' || path[0] == '~')
}

// dirsOf are the directories a command may run in, never none.
func dirsOf(c *shell.Command) []string {
	if len(c.Dirs) == 0 {
		return []string{"."}
	}
	return c.Dirs
}
