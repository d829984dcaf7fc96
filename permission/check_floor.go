package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// safety is the danger floor and the protected paths. The text of a command says
// most of it; links and absolute names of the working and home directory are only
// known here.
func (s *shellCheck) safety() {
	if found := s.script.Floor(); found != nil {
		s.needPerson(found.Text, found.Command, "")
		return
	}
	for i := range s.accesses {
		if s.accesses[i].Mode == shell.Reads && !s.mayWrite(&s.accesses[i]) {
			continue
		}
		a := s.access(i)
		if why, path := s.harm(a); why != "" {
			s.needPerson(why, a.Command, path)
			return
		}
	}
}

// mayWrite: a program that is not known may write the protected path it names.
func (s *shellCheck) mayWrite(a *fileAccess) bool {
	return a.Possible && s.script.Commands[a.Command].Link != shell.Guess && s.namesProtected(a)
}

func (s *shellCheck) namesProtected(a *fileAccess) bool {
	if path, ok := s.script.Path(a.Access); ok {
		return shell.Protected(path)
	}
	return slices.ContainsFunc(s.script.Paths(a.Access), shell.Protected)
}

func (s *shellCheck) needPerson(why string, command int, path string) {
	s.f.safety, s.f.check = true, Ask
	s.f.checkReason = Reason{Kind: BySafety, Detail: why, Part: s.part(command), Path: path}
}

// harm says what is wrong with changing a file, under any of its names.
func (s *shellCheck) harm(a *fileAccess) (why, path string) {
	for _, p := range a.paths {
		switch {
		case shell.Protected(p.Given) || p.Real != p.Given && shell.Protected(p.Real):
			return "changes a protected path", p.Given
		case p.Problem != "" && a.Mode != shell.Reads:
			return "changes a file that cannot be made out, " + p.Problem, p.Given
		case a.Mode == shell.Deletes && (s.ruins(a, p.Given) || p.Real != p.Given && s.ruins(a, p.Real)):
			return "deletes a directory that holds the working directory or the home directory", p.Given
		}
	}
	for _, name := range a.unknown {
		dir := literalDir(name)
		switch {
		case dir != "" && shell.Protected(dir):
			return "changes a protected path", name
		case a.Mode == shell.Deletes && everything(name, dir) && s.ruins(a, dir):
			return "deletes everything in a directory that holds the working directory or the home directory", name
		}
	}
	return "", ""
}

// everything: all that follows the directory is a pattern for any name.
func everything(name, dir string) bool {
	rest := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
	return rest == string([]byte{shell.Glob}) || rest == "."+string([]byte{shell.Glob})
}

// ruins: the directory is, or holds, the working or the home directory. find with
// tests only deletes what they select.
func (s *shellCheck) ruins(a *fileAccess, dir string) bool {
	if !within(s.cwd, dir) && !within(s.ctx.config.Home, dir) {
		return false
	}
	c := &s.script.Commands[a.Command]
	if c.Program() != "find" {
		return true
	}
	for _, word := range c.Args() {
		switch word.Text {
		case "-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-mtime", "-mmin", "-newer", "-size", "-empty", "-type", "-user", "-perm", "-maxdepth":
			return false
		}
	}
	return true
}
