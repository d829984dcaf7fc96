package shell

import "strings"

// A pattern that the shell expands, and a program that shows what lies in the directory where it
// runs, read a directory that no operand names. They are reads of that directory, as those of
// ls DIR are. Where the script starts is inside in any case and needs none.

// listings adds the directories whose names the current command shows without naming them.
// before is how many accesses there were before its arguments.
func (l *accessList) listings(before int) {
	none := len(l.all) == before
	for _, word := range l.c.listed {
		l.patternDir(&word)
	}
	if len(l.c.Words) == 0 {
		return
	}
	if l.c.knowledge().spec.operands == noPaths {
		for at := range l.c.Words {
			l.patternDir(&l.c.Words[at])
		}
	}
	switch program := l.c.Program(); {
	case !none:
	case program == "cd" && l.c.goesHome():
		l.put(&Access{Path: "~", Mode: Reads, Span: l.c.Span, Names: true})
	case len(l.c.Dirs) > 0 && listsHere.has(program):
		l.put(&Access{Path: ".", Mode: Reads, Span: l.c.Span, Names: true})
	}
}

// listsHere are programs that show the names in the directory where they run if they are given none.
var listsHere = wordSet{list: "ls dir vdir tree du eza exa lsattr find gfind fd fdfind compgen"}

// goesHome reports whether cd has no operand.
func (c *Command) goesHome() bool {
	for _, word := range c.Words[1:] {
		if !isOption(word.Text) {
			return false
		}
	}
	return true
}

// patternDir adds the directory in which the pattern in a word looks for names.
func (l *accessList) patternDir(word *Word) {
	if strings.IndexByte(word.Text, Glob) < 0 {
		if word.Split && strings.IndexByte(word.Text, Unknown) >= 0 {
			l.farPatterns(word)
		}
		return
	}
	path := l.path(*word)
	switch slash := strings.LastIndexByte(path, '/'); {
	case slash > 0:
		path = path[:slash]
	case slash == 0:
		path = "/"
	case strings.IndexByte(path, Unknown) >= 0:
		path = unknownMark
	case len(l.c.Dirs) == 0:
		return
	default:
		path = "."
	}
	l.put(&Access{Path: path, Mode: Reads, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split, Names: true})
}

// farPatterns adds the directories of the patterns somewhere in the script that lead away from
// where it starts: the value of an unquoted variable may be one of them (set -- '/etc/*'; echo $1).
func (l *accessList) farPatterns(word *Word) {
	if l.far == nil {
		l.far = farPatterns(l.script.Source)
	}
	for _, dir := range l.far {
		l.put(&Access{Path: dir, Mode: Reads, Span: word.Span, Names: true})
	}
}

// maxFar is how many directories of patterns a script is searched for.
const maxFar = 4

// farPatterns are the directories of patterns in a text that begin with / or ~ or go up.
func farPatterns(text string) []string {
	dirs := []string{}
	for token := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;&|<>(){}=:-", r) }) {
		at := strings.IndexAny(token, "*?[")
		if at < 0 || token[0] != '/' && token[0] != '~' && !strings.Contains(token[:at], "..") {
			continue
		}
		slash := strings.LastIndexByte(token[:at], '/')
		if slash < 0 {
			continue
		}
		if dirs = append(dirs, token[:max(slash, 1)]); len(dirs) == maxFar {
			break
		}
	}
	return dirs
}
