package shell

import (
	"slices"
	"strings"
)

// namesHere: the command prints the working directory or the top of the project.
func (s *inspection) namesHere(j int) bool {
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
func (s *inspection) listed(in Stdin) listing {
	if in.Kind != StdinPipe {
		return listsUnknown
	}
	result := listsUnknown
	for j := max(in.From, in.To-lookAround); j < in.To && j < len(s.Commands); j++ {
		switch s.Commands[j].Program() {
		case "find", "gfind", "ls", "fd", "fdfind", "git", "tree", "locate", "du":
			if s.listsEverything(j) {
				result = listsAll
			} else {
				result = max(result, listsSome)
			}
		case "echo", "printf":
			if !s.listsEverything(j) {
				return listsSome
			}
			result = listsAll
		default:
			if s.listsEverything(j) {
				result = listsAll
			} else if s.Commands[j].picks() {
				return listsSome
			}
		}
	}
	return result
}

// picks reports whether the command picks some lines of a list.
func (c *Command) picks() bool {
	program := c.Program()
	switch {
	case isAwk(program): // 1, NF and a column of each line leave all
		code := strings.ReplaceAll(awkCode(c).text, " ", "")
		code = strings.TrimPrefix(strings.TrimPrefix(code, "1"), "NF")
		return code != "" && code != "{print}" && (!strings.HasPrefix(code, "{print$") || strings.IndexByte(code, '}') != len(code)-1)
	case program == "sed" || program == "gsed":
		return c.sedPicks()
	case narrowing.has(program):
		return !slices.ContainsFunc(c.Args(), func(word Word) bool { return leavesAll(word.Text) })
	}
	return false
}

// leavesAll reports whether an argument of grep, head or tail says that all lines count.
func leavesAll(text string) bool {
	if isOption(text) {
		if text = strings.TrimLeft(text, "-nc"); text == "" {
			return false
		}
	}
	switch text {
	case "", ".", ".*", "^", "$", "^$", "^.", "+0", "+1", "0":
		return true
	}
	return len(text) > 4 && strings.Trim(text, "0123456789") == ""
}

// sedPicks reports whether sed leaves out lines: 1,5d, /x/!d, -n 2p.
func (c *Command) sedPicks() bool {
	quiet := false
	for _, word := range c.Args() {
		switch text := word.Text; {
		case isOption(text):
			quiet = quiet || text[1] != '-' && strings.IndexByte(text, 'n') > 0 || text == "--quiet" || text == "--silent"
		case quiet:
			return len(text) > 1 && text != "1,$p" && text != "/./p" && text != "//p"
		default:
			return len(text) > 1 && text != "/^$/d" && strings.IndexByte("0123456789/$", text[0]) >= 0 && (text[len(text)-1] == 'd' || text[len(text)-1] == 'q')
		}
	}
	return false
}

// narrowing are programs that pick some lines of a list.
var narrowing = wordSet{list: "grep egrep fgrep rg ag head tail fzf sk peco comm jq"}

// namesEverything reports whether a word of command i, at a place, is each name of a listing of
// everything: in a substitution, a variable, a loop or the input of xargs.
func (s *inspection) namesEverything(i int, span Span) bool {
	everything := false
	s.valuesOf(i, span, func(text string) bool {
		everything = everything || text == worstValue
		return everything
	}, func(j int) bool {
		everything = s.listsEverything(j) && !s.picked(j)
		return everything
	})
	return everything
}

// givenEverything reports whether xargs or parallel gives each name of a listing of everything to
// its command.
func (s *inspection) givenEverything(i int) bool {
	everything := s.listed(s.Commands[i].Stdin) == listsAll
	v := valueSearch{s: s, found: func(text string) bool {
		everything = everything || text == worstValue
		return everything
	}, lists: func(j int) bool {
		everything = everything || s.listsEverything(j) && !s.picked(j)
		return everything
	}}
	v.runner(i)
	return everything
}

// picked reports whether a program picks some of the lines that command j prints.
func (s *inspection) picked(j int) bool {
	for k := j + 1; k < min(len(s.Commands), j+lookAround); k++ {
		if !s.Commands[k].picks() {
			continue
		}
		for p := k; p > j; p = s.Commands[p].Parent {
			if in := s.Commands[p].Stdin; in.Kind == StdinPipe && in.From <= j && j < in.To {
				return true
			}
		}
	}
	return false
}

// listsEverything: a listing without anything that narrows it.
func (s *inspection) listsEverything(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "find", "gfind":
		e := readExpression(c.Words)
		return !e.narrowed && c.startsAtRuin()
	case "fd", "fdfind":
		return !fdNarrows(c)
	case "compgen": // -G takes a pattern
		all := len(c.Words) == 2 && c.hasWord("-f") || len(c.Words) == 3 && c.Words[1].Text == "-G" && strings.Trim(c.Words[2].Text, "*./") == ""
		return all && c.startsAll()
	case "ls", "dir", "vdir":
		named := false
		a := c.arguments(&plainGrammar)
		for a.next() {
			if named = named || a.operand; a.operand && !locate(pathOf(c.Words[a.valueAt], false), firstDir(c)).place.ruinous() {
				return false
			}
		}
		return named || c.startsAll()
	case "echo", "printf", "realpath", "readlink", "basename", "stat": // ~/*
		return slices.ContainsFunc(c.Args(), func(word Word) bool {
			return strings.IndexByte(word.Text, Glob) >= 0 && locate(pathOf(word, false), firstDir(c)).place.ruinous()
		})
	case "rg":
		return c.hasWord("--files") && !rgNarrows(c) || c.matchesAll()
	case "grep", "egrep", "fgrep", "ugrep":
		return c.matchesAll()
	case "pwd":
		return c.startsAll()
	case "tree", "du":
		return listsTree(c)
	case "git":
		return gitListsEverything(c)
	}
	return false
}

