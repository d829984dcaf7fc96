package permission

import (
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// fileAccess is a file that a shell command names, by every name it may have: the
// command may run in one of several directories.
type fileAccess struct {
	shell.Access
	paths    []Path
	unknown  []string // names with unknown parts, absolute as far as known
	resolved bool
}

func (s *shellCheck) resolveAccesses() []fileAccess {
	found := s.script.Accesses()
	if len(found) == 0 {
		return nil
	}
	out := make([]fileAccess, len(found))
	for i := range found {
		out[i].Access = found[i]
	}
	return out
}

// access is an access with its names resolved, which is done when somebody looks.
func (s *shellCheck) access(k int) *fileAccess {
	a := &s.accesses[k]
	if a.resolved {
		return a
	}
	a.resolved = true
	if path, ok := s.script.Path(a.Access); ok {
		s.resolve(a, path)
		return a
	}
	for _, path := range s.script.Paths(a.Access) {
		s.resolve(a, path)
	}
	return a
}

func (s *shellCheck) resolve(a *fileAccess, path string) {
	if strings.IndexByte(path, shell.Unknown) >= 0 || strings.IndexByte(path, shell.Glob) >= 0 {
		a.unknown = append(a.unknown, s.absoluteMarked(path))
		return
	}
	p := ResolvePath(s.engine.links, path, s.ctx.config.Cwd, s.ctx.config.Home)
	if a.paths == nil {
		if s.room == nil {
			s.room = make([]Path, 0, len(s.accesses))
		}
		if n := len(s.room); n < cap(s.room) {
			s.room = append(s.room, p)
			a.paths = s.room[n : n+1 : n+1]
			return
		}
	}
	a.paths = append(a.paths, p)
}

// absoluteMarked makes a path with marks absolute; one that starts with an unknown
// part may be anywhere.
func (s *shellCheck) absoluteMarked(path string) string {
	if path[0] == shell.Unknown {
		return "/" + path
	}
	return absolute(path, s.ctx.config.Cwd, s.ctx.config.Home)
}

// pathRules applies Read and Edit rules to the files a command names: a Read deny
// stops readers and writers, an Edit deny stops writers.
func (s *shellCheck) pathRules() {
	if len(s.accesses) == 0 {
		return
	}
	var sets [len(rule.Sources)]*rule.Set
	var whole rule.PathHits // rules for every file
	n := 0
	for _, source := range rule.Sources {
		if set := s.ctx.sets[source]; set != nil && set.HasFiles() {
			sets[n] = set
			n++
			whole.Read, whole.Edit = merge(whole.Read, set.Tool("Read")), merge(whole.Edit, set.Tool("Edit"))
		}
	}
	if n == 0 {
		return
	}
	for i := range s.accesses {
		a := s.access(i)
		for _, set := range sets[:n] {
			for _, p := range a.paths {
				s.pathHits(a, set.Path(p.Given), p.Given)
				if p.Real != p.Given && p.Real != "" {
					s.pathHits(a, set.Path(p.Real), p.Given)
				}
				if a.Reach != shell.OnlyPath {
					s.maybeHits(a, reached(set, a, p.Given), p.Given)
				}
			}
			for _, path := range a.unknown {
				s.maybeHits(a, set.PathMay(path), path)
			}
		}
		s.toolHits(a, whole)
		if s.f.rules == Deny {
			return
		}
	}
}

// toolHits are the rules for reading or editing any file at all. A word that only
// may be a file is left alone: no command has none of those.
func (s *shellCheck) toolHits(a *fileAccess, whole rule.PathHits) {
	if !a.Possible {
		s.pathHits(a, whole, "")
	}
}

// reached is what the rules say about the tree that a command works on.
func reached(set *rule.Set, a *fileAccess, dir string) rule.PathHits {
	if a.Reach == shell.VisibleTree {
		return set.BelowVisible(dir)
	}
	return set.Below(dir)
}

func (s *shellCheck) pathHits(a *fileAccess, hits rule.PathHits, path string) {
	deny, ask := hits.Read.Deny, hits.Read.Ask
	if a.Mode != shell.Reads {
		deny, ask = first(hits.Edit.Deny, hits.Read.Deny), hits.Edit.Ask
	}
	if deny != nil {
		s.matched(Deny, Reason{Kind: ByRule, Rule: deny, Part: s.part(a.Command), Path: path})
	}
	if ask != nil {
		s.matched(Ask, Reason{Kind: ByRule, Rule: ask, Part: s.part(a.Command), Path: path})
	}
}

// maybeHits is pathHits for a name with unknown parts: what only may match asks.
func (s *shellCheck) maybeHits(a *fileAccess, hits rule.PathHits, path string) {
	strict := []rule.Hits{hits.Read}
	if a.Mode != shell.Reads {
		strict = []rule.Hits{hits.Edit, {Deny: hits.Read.Deny, DenyMatch: hits.Read.DenyMatch}}
	}
	for _, h := range strict {
		s.maybe(a, Deny, h.Deny, h.DenyMatch, path)
		s.maybe(a, Ask, h.Ask, h.AskMatch, path)
	}
}

func (s *shellCheck) maybe(a *fileAccess, b Behavior, r *rule.Rule, match rule.Match, path string) {
	switch {
	case r == nil:
	case match == rule.Yes:
		s.matched(b, Reason{Kind: ByRule, Rule: r, Part: s.part(a.Command), Path: path})
	default:
		s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(a.Command), Path: path, Detail: "the file is only known when it runs"})
	}
}

