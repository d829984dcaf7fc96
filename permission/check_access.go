package permission

import (
	"iter"
	"slices"
	"sort"
	"strings"

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
	// adrift: it may also be a file that was not found out, because there was too
	// much to look at.
	adrift bool
}

func (s *shellCheck) resolveAccesses() []fileAccess {
	found, longer := s.script.FirstAccesses()
	if s.ctx.files || s.ctx.config.BlockReads { // which may be about a file that is only possibly one
		found, longer = s.script.Accesses(), false
	}
	s.hiding = longer
	if len(found) == 0 {
		return nil
	}
	out := s.fewAccesses[:min(len(found), len(s.fewAccesses))]
	if len(found) > len(out) {
		out = make([]fileAccess, len(found))
	}
	for i := range found {
		out[i].Access = found[i]
		out[i].Loose, out[i].Listed = false, 0 // what leaves asks about
	}
	return out
}

// dropSeen drops the files that are Hidden only at first sight. That takes a second reading
// of the script, so it is done when somebody asks where files lie that are read.
func (s *shellCheck) dropSeen() {
	if s.hiding {
		s.hiding = false
		s.accesses = slices.DeleteFunc(s.accesses, func(a fileAccess) bool { return s.script.Seen(a.Access) })
	}
}

// accessesOf are the indexes of the accesses of command i. All are in the order of commands.
func (s *shellCheck) accessesOf(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		k := sort.Search(len(s.accesses), func(k int) bool { return s.accesses[k].Command >= i })
		for ; k < len(s.accesses) && s.accesses[k].Command == i && yield(k); k++ {
		}
	}
}

// access is an access with its names resolved, which is done when somebody looks.
func (s *shellCheck) access(k int) *fileAccess {
	a := &s.accesses[k]
	if a.resolved {
		return a
	}
	a.resolved = true
	if a.Tree != "" {
		s.inTree(a)
	} else if a.Pathspec == shell.WholePathspec {
		s.repository(a)
	} else if path, ok := s.script.Path(a.Access); ok {
		s.resolve(a, path)
	} else {
		for _, path := range s.script.Paths(a.Access) {
			s.resolve(a, path)
		}
	}
	if a.Follows {
		s.tree(a)
	}
	return a
}

// resolve notes one name of the file, and where it leads.
func (s *shellCheck) resolve(a *fileAccess, path string) {
	if hasMarks(path) {
		s.resolveMarked(a, path)
		return
	}
	if path == "~-" || strings.HasPrefix(path, "~-/") { // where the script was before
		a.note(string([]byte{shell.Unknown}))
		return
	}
	s.resolveKnown(a, path)
	if len(s.made) > 0 && !hasControl(path) && path != "" {
		s.places(a, path)
	}
}

func (s *shellCheck) resolveKnown(a *fileAccess, path string) {
	p := s.located(path)
	switch {
	case path[0] == '~' && len(path) > 1 && path[1] != '/':
		p.Problem = "the home of another user"
	case len(s.script.Commands[a.Command].Dirs) > 0 && strings.Contains(path, "/proc/"):
		p.Problem = "a link that depends on where the command runs"
	}
	if a.paths == nil {
		if s.room == nil {
			s.room = s.fewPaths[:0]
		}
		if n := len(s.room); n < cap(s.room) {
			s.room = append(s.room, p)
			a.paths = s.room[n : n+1 : n+1]
			return
		}
	}
	a.paths = append(a.paths, p)
}

// resolveMarked notes a name with unknown parts, and what lies behind the links that
// it may go through.
func (s *shellCheck) resolveMarked(a *fileAccess, path string) {
	if path[0] == shell.Unknown {
		a.note(path) // it may be anywhere
		return
	}
	if tooLong(path) {
		a.note(anywhere[0])
		return
	}
	if path[0] == '~' && (len(path) == 1 || path[1] != '/') {
		a.note(string([]byte{shell.Unknown}))
		return
	}
	if at := strings.IndexByte(path, shell.Unknown); at >= 0 && strings.Contains(path[at:], "/..") {
		a.note(string([]byte{shell.Unknown})) // how far up that leads nobody knows
		return
	}
	name := absolute(climbing(path), s.cwd, s.ctx.config.Home)
	a.note(name)
	if !hasMarks(name) { // */../x, which may be a link
		s.resolveKnown(a, name)
	}
	if _, none := s.links.(NoLinks); none && len(s.made) == 0 && !strings.Contains(name, "/proc/") && !strings.Contains(name, "/dev/fd/") {
		return
	}
	s.places(a, path)
}