// matchesAll reports whether grep lists the names of all files here: each line has an empty text in it.
func (c *Command) matchesAll() bool {
	lists, empty, operands := false, false, 0
	for _, word := range c.Args() {
		switch text := word.Text; {
		case strings.HasPrefix(text, "--include"), strings.HasPrefix(text, "--exclude"), strings.HasPrefix(text, "--glob"), strings.HasPrefix(text, "--type"):
			return false
		case isOption(text):
			lists = lists || text == "--files-with-matches" || text[1] != '-' && strings.IndexByte(text, 'l') > 0
		case operands == 0:
			operands++
			empty = text == "" || text == "." || text == ".*" || text == "^" || text == "$"
		case !namesAll(c, word):
			return false
		default:
			operands++
		}
	}
	return lists && empty && (operands > 1 || c.startsAll())
}

// listsTree reports whether tree or du prints the names of all files here.
func listsTree(c *Command) bool {
	each, named := c.Program() == "tree", false
	for _, word := range c.Args() {
		switch text := word.Text; {
		case !isOption(text) && !namesAll(c, word):
			return false
		case !isOption(text):
			named = true
		case each && (strings.HasPrefix(text, "-P") || strings.HasPrefix(text, "-I") || strings.HasPrefix(text, "-d")):
			return false
		default:
			each = each || text == "--all" || text[1] != '-' && strings.IndexByte(text, 'a') > 0
		}
	}
	return each && (named || c.startsAll())
}

// rgNarrows reports whether rg --files lists only some files.
func rgNarrows(c *Command) bool {
	named := false
	for _, word := range c.Args() {
		switch text := word.Text; {
		case isOption(text):
			if !rgLeavesAll.has(text) {
				return true
			}
		case !namesAll(c, word):
			return true
		default:
			named = true
		}
	}
	return !named && !c.startsAll()
}

// rgLeavesAll are options of rg with which it lists no less.
var rgLeavesAll = wordSet{list: "--files -0 --null --hidden -. --no-ignore -u -uu -uuu -L --follow --no-messages --no-config"}

// gitListsEverything reports whether git lists all files that it keeps.
func gitListsEverything(c *Command) bool {
	sub, dir := gitVerbAt(c.Words)
	if sub == 0 {
		return false
	}
	named := dir != "" || c.startsAll()
	switch c.Words[sub].Text {
	case "ls-files":
		cached, others := false, false
		for _, word := range c.Words[sub+1:] {
			switch text := word.Text; text {
			case "-z", "-t", "-s", "--stage", "--full-name", "--recurse-submodules", "--deduplicate", "--exclude-standard", "--":
			case "-c", "--cached":
				cached = true
			case "-o", "--others":
				others = true
			case "-co", "-oc", "-cz", "-zc":
				cached = true
			default:
				if isOption(text) || !namesAll(c, word) {
					return false
				}
				named = true
			}
		}
		return named && (cached || !others)
	case "ls-tree":
		commit := false
		for _, word := range c.Words[sub+1:] {
			if isOption(word.Text) {
				continue
			}
			if commit && !namesAll(c, word) {
				return false
			}
			named = named || commit
			commit = true
		}
		return named && commit
	}
	return false
}