// redirectsAllowed: writing a file by redirection takes a command out of an allow
// rule of words; a bare `Bash` rule covers it inside the working directories; a
// rule that allows editing the file covers it too.
func (s *shellCheck) redirectsAllowed(i int, bare bool) (bool, Reason) {
	for _, r := range s.script.Commands[i].Redirects {
		switch r.Kind {
		case shell.RedirectNetwork:
			if !bare {
				return false, Reason{Kind: ByNoRule, Detail: "the redirection opens a network connection", Part: s.part(i)}
			}
		case shell.RedirectWrite:
			if path, ok := s.writeAllowed(i, r, bare); !ok {
				return false, Reason{Kind: ByNoRule, Detail: "the redirection writes a file that no rule allows to edit", Part: s.part(i), Path: path}
			}
		case shell.RedirectRead, shell.RedirectDescriptor, shell.RedirectText, shell.RedirectNull:
		}
	}
	return true, Reason{}
}

func (s *shellCheck) writeAllowed(i int, r shell.Redirect, bare bool) (string, bool) {
	for k := range s.accesses {
		if a := &s.accesses[k]; a.Command != i || !a.Redirect || a.Span != r.Target.Span || a.Mode == shell.Reads {
			continue
		}
		a := s.access(k)
		if len(a.unknown) > 0 {
			return "", false
		}
		for _, p := range a.paths {
			if bare && s.ctx.inside(p) || s.allowed(p, rule.EditRule) {
				continue
			}
			return p.Given, false
		}
		return "", true
	}
	return "", false
}

// allowed: a rule allows the file under both its names.
func (s *shellCheck) allowed(p Path, kind rule.Kind) bool {
	if p.Problem != "" {
		return false
	}
	given, real := false, p.Real == p.Given
	for _, source := range rule.Sources {
		set := s.ctx.sets[source]
		if set == nil {
			continue
		}
		tool := "Read"
		if kind == rule.EditRule {
			tool = "Edit"
		}
		if set.Tool(tool).Allow != nil {
			return true
		}
		given = given || set.Path(p.Given).Of(kind).Allow != nil
		real = real || set.Path(p.Real).Of(kind).Allow != nil
	}
	return given && real
}

// readsOutside finds a file that a read-only command reads outside the working
// directories without a Read rule that allows it. What cannot be known passes: it
// only reads, and no deny or ask rule may match it.
func (s *shellCheck) readsOutside(i int) (string, bool) {
	for k := range s.accesses {
		a := &s.accesses[k]
		if a.Command != i {
			continue
		}
		s.access(k)
		for _, p := range a.paths {
			if !s.ctx.inside(p) && !s.allowed(p, rule.ReadRule) {
				return p.Given, true
			}
		}
		for _, path := range a.unknown {
			if fixed := literalDir(path); fixed != "" && !s.ctx.insideDir(fixed) {
				return path, true
			}
		}
	}
	return "", false
}

// literalDir is the known directory part of a path with marks: /etc of /etc/*.
func literalDir(path string) string {
	end := strings.IndexFunc(path, func(r rune) bool { return r == utf8.RuneError }) // a mark is no UTF-8
	if end < 0 {
		return path
	}
	slash := strings.LastIndexByte(path[:end], '/')
	if slash <= 0 {
		if path[end] == shell.Glob {
			return "/"
		}
		return "" // nothing is known
	}
	return path[:slash]
}
