package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// someName is a name that a rule for a whole directory covers, and one for a file does not.
const someName = "/\x01"

// movedHits are the rules against reading what a pattern finds, for a command that moves it:
// afterwards it has another name, which no rule knows. What only goes is not read.
func (s *shellCheck) movedHits(a *fileAccess, set *rule.Set, path string) {
	if a.Mode != shell.Deletes || !s.script.Moves(a.Command) && s.script.Commands[a.Command].Program() != "rsync" {
		return
	}
	for _, name := range [...]string{path, path + someName} {
		hits := s.hits(set, name, maybe)
		s.maybe(a, Deny, hits.Read.Deny, rule.Maybe, path)
	}
}
