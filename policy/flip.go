package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Flip is something that would change the decision. It was tried out: with the
// changes applied the engine answers To.
type Flip struct {
	To      permission.Behavior
	Changes []Change
}

// String is the flip as an instruction, without its outcome.
func (f Flip) String() string {
	var texts []string
	for i := 0; i < len(f.Changes); {
		n := alike(f.Changes[i:])
		texts = append(texts, instruct(f.Changes[i:i+n]))
		i += n
	}
	return strings.Join(texts, ", and ")
}

// Flips lists what would change the decision: what would let the call through
// first, then what would stop it. There are none for an invalid input, which no
// policy can mend.
func (j *Judgement) Flips() []Flip {
	if j.Call == nil {
		return nil
	}
	s := search{Judgement: j}
	if j.Decision.Behavior != permission.Allow {
		s.try(Change{Kind: TrustWorkspace, Dir: j.env.dir})
		s.loosen()
		s.fileRule()
	} else {
		s.withdraw()
	}
	s.modes()
	s.forbid()
	slices.SortStableFunc(s.found, func(a, b Flip) int { return int(a.To) - int(b.To) })
	return s.found
}

// search collects flips of one judgement.
type search struct {
	*Judgement
	found []Flip
}

// try keeps changes that change the decision, and returns what they lead to.
func (s *search) try(changes ...Change) (*environment, permission.Decision, bool) {
	env, err := s.env.with(changes...)
	if err != nil {
		return nil, permission.Decision{}, false
	}
	d := s.under(env)
	if d.Behavior != s.Decision.Behavior {
		s.keep(Flip{To: d.Behavior, Changes: slices.Clone(changes)})
	}
	return env, d, true
}

// keep leaves out a flip that needs everything another one needs, and more.
func (s *search) keep(f Flip) {
	for _, have := range s.found {
		if have.To == f.To && contains(f.Changes, have.Changes) {
			return
		}
	}
	s.found = append(s.found, f)
}

func contains(all, some []Change) bool {
	for _, c := range some {
		if !slices.Contains(all, c) {
			return false
		}
	}
	return true
}

// maxSteps bounds the way from a denial to an allow: rules that stop it, then what
// must be granted.
const maxSteps = 12

// loosen removes one obstacle after the other until the call is allowed, or
// nothing helps.
func (s *search) loosen() {
	env, d := s.env, s.Decision
	var changes []Change
	for range maxSteps {
		before := d
		for _, step := range s.remedies(env, d) {
			longer := append(slices.Clone(changes), step...)
			next, after, ok := s.try(longer...)
			if ok && after.Message() != d.Message() {
				env, d, changes = next, after, longer
				break
			}
		}
		if d.Behavior == permission.Allow || d.Message() == before.Message() {
			return
		}
	}
}

// remedies are what may remove the obstacle that a decision names, best first.
func (s *search) remedies(env *environment, d permission.Decision) [][]Change {
	var all [][]Change
	asking := []Change{{Kind: SetMode, Mode: permission.Default}}
	switch reason := d.Question(); reason.Kind {
	case permission.ByRule, permission.ByMaybeRule:
		all = append(all, []Change{{Kind: RemoveRule, Rule: *reason.Rule}})
	case permission.ByHook, permission.ByBrokenHook:
		all = append(all, []Change{{Kind: TrustWorkspace, Dir: env.dir}})
	case permission.ByMode:
		all = append(all, asking)
	case permission.ByNoRule, permission.ByOutside, permission.ByReadOnly, permission.ByTool, permission.ByUnreadable:
		if grants := s.grants(env, reason); len(grants) > 0 {
			all = append(all, grants)
		}
	case permission.BySafety, permission.ByInvalid, permission.ByClassifier, permission.ByPerson, permission.ByNobody, permission.ByFault, permission.ByLimit:
	}
	if env.config.Mode == permission.DontAsk {
		all = append(all, asking)
	}
	return all
}

// grants are the rules that "always allow" would add, else the narrowest ones for
// the part or the file that the reason names.
func (s *search) grants(env *environment, reason permission.Reason) []Change {
	if updates := s.suggestions(env); len(updates) > 0 {
		return env.changes(updates)
	}
	switch {
	case s.Call.Kind == permission.Shell && reason.Path != "" && strings.Contains(reason.Detail, "writes"):
		return []Change{env.allow("Edit(" + rule.EscapePath(reason.Path) + ")")}
	case s.Call.Kind == permission.Shell && reason.Part != nil && reason.Part.Text == PartText(reason.Part.Text):
		return []Change{env.allow("Bash(" + rule.Escape(reason.Part.Text) + ")")}
	}
	return nil
}

// suggestions asks the engine, in a mode that asks.
func (s *search) suggestions(env *environment) []permission.Update {
	if env.config.Mode == permission.DontAsk {
		asking, err := env.with(Change{Kind: SetMode, Mode: permission.Default})
		if err != nil {
			return nil
		}
		env = asking
	}
	return s.engine.Suggest(env.context, s.Call, s.under(env))
}

// modes tries every mode that may be chosen.
func (s *search) modes() {
	for _, name := range permission.Modes {
		mode, err := permission.ParseMode(name)
		if err == nil && mode != s.env.config.Mode {
			s.try(Change{Kind: SetMode, Mode: mode})
		}
	}
}
