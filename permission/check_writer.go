package permission

import (
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// A program that the tables do not know may write each file that it names. Where an Edit
// deny rule covers such a file, a person decides, whatever the mode and the allow rules say.

// mayEdit applies the Edit deny rules to a name that a program may write. The match is Yes
// for a name that is known.
func (s *shellCheck) mayEdit(a *fileAccess, hits rule.Hits, match rule.Match, path string) {
	if hits.Deny == nil || match == rule.No || path == "" || path[0] == shell.Unknown || !s.mayBeWriter(a) {
		return
	}
	s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: hits.Deny, Part: s.part(a.Command), Path: path, Detail: "the program is not known, and may write the file"})
}

// mayEditBelow is mayEdit for a directory, if the rule covers all that is in it. A word that
// is no path is hardly a directory: make build.
func (s *shellCheck) mayEditBelow(a *fileAccess, set *rule.Set, dir string) {
	if !s.mayBeWriter(a) || !strings.ContainsAny(a.Path, "/.") {
		return
	}
	if hits := s.hits(set, dir, below).Edit; hits.DenyMatch == rule.Yes {
		s.mayEdit(a, rule.Hits{Deny: hits.Deny}, rule.Yes, dir)
	}
}

// codeMayEdit applies them to the constants of programs in other languages that may write:
// python3 -c "open('.env', 'w')".
func (s *shellCheck) codeMayEdit(sets []*rule.Set) {
	for i := range s.script.Commands {
		if !s.script.CodeMayWrite(i) {
			continue
		}
		for _, literal := range s.script.Literals(i) {
			a := fileAccess{Access: shell.Access{Path: literal, Command: i, Mode: shell.Reads, Possible: true}}
			for _, path := range s.script.Paths(a.Access) {
				s.resolve(&a, path)
			}
			if s.exhausted(sets, i) {
				return
			}
			for _, p := range a.paths {
				for _, set := range sets {
					s.mayEdit(&a, s.hits(set, p.Given, exactly).Edit, rule.Yes, p.Given)
					s.mayEdit(&a, s.hits(set, p.Real, exactly).Edit, rule.Yes, p.Given)
				}
			}
		}
	}
}

// toldElsewhere applies the Edit and Read deny rules to what a program that is not known is told
// otherwise than by an operand: OUT=.env mytool, mytool <<< .env, mytool a:.env.
func (s *shellCheck) toldElsewhere() {
	var sets []*rule.Set
	for told := range s.script.NamesElsewhere() {
		if sets == nil {
			sets = s.engine.pathSets(s.ctx)
		}
		if s.exhausted(sets, told.Command) {
			return
		}
		if told.Name == anywhere[0] { // there is too much to look at
			for _, set := range sets {
				hits := s.hits(set, told.Name, maybe)
				s.told(told, first(hits.Edit.Deny, hits.Read.Deny), "")
			}
			continue
		}
		a := fileAccess{Access: shell.Access{Path: told.Name, Command: told.Command, Mode: shell.Reads, Possible: true}}
		for _, path := range s.script.Paths(a.Access) { // from each directory it may run in
			s.resolve(&a, path)
		}
		for _, p := range a.paths {
			for _, set := range sets {
				for _, hits := range [...]rule.PathHits{s.hits(set, p.Given, exactly), s.hits(set, p.Real, exactly)} {
					if told.Writes {
						s.told(told, hits.Edit.Deny, p.Given)
					}
					s.told(told, hits.Read.Deny, p.Given)
				}
			}
		}
	}
}

func (s *shellCheck) told(told shell.NamedElsewhere, r *rule.Rule, path string) {
	if r != nil {
		s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(told.Command), Path: path, Detail: "it is not known what the program does with the file that it is told about"})
	}
}

// mayBeWriter reports whether the program is not known to only read the file.
func (s *shellCheck) mayBeWriter(a *fileAccess) bool {
	c := &s.script.Commands[a.Command]
	return a.Possible && a.Mode == shell.Reads && c.Link != shell.Guess && c.MayWrite(a.Path, a.Span)
}