// climbing is a path in which ".." behind a pattern that finds ".." itself in some shells is
// such a pattern too: in .*/../x it does not take a name off the path, but leads further up.
func climbing(path string) string {
	if !strings.Contains(path, "/..") {
		return path
	}
	parts, pattern := strings.Split(path, "/"), ""
	for i, part := range parts {
		switch {
		case pattern == "" && findsParent(part):
			pattern = part
		case pattern != "" && part == "..":
			parts[i] = pattern
		}
	}
	return strings.Join(parts, "/")
}

// knownPart is how much of a path stands before its first mark.
func knownPart(path string) int {
	for i := range len(path) {
		if path[i] == shell.Unknown || path[i] == shell.Glob {
			return i
		}
	}
	return len(path)
}

// pathRules applies Read and Edit rules to the files a command names: a Read deny
// stops readers and writers, an Edit deny stops writers.
func (s *shellCheck) pathRules() {
	if !s.ctx.files {
		return
	}
	s.toldElsewhere()
	anything, code := s.script.RunsAnything(), s.script.HasCode()
	if anything < 0 && !code && len(s.accesses) == 0 {
		return // before the links are followed in the paths of all rules
	}
	sets := s.engine.pathSets(s.ctx)
	if code {
		s.codeMayEdit(sets)
	}
	if anything >= 0 {
		s.anyFile(sets, anything, "what it runs is only known when it runs")
	}
	var whole rule.PathHits // rules for every file
	for _, set := range sets {
		whole.Read, whole.Edit = merge(whole.Read, set.Tool("Read")), merge(whole.Edit, set.Tool("Edit"))
	}
	for i := range s.accesses {
		a := &s.accesses[i]
		if !s.spent() {
			if a = s.accessInRules(i); a == nil {
				continue
			}
			s.fileRules(a, sets)
			s.exhausted(sets, a.Command)
		}
		s.toolHits(a, whole)
		if s.f.rules == Deny {
			return
		}
	}
}

// accessInRules is an access with the names that rules are asked about, nil if there is none.
func (s *shellCheck) accessInRules(i int) *fileAccess {
	a := s.access(i)
	if named := s.settled(a); named != nil {
		a = named
	}
	if a.Pathspec != shell.NoPathspec && s.findsNothing(a) {
		return nil
	}
	return a
}

// fileRules applies the rules on files to the names of one access.
func (s *shellCheck) fileRules(a *fileAccess, sets []*rule.Set) {
	for _, set := range sets {
		for _, p := range a.paths {
			s.nameRules(a, set, p)
		}
		for _, path := range a.unknown {
			if s.hardlyAFile(a, path) {
				continue
			}
			s.maybeHits(a, s.hits(set, path, maybe), path)
			s.movedHits(a, set, path)
			if a.Reach == shell.VisibleTree || a.Reach == shell.WholeTree {
				s.maybeHits(a, s.reached(set, a, path), path)
			}
		}
		if a.adrift {
			s.maybeHits(a, s.hits(set, anywhere[0], maybe), a.Path)
		}
	}
}

// nameRules applies the rules of a set to one name that is known.
func (s *shellCheck) nameRules(a *fileAccess, set *rule.Set, p Path) {
	s.pathHits(a, s.hits(set, p.Given, exactly), p.Given)
	s.mayEditBelow(a, set, p.Given)
	led := p.Real != p.Given && p.Real != ""
	if led {
		s.pathHits(a, s.hits(set, p.Real, exactly), p.Given)
	}
	if a.Reach != shell.OnlyPath && !s.singleFile(a, p) {
		s.maybeHits(a, s.reached(set, a, p.Given), p.Given)
		if led {
			s.maybeHits(a, s.reached(set, a, p.Real), p.Given)
		}
	}
	if p.Problem != "" && !(a.Possible && isProse(a.Path)) { // it may be any file
		s.maybeHits(a, s.hits(set, anywhere[0], maybe), p.Given)
	}
}

// isProse: lines of text, or more than a path can hold, which a program gets for another reason:
// the description of a change.
func isProse(word string) bool { return strings.Contains(word, "\n") || tooLong(word) }

// hardlyAFile: a word of which nothing is known, given to a program that is not known
// to read it as a file: a name space, a branch, an operand of test. Nor is an unknown
// directory a file of which only the names in it are shown.
func (s *shellCheck) hardlyAFile(a *fileAccess, path string) bool {
	if a.Names {
		return true
	}
	if path[0] != shell.Unknown || a.Redirect || a.AnyFile || a.Tree != "" {
		return false
	}
	switch s.script.Commands[a.Command].Program() {
	case "git", "test", "[", "cd", "pushd":
		return true
	}
	return a.Possible
}

// toolHits are the rules for reading or editing any file at all. A word that only
// may be a file is left alone: no command has none of those.
func (s *shellCheck) toolHits(a *fileAccess, whole rule.PathHits) {
	if !a.Possible {
		s.pathHits(a, whole, "")
	}
}

