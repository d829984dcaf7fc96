package shell

import "strings"

// Pathspec says how git finds the files of an access. What git matches with a pattern
// crosses "/", and finds names that start with a dot: a pattern of the shell does
// neither.
type Pathspec uint8

// The pathspecs.
const (
	// NoPathspec: the path means itself.
	NoPathspec Pathspec = iota
	// LiteralPathspec: the path, and everything below it if it is a directory.
	LiteralPathspec
	// MaybePathspec is LiteralPathspec for a word that may be a branch or a commit. git
	// takes it for a path only if there is one.
	MaybePathspec
	// PatternPathspec: some of what is below the path.
	PatternPathspec
	// WholePathspec: any file of the repository that the path belongs to, above it too.
	WholePathspec
)

// gitChanged adds a pathspec of a subcommand that changes files.
func (l *accessList) gitChanged(mode AccessMode, sub, at int, dir string, ended bool) {
	kind, reach := LiteralPathspec, WholeTree
	switch l.c.Words[sub].Text {
	case "checkout":
		if !ended && l.firstOperand(sub, at) {
			kind = MaybePathspec
		}
	case "rm":
		if !(&Command{Words: l.c.Words[sub:]}).has(&gitPathspecs, 'r', "") {
			reach = OnlyPath
		}
	}
	l.gitSpec(mode, sub, at, dir, kind, reach)
}

// firstOperand: no operand stands between the subcommand and the word.
func (l *accessList) firstOperand(sub, at int) bool {
	for _, word := range l.c.Words[sub+1 : at] {
		if !isOption(word.Text) {
			return false
		}
	}
	return true
}

// gitSpec adds what the pathspec in a word means.
func (l *accessList) gitSpec(mode AccessMode, sub, at int, dir string, kind Pathspec, reach Reach) {
	word := l.c.Words[at]
	switch {
	case strings.HasPrefix(word.Text, ":") || foldsPathspecs(l.c.Words[:sub]):
		l.gitRepository(mode, at, dir)
		return
	case strings.IndexByte(word.Text, Unknown) >= 0:
		l.gitPath(mode, at, dir, word.Text)
		return
	}
	end := strings.IndexAny(word.Text, `*?[\`)
	if glob := strings.IndexByte(word.Text, Glob); glob >= 0 {
		l.gitPath(mode, at, dir, word.Text) // what the shell finds; if that is nothing, git gets the pattern
		if end < 0 || glob < end {
			end = glob
		}
	}
	if end >= 0 {
		below := "."
		if slash := strings.LastIndexByte(word.Text[:end], '/'); slash >= 0 {
			below = word.Text[:max(slash, 1)]
		}
		l.gitTree(mode, at, behind(dir, below), PatternPathspec, WholeTree)
		return
	}
	l.gitTree(mode, at, behind(dir, l.path(word)), kind, reach)
}

// gitRepository adds all files of the repository.
func (l *accessList) gitRepository(mode AccessMode, at int, dir string) {
	if dir == "" {
		dir = "."
	}
	l.gitTree(mode, at, dir, WholePathspec, WholeTree)
}

func (l *accessList) gitTree(mode AccessMode, at int, path string, kind Pathspec, reach Reach) {
	word := &l.c.Words[at]
	before := l.reach
	l.reach = reach
	l.put(&Access{Path: path, Mode: mode, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split, Pathspec: kind})
	l.reach = before
}

// foldsPathspecs: an option of git itself makes pathspecs match in any letter case.
func foldsPathspecs(words []Word) bool {
	for _, word := range words[min(1, len(words)):] {
		if strings.HasPrefix(word.Text, "--icase-p") {
			return true
		}
	}
	return false
}

// gitStash lists the files that git stash puts back to what is committed, as far as it
// names them. Without names, and when it brings changes back, it is about whatever was
// changed, as a pull is.
func (l *accessList) gitStash(sub int, dir string) {
	inner := Command{Words: l.c.Words[sub:]}
	verb := ""
	a := inner.arguments(&gitStashes)
	for a.next() {
		switch at := a.valueAt + sub; {
		case a.operand && verb == "" && !a.ended:
			if verb = a.value; verb != "push" {
				return
			}
		case a.operand:
			l.gitSpec(Writes, sub, at, dir, LiteralPathspec, WholeTree)
		case a.is(0, "pathspec-from-file") && a.valueAt > 0:
			l.gitRepository(Writes, at, dir)
			l.gitPath(Reads, at, dir, a.value)
		}
	}
}

var gitStashes = grammar{values: "m message", reads: "pathspec-from-file"}

// gitMove is git mv, which takes names and no patterns: the last is where the others go.
func (l *accessList) gitMove(sub int, dir string) {
	last, count := 0, 0
	inner := Command{Words: l.c.Words[sub:]}
	a := inner.arguments(&plainGrammar)
	for a.next() {
		if a.operand {
			last = a.valueAt + sub
			count++
		}
	}
	if count == 0 {
		return
	}
	target := behind(dir, l.path(l.c.Words[last]))
	a = inner.arguments(&plainGrammar)
	for a.next() {
		switch at := a.valueAt + sub; {
		case !a.operand:
		case at == last:
			l.gitTree(Writes, at, target, NoPathspec, MaybeInside)
		default:
			l.gitTree(Deletes, at, behind(dir, l.path(l.c.Words[at])), LiteralPathspec, WholeTree)
			if count > 2 || isDirectory(target) || becomesProtected(a.value, target) && mayBeDirectory(target) {
				l.landing(target, at)
			}
		}
	}
}

// Moves reports whether a command gives files other names: mv and git mv.
func (s *Script) Moves(i int) bool {
	c := &s.Commands[i]
	switch c.Program() {
	case "mv", "gmv":
		return true
	case "git":
		sub, _ := gitVerbAt(c.Words)
		return sub > 0 && c.Words[sub].Text == "mv"
	}
	return false
}