// namesAll reports whether an operand is all that lies where the command runs, or more.
func namesAll(c *Command, word Word) bool {
	path := pathOf(word, false)
	return path == ":/" || locate(path, firstDir(c)).place.ruinous() || strings.NewReplacer("*", "", globMark, "").Replace(path) == ""
}

// startsAll reports whether the command may run in a directory of which everything counts: not
// only in one inside the project.
func (c *Command) startsAll() bool {
	return slices.ContainsFunc(dirsOf(c), func(dir string) bool {
		place := locate(dir, "").place
		return place.ruinous() || place == nowhere
	})
}

func firstDir(c *Command) string {
	if len(c.Dirs) == 0 {
		return ""
	}
	return c.Dirs[0]
}

// loopsOverEverything: command i stands in a loop over $(ls) or the like.
func (s *inspection) loopsOverEverything(i int) bool {
	if !slices.Contains(s.Commands[i].Via, "for") {
		return false
	}
	for j := max(0, i-lookAround); j < i; j++ {
		via := s.Commands[j].Via
		if slices.Contains(via, "for") && slices.Contains(via, "$(…)") && s.listsEverything(j) {
			return true
		}
	}
	return false
}

// deletesOperands reports whether the command deletes the files that it is given.
func (c *Command) deletesOperands() bool {
	switch c.Program() {
	case "rm", "unlink", "shred", "srm", "grm":
		return true
	case "gio":
		return c.throwsAway()
	}
	return listed(treeRemovers, c.Program()) || c.removesTracked() > 0
}

// removesTracked is the word rm of git rm, 0 if it is something else or deletes no file.
func (c *Command) removesTracked() int {
	if c.Program() != "git" {
		return 0
	}
	sub, _ := gitVerbAt(c.Words)
	if sub == 0 || c.Words[sub].Text != "rm" || c.hasWord("--cached") || c.hasWord("-n") || c.hasWord("--dry-run") {
		return 0
	}
	return sub
}

// removesListed judges git rm of what a listing names.
func removesListed(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	sub := c.removesTracked()
	if sub == 0 {
		return nil
	}
	r := removal{s: s, i: i}
	for at := sub + 1; at < len(c.Words); at++ {
		if s.onlyNamed(i, pathOf(c.Words[at], c.Link == Guess)) {
			r.worst = worse(r.worst, r.unknown(at))
		}
	}
	return r.worst
}

// onlyNamed reports whether a path of command i is a name that is not known, here: "$f", "./$f".
func (s *inspection) onlyNamed(i int, path string) bool {
	name := strings.TrimPrefix(path, "./")
	return name == unknownMark || name == standIn && s.pieced(i)
}

// startsUnnamed reports whether the first name in a path of command i is not known: "$d", "$d/x".
func (s *inspection) startsUnnamed(i int, path string) bool {
	return startsUnknown(path) || (path == standIn || strings.HasPrefix(path, standIn+"/")) && s.pieced(i)
}

// pieced reports whether command i stands in code that is only known in pieces: xargs -I{} sh -c 'rm {}'.
func (s *inspection) pieced(i int) bool {
	c := &s.Commands[i]
	for p := c.Parent; p >= 0; p = s.Commands[p].Parent {
		words := s.Commands[p].Words
		for _, word := range words[:min(len(words), lookAround)] {
			if word.Span == c.Span && strings.IndexByte(word.Text, Unknown) >= 0 {
				return true
			}
		}
	}
	return false
}

// inside yields the commands near i that stand inside a span: the substitutions
// of a word. Code in a string has the span of its word, so there everything before
// counts.
func (s *inspection) inside(span Span, i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := max(0, i-lookAround); j < min(len(s.Commands), i+lookAround); j++ {
			if j != i && s.within(j, span) && s.Commands[j].Parent != i && !yield(j) {
				return
			}
		}
	}
}

func (s *inspection) within(j int, span Span) bool {
	at := s.Commands[j].Span
	return at.Start >= span.Start && at.End <= span.End
}

// parallels judges parallel, which gives each line it reads to its command.
func parallels(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		words := c.Words[at:]
		if fields := strings.Fields(words[0].Text); len(fields) > 1 {
			words = make([]Word, len(fields))
			for k, field := range fields {
				words[k].Text = field
			}
		}
		if inner := (&Command{Words: words}); inner.deletesOperands() || inner.empties() {
			if s.givenEverything(i) {
				return onFloor(s.at(kindRemove, i, at, "deletes everything that is listed, unfiltered"))
			}
			break
		}
	}
	if c.Opaque == OpaqueShell { // the lines are the commands
		return s.fedBy(i)
	}
	return nil
}
