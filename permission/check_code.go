package permission

import (
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// codeNamesRestricted finds a file that a deny or ask rule is about among the constants
// of a program in another language: python3 -c "open('.env')". What the program does
// with the constant is not known, so the rule does not decide; but no allow rule covers
// the command either, and the mode says what becomes of it.
func (s *shellCheck) codeNamesRestricted() (Reason, bool) {
	if !s.ctx.files {
		return Reason{}, false
	}
	for i := range s.script.Commands {
		if s.script.Commands[i].Opaque != shell.OpaqueCode {
			continue
		}
		if reason, names := s.namesRestricted(i); names {
			return reason, true
		}
	}
	return Reason{}, false
}

func (s *shellCheck) namesRestricted(i int) (Reason, bool) {
	for _, literal := range s.script.Literals(i) {
		if s.spent() {
			return Reason{Kind: ByNoRule, Detail: tooMuch, Part: s.part(i)}, true
		}
		a := fileAccess{Access: shell.Access{Path: literal, Command: i, Mode: shell.Reads}}
		for _, path := range s.script.Paths(a.Access) {
			s.resolve(&a, path)
		}
		for _, p := range a.paths {
			if r := s.restriction(p); r != nil {
				return Reason{Kind: ByNoRule, Rule: r, Detail: "the program in it names a file that rule " + r.Text + " is about", Part: s.part(i), Path: p.Given}, true
			}
		}
	}
	return Reason{}, false
}

// codeNamesPlace finds a protected place among the constants of a program in another
// language, which may write there. What is protected by its name is found by the text.
func (s *shellCheck) codeNamesPlace() {
	if len(s.ctx.config.Protected) == 0 {
		return
	}
	for i := range s.script.Commands {
		for _, literal := range s.script.Literals(i) {
			for _, path := range s.script.Paths(shell.Access{Path: literal, Command: i, Mode: shell.Reads}) {
				if !s.inPlace(path) {
					continue
				}
				place := s.ctx.place(absolute(path, s.cwd, s.ctx.config.Home))
				s.needPerson("the program in it names "+place.reason()+", which it may change", i, path)
				return
			}
		}
	}
}

// restriction is the deny or ask rule for reading or editing a file, under either name.
func (s *shellCheck) restriction(p Path) *rule.Rule {
	for _, set := range s.engine.pathSets(s.ctx) {
		for _, name := range [...]string{p.Given, p.Real} {
			if name == "" {
				continue
			}
			hits := s.hits(set, name, exactly)
			if r := first(first(hits.Read.Deny, hits.Edit.Deny), first(hits.Read.Ask, hits.Edit.Ask)); r != nil {
				return r
			}
		}
	}
	return nil
}
