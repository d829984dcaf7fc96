package permission

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// leaves says where a file lies whose name is only known when the command runs, as far as
// the script itself says it: by the values of its variables, or because the names come
// from the listing of a directory.
func (s *shellCheck) leaves(a *fileAccess) (string, whereabouts) {
	c := &s.script.Commands[a.Command]
	switch {
	case c.Link == shell.Guess || a.Possible || s.f.rules == Ask: // a guess has a command that is none
		return "", inside
	case a.Redirect: // the shell opens it, whatever the program is
	case c.Program() == "test" || c.Program() == "[": // they say yes or no
		return "", inside
	case c.Program() == "git" && !a.AnyFile && !s.script.ComparesFiles(a.Command): // branches, and files of the repository
		return "", inside
	}
	if !s.asked {
		s.asked, s.bounds = true, s.script.Bounded()
	}
	answer := unknown
	for _, script := range s.bounds {
		for _, b := range s.sureAt(script, a.Span) {
			if b.Span != a.Span || b.Mode != a.Mode || b.Redirect != a.Redirect || b.Hidden != a.Hidden {
				continue
			}
			answer = inside
			if s.stayed(script, b) {
				continue
			}
			if s.compared += resolving; s.spent() {
				return "", unknown
			}
			if path, where := s.boundLeaves(script, b); where != inside {
				return path, where
			}
			s.stays, s.staysIn = b, script
		}
	}
	return "", answer
}

// sureAt are the accesses of a reading, at least those of the word at this place: where there are
// many, only those.
func (s *shellCheck) sureAt(script *shell.Script, span shell.Span) []shell.Access {
	all := script.SureAccesses()
	if len(all) <= manyAccesses {
		return all
	}
	bySpan, had := s.sure[script]
	if !had {
		bySpan = make(map[shell.Span][]shell.Access)
		for _, b := range all {
			bySpan[b.Span] = append(bySpan[b.Span], b)
		}
		if s.sure == nil {
			s.sure = make(map[*shell.Script]map[shell.Span][]shell.Access)
		}
		s.sure[script] = bySpan
	}
	return bySpan[span]
}

// stayed: the file was found inside just now. What may hide behind a word often is what the
// word names. Links of the script itself may lead to more words.
func (s *shellCheck) stayed(script *shell.Script, b shell.Access) bool {
	b.Hidden = s.stays.Hidden
	return script == s.staysIn && b == s.stays && len(s.made) == 0
}

// boundLeaves is leaves for one reading of the script.
func (s *shellCheck) boundLeaves(script *shell.Script, b shell.Access) (string, whereabouts) {
	whole := s.script
	s.script = script // it says where its commands run
	defer func() { s.script = whole }()
	at := strings.IndexByte(b.Path, shell.Unknown)
	switch {
	case b.Loose || at >= 0 && b.Listed == 0:
		return "", unknown
	case at < 0:
		return s.lies(b)
	}
	roots := script.Listing(b.Listed)
	if at > 0 {
		roots = []string{b.Path[:at]}
	}
	if len(roots) == 0 {
		return "", unknown
	}
	for _, root := range roots {
		if path, where := s.lies(shell.Access{Path: root, Command: b.Command, Mode: b.Mode, Follows: true, Listed: b.Listed}); where != inside {
			return path, where
		}
	}
	return "", inside
}

// lies says where a file lies and, when links are followed, what is below it.
func (s *shellCheck) lies(b shell.Access) (string, whereabouts) {
	a := fileAccess{Access: b, resolved: true}
	paths := []string{""}
	if path, ok := s.script.Path(b); ok {
		paths[0] = path
	} else {
		paths = s.script.Paths(b)
	}
	for _, path := range paths {
		if strings.IndexByte(path, shell.Unknown) >= 0 {
			return "", unknown // nobody knows where the command runs
		}
		s.resolve(&a, path)
	}
	if b.Follows {
		s.tree(&a)
	}
	return s.namesOutside(&a)
}

// fallsApart: whoever takes the names of a listing apart at blanks makes another path of
// what lies in a directory of this name: "a /etc/x" is "a" and "/etc/x".
func fallsApart(name string) bool {
	const blanks = " \t\n"
	if strings.ContainsAny(name, `'"\`) { // xargs and read take these away: '..' is .. then
		return true
	}
	if !strings.ContainsAny(name, blanks) {
		return false
	}
	return strings.IndexByte(blanks, name[len(name)-1]) >= 0 || slices.Contains(strings.Fields(name), "..")
}
