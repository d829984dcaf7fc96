package shell

import "strings"

// removes judges rm and its kind: what is deleted, seen from every directory the
// command may run in.
func removes(s *Script, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() {
		return nil
	}
	r := removal{s: s, i: i, whole: c.removesTrees()}
	for a := c.arguments(&plainGrammar); a.next(); {
		if a.operand {
			r.operand(a.valueAt)
		}
	}
	return r.worst
}

// removal collects what one command deletes.
type removal struct {
	s     *Script
	i     int
	whole bool // directories with all they hold
	worst *Finding
}

// removesTrees: with -r, or by nature; an argument that is not known may be -r.
func (c *Command) removesTrees() bool {
	switch c.Program() {
	case "rimraf", "trash":
		return true
	}
	for a := c.arguments(&plainGrammar); a.next(); {
		if a.is('r', "recursive") || a.is('R', "") {
			return true
		}
		if a.operand && a.at == 1 && a.words[1].Split && a.words[1].Text == string([]byte{Unknown}) && len(a.words) > 2 {
			return true // rm $OPTIONS x
		}
	}
	return false
}

func (r *removal) operand(at int) {
	c := &r.s.Commands[r.i]
	path := pathOf(c.Words[at], c.Link == Guess)
	if len(c.Dirs) == 0 || rooted(path) {
		r.path(path, "", at)
		return
	}
	for _, dir := range c.Dirs {
		r.path(path, dir, at)
	}
}

func (r *removal) path(path, dir string, at int) {
	loc := locate(path, dir)
	if loc.place == nowhere {
		r.worst = worse(r.worst, r.unknown(at))
		return
	}
	text, floor := r.verdict(loc, path)
	if text == "" {
		return
	}
	f := r.s.at(kindRemove, r.i, at, text+": "+shown(path))
	f.Floor = floor
	r.worst = worse(r.worst, f)
}

// verdict says what deleting a path means; "" when it is ordinary work.
func (r *removal) verdict(loc location, path string) (text string, floor bool) {
	tree := r.whole || loc.contents
	led := path[0] == Unknown // an empty variable in front makes it absolute
	switch loc.place {
	case here, parent, systemTop, home, root:
		if led {
			return "with an empty variable this deletes " + loc.place.String(), true
		}
		return "deletes " + loc.place.String(), true
	case systemPath:
		return "deletes " + loc.place.String(), false
	case belowHome, elsewhere, topLevel, beside:
		switch {
		case led || !tree:
		case loc.ours:
			return "deletes everything in the working directory", true
		default:
			return "deletes " + loc.place.String(), false
		}
	case nowhere, inProject, temporary, cache:
	}
	if holdsData(path) {
		return "deletes a database", false
	}
	return "", false
}

// unknown judges an operand that is a variable or substitution as a whole, by
// where its value comes from.
func (r *removal) unknown(at int) *Finding {
	s, c := r.s, &r.s.Commands[r.i]
	for j := range s.inside(c.Words[at].Span, r.i) {
		if s.namesHere(j) || s.listsEverything(j) {
			return onFloor(s.at(kindRemove, r.i, at, "deletes everything in the working directory"))
		}
	}
	if !r.fed(c) {
		return nil
	}
	switch s.listed(c.Stdin) {
	case listsAll:
		return onFloor(s.at(kindRemove, r.i, at, "deletes everything that is listed, unfiltered"))
	case listsUnknown:
		if r.whole && c.Parent >= 0 {
			return s.at(kindRemove, r.i, at, "deletes directories from a list that is not known")
		}
	case listsSome:
	}
	return nil
}

// fed: what is deleted comes from standard input, through xargs or a loop.
func (r *removal) fed(c *Command) bool {
	if c.Stdin.Kind == StdinPipe {
		return true
	}
	if c.Parent < 0 {
		return false
	}
	switch r.s.Commands[c.Parent].Program() {
	case "xargs", "gxargs", "parallel":
		return true
	}
	return false
}

// namesHere: the command prints the working directory or the top of the project.
func (s *Script) namesHere(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "pwd":
		return true
	case "git":
		return c.hasWord("--show-toplevel")
	}
	return false
}

// listing says how much of the files a list names.
type listing uint8

const (
	listsUnknown listing = iota
	listsSome
	listsAll
)

// listed judges what comes through a pipe as a list of files.
func (s *Script) listed(in Stdin) listing {
	if in.Kind != StdinPipe {
		return listsUnknown
	}
	result := listsUnknown
	for j := in.From; j < in.To && j < len(s.Commands); j++ {
		switch s.Commands[j].Program() {
		case "find", "gfind", "ls", "fd", "fdfind", "git", "tree", "locate", "du":
			if s.listsEverything(j) {
				result = listsAll
			} else {
				result = max(result, listsSome)
			}
		case "grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "head", "tail", "fzf", "sk", "peco", "comm", "jq", "cut", "echo", "printf":
			return listsSome
		}
	}
	return result
}

// listsEverything: a listing without anything that narrows it.
func (s *Script) listsEverything(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind":
		e := readExpression(c.Words)
		return !e.narrowed && c.startsAtRuin()
	case "fd", "fdfind":
		return !fdNarrows(c)
	case "ls":
		for a := c.arguments(&plainGrammar); a.next(); {
			if a.operand && !locate(pathOf(c.Words[a.valueAt], false), firstDir(c)).place.ruinous() {
				return false
			}
		}
		return true
	case "git":
		return len(c.Words) == 2 && c.Words[1].Text == "ls-files"
	}
	return false
}

func firstDir(c *Command) string {
	if len(c.Dirs) == 0 {
		return ""
	}
	return c.Dirs[0]
}

// inside yields the commands before i that stand inside a span: the substitutions
// of a word. Code in a string has the span of its word, so there everything before
// counts.
func (s *Script) inside(span Span, i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := range s.Commands {
			at := s.Commands[j].Span
			if j != i && at.Start >= span.Start && at.End <= span.End && s.Commands[j].Parent != i && !yield(j) {
				return
			}
		}
	}
}

// holdsData: the name is that of a database which is not one for tests.
func holdsData(path string) bool {
	name := strings.ToLower(baseName(path))
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch name[dot:] {
	case ".db", ".sqlite", ".sqlite3", ".db3", ".mdb", ".rdb", ".ibd", ".mdf", ".ldf", ".frm":
	default:
		return false
	}
	for _, word := range [...]string{"test", "tmp", "temp", "cache", "dummy", "example", "thumbs"} {
		if strings.Contains(name, word) {
			return false
		}
	}
	return true
}