// reached is what the rules say about the tree that a command works on.
func (s *shellCheck) reached(set *rule.Set, a *fileAccess, dir string) rule.PathHits {
	if a.Reach == shell.VisibleTree {
		if s.picker != a.Command+1 {
			s.picker, s.picks = a.Command+1, s.script.Picks(a.Command)
		}
		s.compared += set.Effort(dir, true)
		return set.BelowPicked(dir, s.picks)
	}
	return s.hits(set, dir, below)
}

func (s *shellCheck) pathHits(a *fileAccess, hits rule.PathHits, path string) {
	deny, ask := hits.Read.Deny, hits.Read.Ask
	s.mayEdit(a, hits.Edit, rule.Yes, path)
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
	if a.Mode == shell.Reads {
		s.maybe(a, Deny, hits.Read.Deny, hits.Read.DenyMatch, path)
		s.maybe(a, Ask, hits.Read.Ask, hits.Read.AskMatch, path)
		s.mayEdit(a, hits.Edit, hits.Edit.DenyMatch, path)
		return
	}
	s.maybe(a, Deny, hits.Edit.Deny, hits.Edit.DenyMatch, path)
	s.maybe(a, Ask, hits.Edit.Ask, hits.Edit.AskMatch, path)
	if hits.Read.DenyMatch == rule.Yes { // what is written need not be what may not be read
		s.maybe(a, Deny, hits.Read.Deny, hits.Read.DenyMatch, path)
	}
}

func (s *shellCheck) maybe(a *fileAccess, b Behavior, r *rule.Rule, match rule.Match, path string) {
	switch {
	case r == nil:
	case match == rule.Yes:
		s.matched(b, Reason{Kind: ByRule, Rule: r, Part: s.part(a.Command), Path: path})
	case a.Reach == shell.MaybeInside || s.f.rules == Ask: // which has its reason
	default:
		s.matched(Ask, Reason{Kind: ByMaybeRule, Rule: r, Part: s.part(a.Command), Path: path, Detail: s.unknownFile(a, path)})
	}
}

// redirectsAllowed: writing a file by redirection takes a command out of an allow
// rule of words; a bare `Bash` rule covers it inside the working directories; a
// rule that allows editing the file covers it too.
func (s *shellCheck) redirectsAllowed(i int, bare bool) (bool, Reason) {
	writes := 0
	for _, r := range s.script.Commands[i].Redirects {
		switch r.Kind {
		case shell.RedirectNetwork:
			if !bare {
				return false, Reason{Kind: ByNoRule, Detail: "the redirection opens a network connection", Part: s.part(i)}
			}
		case shell.RedirectWrite:
			writes++
		case shell.RedirectRead, shell.RedirectDescriptor, shell.RedirectText, shell.RedirectNull:
		}
	}
	if writes == 0 {
		return true, Reason{}
	}
	for k := range s.accessesOf(i) {
		if a := &s.accesses[k]; !a.Redirect || a.Mode == shell.Reads {
			continue
		}
		writes--
		if path, ok := s.writeAllowed(s.access(k), bare); !ok {
			return false, s.unallowedWrite(i, path)
		}
	}
	if writes > 0 { // one of them names no file that is known
		return false, s.unallowedWrite(i, "")
	}
	return true, Reason{}
}

func (s *shellCheck) unallowedWrite(i int, path string) Reason {
	return Reason{Kind: ByNoRule, Detail: "the redirection writes a file that no rule allows to edit", Part: s.part(i), Path: path}
}

func (s *shellCheck) writeAllowed(a *fileAccess, bare bool) (string, bool) {
	if len(a.unknown) > 0 || a.adrift {
		return "", false
	}
	for _, p := range a.paths {
		if !(bare && s.ctx.inside(p)) && !s.allowed(p, rule.EditRule) {
			return p.Given, false
		}
	}
	return "", true
}

// allowed: a rule allows the file under both its names.
func (s *shellCheck) allowed(p Path, kind rule.Kind) bool {
	if p.Problem != "" || s.spent() {
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
		given = given || s.hits(set, p.Given, exactly).Of(kind).Allow != nil
		real = real || s.hits(set, p.Real, exactly).Of(kind).Allow != nil
	}
	return given && real
}

// literalDir is the known directory part of a path with marks: /etc of /etc/*. It is
// "" when nothing is known.
func literalDir(path string) string {
	known := knownPart(path)
	if path == "" || path[0] != '/' || known == len(path) {
		return path[:min(known, len(path))]
	}
	return path[:max(strings.LastIndexByte(path[:known], '/'), 1)]
}
