package shell

import "strings"

// removes judges rm and its kind: what is deleted, seen from every directory the
// command may run in.
func removes(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || c.Program() == "gio" && !c.throwsAway() {
		return nil
	}
	r := removal{s: s, i: i, whole: c.removesTrees()}
	a := c.arguments(&plainGrammar)
	for a.next() {
		if a.operand {
			r.operand(a.valueAt)
		}
	}
	return r.worst
}

// removal collects what one command deletes.
type removal struct {
	s     *inspection
	i     int
	whole bool // directories with all they hold
	worst *Finding
}

// treeRemovers delete directories with all they hold without being told so, or put them where
// deleted files go.
const treeRemovers = "rimraf trash trash-put gvfs-trash rmtrash del-cli"

// throwsAway reports whether gio deletes files.
func (c *Command) throwsAway() bool {
	return len(c.Words) > 2 && (c.Words[1].Text == "trash" || c.Words[1].Text == "remove")
}

// removesTrees: with -r, or by nature; an argument that is not known may be -r.
func (c *Command) removesTrees() bool {
	if program := c.Program(); program == "gio" || listed(treeRemovers, program) {
		return true
	}
	a := c.arguments(&plainGrammar)
	for a.next() {
		if a.is('r', "recursive") || a.is('R', "") {
			return true
		}
		if a.operand && a.at == 1 && a.words[1].Split && a.words[1].Text == unknownMark && len(a.words) > 2 {
			return true // rm $OPTIONS x
		}
	}
	return false
}

func (r *removal) operand(at int) {
	c := &r.s.Commands[r.i]
	path := pathOf(c.Words[at], c.Link == Guess)
	switch c.Program() {
	case "rimraf", "del-cli":
		path = asPattern(path) // they look for it themselves
	}
	for _, dir := range dirsOf(c) {
		r.path(path, dir, at)
		if rooted(path) {
			return
		}
	}
}

func (r *removal) path(path, dir string, at int) {
	if r.worst != nil && r.worst.Floor {
		return // it does not get worse
	}
	if path != "" && path[0] == Unknown {
		r.values(path[1:], dir, at)
	}
	loc := locate(path, dir)
	if loc.place == nowhere || r.s.onlyNamed(r.i, path) {
		if r.worst = worse(r.worst, r.unknown(at)); loc.place == nowhere {
			return
		}
	}
	if strings.IndexByte(path, Unknown) >= 0 && r.s.filled(r.i, at) {
		loc = locate(strings.ReplaceAll(path, unknownMark, standIn), dir)
	}
	r.judge(loc, path, at)
}

func (r *removal) judge(loc location, path string, at int) {
	text, floor := r.verdict(loc, path, at)
	if text == "" {
		return
	}
	f := r.s.at(kindRemove, r.i, at, text+": "+shown(path))
	f.Floor = floor
	r.worst = worse(r.worst, f)
}

// verdict says what deleting a path means; "" when it is ordinary work.
func (r *removal) verdict(loc location, path string, at int) (text string, floor bool) {
	tree := r.whole || loc.contents
	led := path[0] == Unknown // an empty variable in front makes it absolute
	if led && r.s.foldsFirst(r.i, at) {
		return "", false
	}
	switch loc.place {
	case tooLong, here, parent, systemTop, home, root:
		if led {
			return "with an empty variable this deletes " + loc.place.String(), true
		}
		return "deletes " + loc.place.String(), true
	case systemPath:
		return "deletes " + loc.place.String(), false
	case belowHome, elsewhere, topLevel, beside:
		switch {
		case !led && !tree && secret(path):
			return "deletes a key or password", false
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
	span := c.Words[at].Span
	for j := range s.inside(span, r.i) {
		if s.namesHere(j) {
			return onFloor(s.at(kindRemove, r.i, at, "deletes everything in the working directory"))
		}
	}
	if s.namesEverything(r.i, span) || s.loopsOverEverything(r.i) {
		return onFloor(s.at(kindRemove, r.i, at, "deletes everything that is listed, unfiltered"))
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
