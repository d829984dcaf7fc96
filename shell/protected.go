package shell

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// What is protected, by name and at any depth, because it decides over later commands:
// hooks, settings of agents, tasks that an editor starts, files that shells run.
var (
	// protectedDirectories are protected with everything below them.
	protectedDirectories = []string{
		".git", ".vscode", ".idea", ".husky",
		".assent", ".claude", ".codex", ".gemini", ".cursor", ".copilot", ".qwen", ".factory", ".opencode", ".kilo", ".kilocode", ".cline", ".pi",
	}
	// protectedFiles are read by tools and shells that will run what stands in them.
	protectedFiles = []string{
		".gitconfig", ".gitmodules", ".mcp.json", ".claude.json", ".ripgreprc",
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
		".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout",
		".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xprofile", ".xinitrc", ".xsessionrc",
		"opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc",
	}
	// protectedBelow are names that are protected, with everything below them, behind
	// another name. Those of /etc, of a Mac's Library and of ProgramData hold the managed
	// settings of agents.
	protectedBelow = []struct{ parent, names string }{
		{"fish", "config.fish|conf.d|functions"},
		{".github", "hooks|copilot"},
		{".clinerules", "hooks"},
		{"documents", "cline"},
		{".config", "opencode|kilo|claude|git"},
		{"etc", "assent|claude-code|codex|gemini-cli|cursor|github-copilot|qwen-code|factory|opencode|kilo"},
		{"application support", "assent|claudecode|codex|geminicli|cursor|qwencode|factory|opencode|kilo"},
		{"managed preferences", "com.anthropic.claudecode.plist|com.openai.codex.plist"},
		{"programdata", "assent|claudecode|openai|codex|gemini-cli|cursor|github-copilot|qwen-code|factory|opencode|kilo"},
		{"program files", "claudecode"},
	}
)

// Protected reports whether writing a path needs a person in every mode: it is or
// lies below a protected directory, or is a protected file, at any depth and in
// any letter case. The path is absolute or relative, with "/" between its names,
// and may hold Unknown and Glob marks; then the answer is yes if it could be.
// Reading such a path is not protected.
func Protected(path string) bool {
	return !namesNone(path) && anyProtected(path)
}

func anyProtected(path string) bool {
	return someProtected(path) || hasDetour(path) && someProtected(withoutDetours(path))
}

// hasDetour: the path has other spellings, because of // or of . and .. in it.
func hasDetour(path string) bool {
	return strings.Contains(path, "//") || strings.Contains(path, "/./") || strings.Contains(path, "/../") || strings.HasSuffix(path, "/.") || strings.HasSuffix(path, "/..")
}

func withoutDetours(name string) string { return path.Clean(name) }

func someProtected(path string) bool {
	for path != "" {
		name, rest, _ := strings.Cut(path, "/")
		next, _, _ := strings.Cut(rest, "/")
		if protectedName(name, next) {
			return true
		}
		path = rest
	}
	return false
}

// harmless is the quick answer for most paths: no name starts like a protected one.
func harmless(path string) bool {
	start := true // of a name
	for i := range len(path) {
		c := path[i]
		if c >= 0x80 || c == '~' || c == '\\' || start && (c == '.' || startsPlain(path[i:])) {
			return false
		}
		start = c == '/'
	}
	return true
}

// namesNone is the quick answer for most texts: no name in it, wherever it starts, is like a
// protected one. It lets "." and ".." pass, patterns, which find no dot, and values that are not known
// behind the start of a name.
func namesNone(text string) bool {
	first, start := byte(0), byte(0) // of a name, and of one with blanks in it
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '/':
			first, start = 0, 0
			continue
		case c < 0x80 && betweenNames[c]:
			first = 0
			continue
		case c == Glob:
		case c == Unknown && plainBefore(first) && plainBefore(start):
		case c == '.' && first == 0 && (i+1 == len(text) || text[i+1] == '.' || text[i+1] == '/'):
		case c >= 0x80 || c == '~' || c == '\\', first == 0 && (c == '.' || startsPlain(text[i:])):
			return false
		case c == '.' && (first == '-' || first == '+'): // -o.git
			return false
		}
		if first == 0 {
			first = c
		}
		if start == 0 {
			start = c
		}
	}
	return true
}

// plainBefore reports whether a value behind the first character of a name makes no protected one of it,
// see startsPlain.
func plainBefore(first byte) bool {
	return first != 0 && strings.IndexByte(".adefkmop", first|0x20) < 0
}

// betweenNames are the characters that separate names in statements and programs.
var betweenNames = [0x80]bool{
	0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, '\t': true, '\n': true, 11: true, 12: true, '\r': true, 14: true, 15: true,
	16: true, 17: true, 18: true, 19: true, 20: true, 21: true, 22: true, 23: true, 24: true, 25: true, 26: true, 27: true, 28: true, 29: true, 30: true, 31: true, ' ': true,
	'"': true, '\'': true, '`': true, '(': true, ')': true, '{': true, '}': true, '[': true, ']': true, '<': true, '>': true, ',': true, ';': true, ':': true, '=': true,
	'|': true, '&': true, '!': true, '$': true, '%': true, '^': true, '#': true, '@': true,
}

// startsPlain reports whether a path starts like a name of the tables that has no dot in
// front.
func startsPlain(path string) bool {
	switch path[0] | 0x20 {
	case 'a':
		return hasFold(path, "application support")
	case 'd':
		return hasFold(path, "documents")
	case 'e':
		return hasFold(path, "etc")
	case 'f':
		return hasFold(path, "fish")
	case 'k':
		return hasFold(path, "kilo.json")
	case 'm':
		return hasFold(path, "managed preferences")
	case 'o':
		return hasFold(path, "opencode.json")
	case 'p':
		return hasFold(path, "program")
	}
	return false
}

