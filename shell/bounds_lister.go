package shell

import "strings"

// listsNames says below which directories the names lie that a command prints, if that is
// all it prints.
func listsNames(words []Word) (roots []string, ok bool) {
	switch words[0].Text {
	case "find", "gfind":
		return listedByFind(words[1:])
	case "ls":
		return lsLister.lists(words)
	case "fd", "fdfind":
		return fdLister.lists(words)
	case "grep", "egrep", "fgrep":
		return grepLister.lists(words)
	case "rg":
		return rgLister.lists(words)
	case "git":
		return listedByGit(words[1:])
	}
	return nil, false
}

// printsNul: one of these commands ends the names that it lists with a NUL, which $(…) and read
// leave out: "." and "./key" are "../key" then. Only xargs -0 takes them apart.
func (w *walker) printsNul(from, to int) bool {
	for i := from; i < min(to, len(w.s.Commands)); i++ {
		if endsInNul(w.s.Commands[i].Words) {
			return true
		}
	}
	return false
}

func endsInNul(words []Word) bool {
	if len(words) == 0 {
		return false
	}
	for _, word := range words[1:] {
		text := word.Text
		switch {
		case len(text) < 2 || text[0] != '-':
		case text == "-print0", len(text) > 2 && strings.HasPrefix("--print0", text):
			return true
		case text[1] != '-' && words[0].Text != "find" && words[0].Text != "gfind" && strings.ContainsAny(text, "0z"):
			return true
		}
	}
	return false
}

// namePrinter is what is known of a program that prints names: the options with which it does
// nothing else, and those of them that take a value.
type namePrinter struct {
	letters, long string
	grammar       grammar
	// only: it prints names only with one of these options; with one of every it takes no
	// pattern.
	only, every string
	// pattern: the first operand is one; optional: it may be missing.
	pattern, optional bool
	// here: what it prints of a directory lacks its name, and is seen from here.
	here bool
}

var (
	lsLister   = namePrinter{letters: "1rStcuUXRp", here: true}
	gitLister  = namePrinter{letters: "zcmod", long: "cached modified others deleted exclude-standard recurse-submodules", here: true}
	grepLister = namePrinter{
		letters: "rRlLinwEFsIHP", long: "include exclude exclude-dir files-with-matches files-without-match recursive ignore-case",
		grammar: grammar{values: "include exclude exclude-dir"}, only: "l L files-with-matches files-without-match", pattern: true,
	}
	rgLister = namePrinter{
		letters: "lignwFusSt", long: "files files-with-matches files-without-match hidden no-ignore glob iglob type sort ignore-case",
		grammar: grammar{values: "g t glob iglob type sort"}, only: "l files files-with-matches files-without-match", every: "files", pattern: true,
	}
	fdLister = namePrinter{
		letters: "HIisgFpu0etEd", long: "hidden no-ignore glob full-path print0 extension type exclude max-depth",
		grammar: grammar{values: "e t E d extension type exclude max-depth"}, pattern: true, optional: true,
	}
)

// lists reads the options and the operands as the program does: what follows an option that
// takes a value is no option.
func (p *namePrinter) lists(words []Word) (roots []string, ok bool) {
	names, pattern := p.only == "", p.pattern
	a := (&Command{Words: words}).arguments(&p.grammar)
	for a.next() {
		if a.operand {
			continue
		}
		if a.long && !listed(p.long, a.name) || !a.long && strings.IndexByte(p.letters, a.name[0]) < 0 {
			return nil, false
		}
		names = names || listed(p.only, a.name)
		pattern = pattern && !listed(p.every, a.name)
	}
	a = (&Command{Words: words}).arguments(&p.grammar)
	for a.next() {
		switch {
		case !a.operand:
		case pattern:
			pattern = false
		case !tame(a.value):
			return nil, false
		case !p.here:
			roots = append(roots, a.value)
		}
	}
	if !names || pattern && !p.optional {
		return nil, false
	}
	return orHere(roots), true
}

func isCluster(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != '-' }

// tame: a path that stays below the directory it is seen from, and in one piece.
func tame(text string) bool {
	return text != "" && text[0] != '/' && text[0] != '~' && !strings.Contains(text, "..") && !strings.ContainsAny(text, " \t\n")
}

func orHere(roots []string) []string {
	if len(roots) == 0 {
		return onlyHere
	}
	return roots
}

// onlyHere is where most listings look. It is never changed.
var onlyHere = []string{"."}

func listedByFind(args []Word) (roots []string, ok bool) {
	i := 0
	for i < len(args) && (args[i].Text == "-H" || args[i].Text == "-P" || args[i].Text == "-L") {
		i++
	}
	from := i
	for ; i < len(args) && !startsExpression(args[i].Text); i++ {
		if !tame(args[i].Text) {
			return nil, false
		}
	}
	if start := args[from:i]; len(start) != 1 || start[0].Text != "." {
		for k := range start {
			roots = append(roots, start[k].Text)
		}
	}
	for ; i < len(args); i++ {
		switch args[i].Text {
		case "-printf", "-fprintf", "-ls", "-fls", "-files0-from", "-f", "-exec", "-execdir", "-ok", "-okdir":
			return nil, false
		}
	}
	return orHere(roots), true
}

// listedByGit: names from the index, or of what has changed. They are seen from the top
// of the repository or from here, and lead nowhere else.
func listedByGit(args []Word) (roots []string, ok bool) {
	if len(args) == 0 {
		return nil, false
	}
	switch args[0].Text {
	case "ls-files":
		for _, arg := range args[1:] {
			if strings.HasPrefix(arg.Text, ":") {
				return nil, false
			}
		}
		return gitLister.lists(args)
	case "diff":
		only := false
		for _, arg := range args[1:] {
			switch text := arg.Text; {
			case text == "--name-only":
				only = true
			case text == "--cached" || text == "--staged" || text == "-z" || text == "--" || text == "--relative" || strings.HasPrefix(text, "--diff-filter="):
			case isOption(text) || text == "" || text[0] == '/' || text[0] == '~' || strings.HasPrefix(text, "..") || strings.Contains(text, "/.."):
				return nil, false
			}
		}
		return onlyHere, only
	}
	return nil, false
}
