package permission

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// settled is an access whose name is only known when the command runs, by the names that
// the script itself gives it: F=src/a.go; wc -l "$F". It is nil if that is not all it may
// be, so that nobody knows.
func (s *shellCheck) settled(a *fileAccess) *fileAccess {
	if len(a.unknown) == 0 || a.Hidden || a.Tree != "" || strings.IndexByte(a.Path, shell.Unknown) < 0 || s.script.Commands[a.Command].Link == shell.Guess {
		return nil
	}
	if !s.asked {
		s.asked, s.bounds = true, s.script.Bounded()
	}
	found := fileAccess{Access: a.Access, resolved: true}
	for _, script := range s.bounds {
		for _, b := range s.sureAt(script, a.Span) {
			if b.Span != a.Span || b.Mode != a.Mode || b.Redirect != a.Redirect || b.Hidden {
				continue
			}
			if b.Loose || b.Splits || strings.IndexByte(b.Path, shell.Unknown) >= 0 || a.Splits && strings.ContainsAny(b.Path, " \t\n") || !s.resolveIn(script, b, &found) || s.spent() {
				return nil
			}
		}
	}
	if len(found.paths) == 0 && len(found.unknown) == 0 {
		return nil
	}
	return &found
}

// resolveIn notes the names that an access has in a reading of the script.
func (s *shellCheck) resolveIn(script *shell.Script, b shell.Access, found *fileAccess) bool {
	whole := s.script
	s.script = script // it says where its commands run
	defer func() { s.script = whole }()
	s.compared += resolving
	one := fileAccess{Access: b, resolved: true}
	for _, path := range script.Paths(b) {
		if strings.IndexByte(path, shell.Unknown) >= 0 {
			return false // nobody knows where the command runs
		}
		s.resolve(&one, path)
	}
	if b.Follows {
		s.tree(&one)
	}
	found.paths = append(found.paths, one.paths...)
	for _, name := range one.unknown {
		found.note(name)
	}
	found.adrift = found.adrift || one.adrift
	return true
}
