package builtin

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	pattern pathPattern
	// name is set instead of the pattern when the line names files at any depth.
	name string
	// negated: the line takes back what an earlier one ignores.
	negated bool
	// dirOnly: it is only about directories.
	dirOnly bool
}

// parseIgnore reads a .gitignore file. Lines that can never match are left out.
func parseIgnore(text []byte) []ignoreRule {
	var rules []ignoreRule
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range strings.SplitSeq(string(text), "\n") {
		if rule, ok := parseIgnoreLine(strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

func parseIgnoreLine(line string) (r ignoreRule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line = trimBlanks(line)
	if rest, negated := strings.CutPrefix(line, "!"); negated {
		line, r.negated = rest, true
	}
	if rest, dir := strings.CutSuffix(line, "/"); dir {
		line, r.dirOnly = rest, true
	}
	if line == "" {
		return r, false
	}
	if !strings.Contains(line, "/") {
		r.name = line
		return r, true
	}
	parts := strings.Split(strings.TrimPrefix(line, "/"), "/")
	for i, part := range parts {
		if part == "" {
			return r, false // no path has an empty component
		}
		if i < len(parts)-1 && escapesAt(part, len(part))%2 == 1 {
			part = part[:len(part)-1] // a slash behind a backslash is a slash
		}
		if len(part) > 1 && strings.Trim(part, "*") == "" {
			part = span
		}
		if n := len(r.pattern); part != span || n == 0 || r.pattern[n-1] != span {
			r.pattern = append(r.pattern, part)
		}
	}
	return r, true
}

// trimBlanks removes the blanks at the end, except one behind a backslash.
func trimBlanks(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	if end == len(line) {
		return line
	}
	return line[:end+escapesAt(line, end)%2]
}

// escapesAt is how many backslashes stand in front of an offset.
func escapesAt(line string, at int) int {
	return at - len(strings.TrimRight(line[:at], `\`))
}

// match compares a path, given by its components below the directory of the file.
func (r *ignoreRule) match(path []string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.name != "" {
		return ofBytes.fits(r.name, path[len(path)-1])
	}
	return r.pattern.match(path, ofBytes)
}

// ignoreLevel is what one directory says about the files in and below it. Of several
// the deepest that says anything holds.
type ignoreLevel struct {
	parent *ignoreLevel
	depth  int // how many components the directory's path has
	rules  []ignoreRule
	total  int // rules here and above
	cut    int // rules that were one too many
}

// mostRules is how many rules a name is compared with. It is a bound of the work that a
// tree can make: real ones have some hundreds.
const mostRules = 5_000

func newIgnoreLevel(parent *ignoreLevel, depth int, rules []ignoreRule) *ignoreLevel {
	l := &ignoreLevel{parent: parent, depth: depth, rules: rules}
	if parent != nil {
		l.total = parent.total
	}
	if room := mostRules - l.total; len(rules) > room {
		l.rules, l.cut = rules[:room], len(rules)-room
	}
	l.total += len(l.rules)
	return l
}

// cutSince is how many rules were left out on the levels below another one.
func (l *ignoreLevel) cutSince(above *ignoreLevel) int {
	n := 0
	for ; l != nil && l != above; l = l.parent {
		n += l.cut
	}
	return n
}

// ignores reports whether a path, given by all its components, is ignored. It does not
// look at the directories above: whoever walks down has not entered ignored ones.
func (l *ignoreLevel) ignores(path []string, isDir bool) bool {
	for ; l != nil; l = l.parent {
		for i := len(l.rules) - 1; i >= 0; i-- {
			if r := &l.rules[i]; r.match(path[l.depth:], isDir) {
				return !r.negated
			}
		}
	}
	return false
}

// enter is the level of a directory below the one of l. A repository of its own starts
// afresh: what is said above it is about another one.
func (l *ignoreLevel) enter(dir *os.File, depth int) *ignoreLevel {
	repository := existsAt(dir, ".git")
	if !repository && l == nil {
		return nil // outside of repositories git ignores nothing
	}
	if repository {
		l = newIgnoreLevel(nil, depth, excludes(dir))
	}
	if rules := readIgnore(dir, ".gitignore"); len(rules) > 0 {
		l = newIgnoreLevel(l, depth, rules)
	}
	return l
}

// mostIgnore is how much of a .gitignore file is read.
const mostIgnore = 1 << 20

func readIgnore(dir *os.File, name string) []ignoreRule {
	file, err := openFileAt(dir, name)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostIgnore))
	if err != nil {
		return nil
	}
	return parseIgnore(text)
}

// excludes is the list that a repository keeps for itself.
func excludes(dir *os.File) []ignoreRule {
	git, err := openDirAt(dir, ".git")
	if err != nil {
		return nil
	}
	defer git.Close()
	info, err := openDirAt(git, "info")
	if err != nil {
		return nil
	}
	defer info.Close()
	return readIgnore(info, "exclude")
}

// ignoreAbove is the level that holds for a directory because of those above it, up to
// the top of its repository.
func ignoreAbove(path string) *ignoreLevel {
	if path == "/" {
		return nil
	}
	var above []string
	for dir := path; ; {
		cut := strings.LastIndexByte(dir, '/')
		if cut < 0 {
			return nil
		}
		if _, err := os.Lstat(dir + "/.git"); err == nil {
			break // dir is the top; it is entered again below unless it is path itself
		}
		if dir = dir[:cut]; dir == "" {
			return nil
		}
		above = append(above, dir)
	}
	var level *ignoreLevel
	for i := len(above) - 1; i >= 0; i-- {
		dir, err := openDir(above[i])
		if err != nil {
			return level
		}
		level = level.enter(dir, strings.Count(above[i], "/"))
		dir.Close()
	}
	return level
}
