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
	if s.possibleHarm(); !s.f.safety {
		s.codeNamesPlace()
	}
}

// mayWrite: a program that is not known may write the protected path it names.
func (s *shellCheck) mayWrite(a *fileAccess) bool {
	return a.Possible && !s.script.Commands[a.Command].Surmised() && s.namesProtected(a)
}

func (s *shellCheck) namesProtected(a *fileAccess) bool {
	if path, ok := s.script.Path(a.Access); ok {
		return shell.Protected(path) || s.inPlace(path)
	}
	return slices.ContainsFunc(s.script.Paths(a.Access), func(path string) bool { return shell.Protected(path) || s.inPlace(path) })
}

// inPlace: a path of the script lies in a protected place, its links aside.
func (s *shellCheck) inPlace(path string) bool {
	if len(s.ctx.config.Protected) == 0 || path == "" || path[0] == shell.Unknown {
		return false
	}
	path = absolute(path, s.cwd, s.ctx.config.Home)
	return s.ctx.place(path) != nil || hasMarks(path) && s.ctx.placeMay(path) != nil
}

// possibleHarm is mayWrite for names that lead to a protected path through a link, and
// for places that do not look protected.
func (s *shellCheck) possibleHarm() {
	if _, none := s.links.(NoLinks); none && len(s.made) == 0 && len(s.ctx.config.Protected) == 0 || !s.script.NamesPossible() {
		return
	}
	for _, named := range s.script.Accesses() {
		if !named.Possible || s.script.Commands[named.Command].Surmised() {
			continue
		}
		a := fileAccess{Access: named}
		for _, path := range s.script.Paths(named) {
			if s.inPlace(path) || s.goesThroughLink(path) {
				s.resolve(&a, path)
			}
		}
		if why, path := s.protects(&a); why != "" {
			s.needPerson("names "+why+", which it may change", a.Command, path)
			return
		}
	}
}

// goesThroughLink is the quick test of one name: most have no link in them.
func (s *shellCheck) goesThroughLink(path string) bool {
	if path == "" || path[0] == shell.Unknown || hasControl(path) {
		return false
	}
	if hasMarks(path) || len(s.made) > 0 || strings.Contains(path, "..") || tooLong(path) {
		return true
	}
	p := s.located(path)
	return p.Problem != "" || p.Real != p.Given
}

// protects says why changing a file needs a person, if it does, and under which of its
// names.
func (s *shellCheck) protects(a *fileAccess) (why, path string) {
	if a.Pathspec > shell.MaybePathspec {
		if why, path := s.patternProtects(a); why != "" {
			return why, path
		}
	}
	for _, p := range a.paths {
		if why := s.ctx.Protects(p); why != "" {
			return why, p.Given
		}
		if why := s.takesAlong(a, p); why != "" {
			return why, p.Given
		}
	}
	for _, name := range a.unknown {
		if shell.Protected(name) {
			return "a protected path", name
		}
		if why := s.ctx.placeMay(name).reason(); why != "" {
			return why, name
		}
	}
	return "", ""
}

// takesAlong: what happens to a directory happens to the protected places below it.
func (s *shellCheck) takesAlong(a *fileAccess, p Path) string {
	switch {
	case len(s.ctx.config.Protected) == 0 || a.Mode == shell.Reads || s.script.Narrowed(a.Command):
		return ""
	case a.Mode == shell.Writes && a.Reach != shell.WholeTree && !(s.script.Commands[a.Command].Program() == "ln" && s.isLink(p.Given)):
		return ""
	}
	place := s.ctx.placeBelow(p.Given)
	if place == nil && p.Real != p.Given && p.Real != "" {
		place = s.ctx.placeBelow(p.Real)
	}
	return place.reason()
}

func (s *shellCheck) needPerson(why string, command int, path string) {
	s.f.safety, s.f.check = true, Ask
	s.f.checkReason = Reason{Kind: BySafety, Detail: why, Part: s.part(command), Path: path}
}

