package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// whereabouts says where a file lies that is read.
type whereabouts uint8

const (
	inside  whereabouts = iota // the working directories, or where a rule allows to read
	outside                    // elsewhere
	unknown                    // that is only known when it runs
)

func (w whereabouts) String() string {
	switch w {
	case outside:
		return "it reads outside the working directories"
	case unknown:
		return "what it reads is only known when it runs, and may lie outside the working directories"
	case inside:
	}
	return "it reads inside the working directories"
}

// readsOutside finds a file that a read-only command, or what it runs, reads outside the
// working directories without a Read rule that allows it. What cannot be known may lie
// outside.
func (s *shellCheck) readsOutside(i int) (string, whereabouts) {
	_, path, where := s.firstOutside(i)
	return path, where
}

func (s *shellCheck) firstOutside(i int) (a *fileAccess, path string, where whereabouts) {
	if len(s.accesses) > manyAccesses {
		s.dropSeen()
		for _, k := range s.accessesBy(i) {
			if path, where = s.accessOutside(s.access(k)); where != inside {
				return s.access(k), path, where
			}
		}
		return nil, "", inside
	}
	for k := range s.accesses {
		if s.accesses[k].Hidden && s.runBy(s.accesses[k].Command) == i {
			s.dropSeen()
			break
		}
	}
	for k := range s.accesses {
		if s.runBy(s.accesses[k].Command) != i {
			continue
		}
		a = s.access(k)
		if path, where = s.accessOutside(a); where != inside {
			return a, path, where
		}
	}
	return nil, "", inside
}

// manyAccesses are not all looked through again for each command.
const manyAccesses = 64

// accessesBy are the indexes of what command i, or what it runs, reads and writes.
func (s *shellCheck) accessesBy(i int) []int {
	if s.byCommand == nil {
		s.byCommand = make(map[int][]int)
		for k := range s.accesses {
			by := s.runBy(s.accesses[k].Command)
			s.byCommand[by] = append(s.byCommand[by], k)
		}
	}
	return s.byCommand[i]
}

// outsideReason is the reason to ask about command i, which reads a path outside, or one of which that
// is not known.
func (s *shellCheck) outsideReason(i int, a *fileAccess, path string, where whereabouts) Reason {
	detail := where.String()
	switch {
	case where == unknown && a.Hidden && !s.alsoFile(a):
		detail = s.hiddenBehind(a)
	case where == outside && s.staysOtherwise(a):
		detail += " if a cd before it fails (join them with &&)"
	}
	return Reason{Kind: ByOutside, Detail: detail, Part: s.part(i), Path: path}
}

// staysOtherwise: from the directory to which the script goes if all is well, the file is
// inside the working directories.
func (s *shellCheck) staysOtherwise(a *fileAccess) bool {
	if len(s.script.Commands[a.Command].Dirs) < 2 || len(a.unknown) > 0 {
		return false
	}
	return slices.ContainsFunc(a.paths, s.ctx.inside)
}

// runBy is the command whose arguments hold command i: xargs, for what it runs.
func (s *shellCheck) runBy(i int) int {
	for s.script.Commands[i].Link == shell.Wrapped && s.script.Commands[i].Parent >= 0 {
		i = s.script.Commands[i].Parent
	}
	return i
}

// accessOutside says where a file lies. What its names do not say is looked up in the values
// that the script gives its words.
func (s *shellCheck) accessOutside(a *fileAccess) (string, whereabouts) {
	path, where := s.namesOutside(a)
	if where != unknown || a.lost() {
		return path, where
	}
	found, where := s.leaves(a)
	if where == inside {
		return "", inside
	}
	return cmp.Or(found, path), where
}

// namesOutside says where a file lies as far as its names tell. It looks nothing up:
// [shellCheck.leaves] ends here.
func (s *shellCheck) namesOutside(a *fileAccess) (found string, where whereabouts) {
	if a.Pathspec == shell.WholePathspec || a.Tree != "" { // where git runs is an access of its own
		return "", inside
	}
	for _, p := range a.paths {
		if !s.ctx.inside(p) && !s.allowedOutside(p) {
			return p.Given, outside
		}
	}
	for _, path := range a.unknown {
		if fixed := literalDir(path); fixed != "" && !s.ctx.insideDir(fixed) {
			return path, outside
		}
		if up := upwards(path); up != path && !s.ctx.insideDir(literalDir(up)) {
			return path, outside
		}
		if where == inside && strings.IndexByte(path, shell.Unknown) >= 0 {
			found, where = path, unknown
		}
	}
	if where == inside && a.lost() {
		return a.Path, unknown
	}
	return found, where
}

// allowedOutside: a rule allows to read a file that is not in a working directory, and no limit
// takes that back.
func (s *shellCheck) allowedOutside(p Path) bool {
	return (!s.ctx.config.BlockReads || s.ctx.mayRead(p)) && s.allowed(p, rule.ReadRule)
}

// lost reports whether links that were not followed may lead anywhere. A whole tree is nearly
// always more than can be looked at for links, so it does not count.
func (a *fileAccess) lost() bool { return a.adrift && !a.Follows }

// findsParent: the name is a pattern that finds ".." in some shells: those before bash 5.2,
// and later ones without globskipdots.
func findsParent(name string) bool {
	return name != "" && name[0] == '.' && hasMarks(name) && fits(name, "..")
}

// upwards is a path in which every pattern that finds "..", as .* does in some shells,
// has found it.
func upwards(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	parts := strings.Split(path, "/")
	found := false
	for i, part := range parts {
		if findsParent(part) {
			parts[i], found = "..", true
		}
	}
	if !found {
		return path
	}
	return clean(strings.Join(parts, "/"))
}
