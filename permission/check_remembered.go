package permission

import (
	"strings"

	"github.com/assent-dev/assent/rule"
)

// A script of 64 KB can name thousands of files, each of them thousands of times, and there can
// be thousands of rules. So what was found out about a name is kept, and what takes a look at each
// rule is counted: beyond mostCompared comparisons the call is a question.

const (
	// mostCompared is how often a name of a call is compared with a rule.
	mostCompared = 1 << 21
	// mostText is the same for the texts of commands.
	mostText = 1 << 22
	// resolving is what it costs to look up one value of one word, in such comparisons.
	resolving = 1 << 5
	// manyQuestions are where it begins to pay to keep the answers.
	manyQuestions = 64
)

// pathQuestion is what a set of rules is asked about a path.
type pathQuestion struct {
	set  *rule.Set
	path string
	ask  asking
}

type asking uint8

const (
	exactly asking = iota // [rule.Set.Path]
	maybe                 // [rule.Set.PathMay]
	below                 // [rule.Set.Below]
)

// remembered is what was found out about the names of a call with many of them.
type remembered struct {
	answers map[pathQuestion]rule.PathHits
	paths   map[string]Path
	// asked and resolved are how often, before anything is kept.
	asked, resolved int
	compared, texts int
}

// hits is what a set says about a path.
func (s *shellCheck) hits(set *rule.Set, path string, ask asking) rule.PathHits {
	m := &s.remembered
	if m.asked++; m.asked <= manyQuestions {
		return m.compare(set, path, ask)
	}
	question := pathQuestion{set, path, ask}
	hits, known := m.answers[question]
	if !known {
		if m.answers == nil {
			m.answers = make(map[pathQuestion]rule.PathHits)
		}
		hits = m.compare(set, path, ask)
		m.answers[question] = hits
	}
	return hits
}

func (m *remembered) compare(set *rule.Set, path string, ask asking) rule.PathHits {
	m.compared += set.Effort(path, ask != exactly)
	switch ask {
	case maybe:
		return set.PathMay(path)
	case below:
		return set.Below(path)
	case exactly:
	}
	return set.Path(path)
}

// spent reports whether no more is compared, so that a call which would need it is a question.
func (s *shellCheck) spent() bool { return s.remembered.compared > mostCompared }

const tooMuch = "there is too much to compare with the rules"

// exhausted asks about command i, if a rule speaks against a file, once no more is compared.
func (s *shellCheck) exhausted(sets []*rule.Set, i int) bool {
	if s.spent() {
		s.anyFile(sets, i, tooMuch)
		return true
	}
	return false
}

// textSpent is spent for the texts of commands.
func (s *shellCheck) textSpent() bool { return s.remembered.texts > mostText }

// bashRule is what a set says about the text of a command.
func (s *shellCheck) bashRule(set *rule.Set, behavior rule.Behavior, text string) (*rule.Rule, rule.Match) {
	switch {
	case !s.textSpent():
		return set.BashCounted(behavior, text, &s.remembered.texts)
	case behavior == rule.Allow:
		return nil, rule.No
	}
	return s.ctx.restriction, rule.Maybe
}

// located is [ResolvePath] for a path of the script.
func (s *shellCheck) located(path string) Path {
	m := &s.remembered
	if m.resolved++; m.resolved <= manyQuestions {
		return ResolvePath(s.links, path, s.cwd, s.ctx.config.Home)
	}
	p, known := m.paths[path]
	if !known {
		if m.paths == nil {
			m.paths = make(map[string]Path)
		}
		if p, known = s.beside(path); !known {
			p = ResolvePath(s.links, path, s.cwd, s.ctx.config.Home)
		}
		m.paths[path] = p
	}
	return p
}

// beside is located for a name that is no link, in a directory that was looked up before: the
// names of a call mostly are in few directories.
func (s *shellCheck) beside(path string) (p Path, ok bool) {
	slash := strings.LastIndexByte(path, '/')
	dir, name := orRoot(path[:max(slash, 0)]), path[slash+1:]
	if slash < 0 {
		dir = "."
	}
	if _, none := s.links.(NoLinks); none || name == "" || name == "." || name == ".." || slash < 0 && name[0] == '~' || tooLong(path) || hasControl(path) {
		return Path{}, false
	}
	above, known := s.remembered.paths[dir]
	if !known {
		above = ResolvePath(s.links, dir, s.cwd, s.ctx.config.Home)
		s.remembered.paths[dir] = above
	}
	if above.Problem != "" {
		return Path{}, false
	}
	p.Given = strings.TrimSuffix(above.Given, "/") + "/" + name
	if p.Real = p.Given; above.Real != above.Given {
		p.Real = strings.TrimSuffix(above.Real, "/") + "/" + name
	}
	target, err := processLink(p.Real, s.cwd)
	if err == nil && target == "" {
		target, err = s.links.Readlink(p.Real)
	}
	return p, err == nil && target == ""
}