// harm says what is wrong with changing a file, under any of its names.
func (s *shellCheck) harm(a *fileAccess) (why, path string) {
	if why, path := s.protects(a); why != "" {
		return "changes " + why, path
	}
	deletes := a.Mode == shell.Deletes || a.Replaces
	for _, p := range a.paths {
		if a.Mode == shell.Writes && p.Real != p.Given && shell.Device(p.Real) && s.script.Commands[a.Command].Program() != "ln" {
			return "overwrites a device", p.Given
		}
	}
	for _, p := range a.paths {
		switch {
		case p.Problem != "" && a.Mode != shell.Reads:
			return "changes a file that cannot be made out, " + p.Problem, p.Given
		case deletes && (s.ruins(a, p.Given) || p.Real != p.Given && (s.ruins(a, p.Real) || s.ruinsSystem(a, p))):
			return "deletes a directory that holds the working directory or the home directory, or one of the system", p.Given
		}
	}
	for _, name := range a.unknown {
		if deletes && s.mayRuin(a, name) {
			return "may delete a directory that holds the working directory or the home directory, or all that is in it", name
		}
	}
	if a.adrift && a.Mode != shell.Reads {
		return "changes files that cannot be made out: there is too much to look at", a.Path
	}
	return "", ""
}

// ruins: the directory is, or holds, the working or the home directory. find with
// tests only deletes what they select.
func (s *shellCheck) ruins(a *fileAccess, dir string) bool {
	return (within(s.cwd, dir) || within(s.ctx.config.Home, dir)) && !s.script.Narrowed(a.Command)
}

// ruinsSystem: a link leads to a directory that must not be deleted, whoever's it is.
// Deleting the link itself does no harm.
func (s *shellCheck) ruinsSystem(a *fileAccess, p Path) bool {
	if !shell.Ruinous(p.Real) || s.script.Narrowed(a.Command) {
		return false
	}
	return a.Follows || strings.HasSuffix(a.Path, "/") || strings.HasSuffix(a.Path, "/.") || !s.isLink(p.Given)
}

// isLink: the last name of the path is a link.
func (s *shellCheck) isLink(path string) bool {
	if slices.ContainsFunc(s.made, func(m madeLink) bool { return m.name == path }) {
		return true
	}
	slash := strings.LastIndexByte(path, '/')
	dir := s.located(orRoot(path[:slash]))
	target, err := s.links.Readlink(strings.TrimSuffix(dir.Real, "/") + path[slash:])
	return target != "" && err == nil
}

// mayRuin is ruins for a name with marks, which may stand for the directory or for
// all that is in it.
func (s *shellCheck) mayRuin(a *fileAccess, name string) bool {
	if name[0] != '/' || s.script.Narrowed(a.Command) {
		return false
	}
	dir := withoutEverything(name)
	if s.movesWithin(a.Command) {
		dir = name // all that is in it is no less there afterwards
	}
	if dir == name && a.Reach == shell.OnlyPath && !a.Replaces {
		return false // rm a* leaves directories alone
	}
	return mayHold(dir, s.cwd) || mayHold(dir, s.ctx.config.Home) || shell.Ruinous(dir)
}

// movesWithin reports whether a command moves files, and as far as is known to no place outside the
// working directory.
func (s *shellCheck) movesWithin(command int) bool {
	if !s.script.Moves(command) {
		return false
	}
	for i := range s.accesses {
		if s.accesses[i].Command != command || s.accesses[i].Mode != shell.Writes {
			continue
		}
		a := s.access(i)
		names := slices.Clone(a.unknown)
		for _, p := range a.paths {
			names = append(names, p.Given, p.Real)
		}
		if a.adrift || slices.ContainsFunc(names, func(name string) bool { return name != "" && name[0] == '/' && !within(name, s.cwd) }) {
			return false
		}
	}
	return true
}

// withoutEverything takes patterns for any name off the end: /a/* is all of /a.
func withoutEverything(name string) string {
	for {
		slash := strings.LastIndexByte(name, '/')
		last := name[slash+1:]
		if slash < 0 || last != string([]byte{shell.Glob}) && last != "."+string([]byte{shell.Glob}) {
			return name
		}
		if name = name[:slash]; name == "" {
			return "/"
		}
	}
}

// mayHold: a path with patterns may be the directory or one above it. What is not
// known may be anything, so it does not count.
func mayHold(pattern, dir string) bool {
	if strings.IndexByte(pattern, shell.Unknown) >= 0 {
		return false
	}
	for pattern != "" && pattern != "/" {
		var want, name string
		want, pattern, _ = strings.Cut(pattern[1:], "/")
		if pattern != "" {
			pattern = "/" + pattern
		}
		if dir == "" || dir == "/" {
			return false
		}
		name, dir, _ = strings.Cut(dir[1:], "/")
		if dir != "" {
			dir = "/" + dir
		}
		if !fits(want, name) {
			return false
		}
	}
	return true
}