// protectedName judges one name of a path, and the one behind it, "" at the end.
func protectedName(name, next string) bool {
	if strings.IndexByte(name, '\\') >= 0 { // a path as Windows has it
		return Protected(strings.ReplaceAll(name, `\`, "/"))
	}
	if !couldBeProtected(name) && (name == "" || !startsPlain(name)) || unlikeDotted(name) {
		return false
	}
	return matchesAny(name, protectedDirectories) || next == "" && matchesAny(name, protectedFiles) || next != "" && belowProtected(name, next)
}

// belowProtected judges two names that follow each other.
func belowProtected(parent, name string) bool {
	parent, name = visible(withoutStream(parent)), visible(withoutStream(name))
	for i := range protectedBelow {
		below := &protectedBelow[i]
		if !strings.EqualFold(parent, below.parent) && !(firstMark(parent) > 0 && spans(parent, below.parent)) {
			continue
		}
		for one := range strings.SplitSeq(below.names, "|") {
			if strings.EqualFold(strings.TrimRight(name, ". "), one) || someKnown(name) && spans(name, one) {
				return true
			}
		}
	}
	return false
}

// someKnown reports whether a name has marks that stand for a part of it, or is a pattern: a
// value of which nothing is known could be anything, so it does not count.
func someKnown(name string) bool {
	return firstMark(name) >= 0 && (strings.IndexByte(name, Glob) >= 0 || !onlyMarks(name))
}

// withoutStream is a name without what Windows takes for a stream of the file:
// .git::$INDEX_ALLOCATION is the directory .git.
func withoutStream(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// couldBeProtected is the quick test for names that start with a dot: only an unknown value
// can hide it.
func couldBeProtected(name string) bool {
	return len(name) > 1 && (name[0] == '.' && name != ".." || strings.IndexByte(name, Unknown) >= 0 || name[0] >= 0x80 || hasFold(name, "git~"))
}

// unlikeDotted is the quick answer for most names that begin with a dot: nothing in it is ignored or
// stands for something else, and no name of the tables has its second letter and its length.
func unlikeDotted(name string) bool {
	if len(name) < 2 || name[0] != '.' || name[len(name)-1] == '.' {
		return false
	}
	for i := 1; i < len(name); i++ {
		if c := name[i]; c <= ' ' || c >= 0x7f || c == ':' || c == '\\' {
			return false
		}
	}
	return len(name) >= 64 || dottedLengths()[name[1]|0x20]&(1<<len(name)) == 0
}

// dottedLengths are the lengths that names of the tables have, by the letter behind their dot.
var dottedLengths = sync.OnceValue(func() *[256]uint64 {
	var lengths [256]uint64
	note := func(name string) {
		if name[0] == '.' {
			lengths[name[1]|0x20] |= 1 << len(name)
		}
	}
	for _, name := range slices.Concat(protectedDirectories, protectedFiles) {
		note(name)
	}
	for _, below := range protectedBelow {
		note(below.parent)
	}
	return &lengths
})

// matchesAny compares a name the way the file systems do that ignore case,
// invisible characters, streams and trailing dots.
func matchesAny(name string, list []string) bool {
	if hasFold(name, "git~") { // the short name of .git on Windows
		return true
	}
	name = visible(strings.TrimRight(withoutStream(name), ". "))
	marked := strings.IndexByte(name, Glob) >= 0 || strings.IndexByte(name, Unknown) >= 0
	plain := isASCII(name) // only other letters can be longer or shorter in another case
	for _, one := range list {
		if plain && len(name) != len(one) {
			continue
		}
		if strings.EqualFold(name, one) || marked && couldMean(name, one) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// couldMean reports whether a name with marks can turn into the wanted one. A
// pattern never stands for a leading dot. A value that is not known could be
// anything, so it counts only behind a dot, or when leaving it out gives the name.
func couldMean(name, wanted string) bool {
	if strings.HasPrefix(name, ".") && spans(name, wanted) {
		return true
	}
	return strings.EqualFold(withoutUnknown(name), wanted)
}

// spans matches with each mark standing for any run of characters. Only the last
// mark is ever tried again, so the time is bounded by the product of the lengths.
func spans(pattern, text string) bool {
	p, t := 0, 0
	mark, tried := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] >= Glob:
			mark, tried = p, t
			p++
		case p < len(pattern) && lower(pattern[p]) == text[t]:
			p++
			t++
		case mark >= 0:
			tried++
			p, t = mark+1, tried
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] >= Glob {
		p++
	}
	return p == len(pattern)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// visible drops characters that a Mac leaves out when it compares names: U+200C to
// U+200F, U+202A to U+202E, U+206A to U+206F and the byte order mark.
func visible(name string) string {
	if strings.IndexByte(name, 0xe2) < 0 && strings.IndexByte(name, 0xef) < 0 {
		return name
	}
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		if i+2 < len(name) && invisible(name[i], name[i+1], name[i+2]) {
			i += 2
			continue
		}
		out = append(out, name[i])
	}
	return string(out)
}

// invisible takes the three bytes of a character.
func invisible(a, b, c byte) bool {
	switch {
	case a == 0xef:
		return b == 0xbb && c == 0xbf
	case a != 0xe2:
		return false
	case b == 0x80:
		return c >= 0x8c && c <= 0x8f || c >= 0xaa && c <= 0xae
	}
	return b == 0x81 && c >= 0xaa && c <= 0xaf
}
