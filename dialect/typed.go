package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/shell"
)

// keyNames says how an agent writes keys that are no characters.
type keyNames uint8

const (
	// asBytes: as a terminal sends them.
	asBytes keyNames = iota
	// inBraces: as a word in braces, beside what a terminal sends.
	inBraces
)

// typed is text for a program that runs already, perhaps a shell. Whoever may not
// run a command may not type it either, nor in parts: what is not whole lines is for a
// person.
func (a *arguments) typed(name string, keys keyNames) ([]Call, error) {
	if _, _, err := a.get(name); err != nil {
		return nil, err
	}
	calls := a.unknown(a.own()[0])
	for _, other := range sortedNames(a.named) {
		var text string
		if namesID(other) || strictjson.Unmarshal(a.named[other], &text) != nil {
			continue
		}
		t := readTyped(text, keys)
		if doubt := t.doubt(); doubt != "" && calls[0].Doubt == "" && (other == name || isTyped(other)) {
			calls[0].Doubt = doubt
		}
		if strings.TrimSpace(t.lines) != "" {
			calls = append(calls, guess(call("Bash", fields{"command", t.lines}))...)
		}
	}
	return calls, nil
}

func sortedNames(in envelope) []string {
	var all []string
	for name := range in {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// isTyped: the name is one under which text for a program is given.
func isTyped(name string) bool {
	words := keyWords(name)
	return len(words) > 0 && is(words[len(words)-1], "char", "character", "text", "input", "key", "keystroke", "stdin", "data", "line", "content")
}

// namesID: the value only says which program it is for.
func namesID(name string) bool {
	words := keyWords(name)
	return len(words) > 0 && is(words[len(words)-1], "id")
}

// typing is what a terminal makes of keys.
type typing struct {
	// lines are what was typed. Keys that end a line or give it up start another one.
	lines string
	// edits: there are other keys, which may change what was typed. recalls: there are
	// keys that bring a line back which was run before.
	edits, recalls bool
	// open: the last key is none that ends a line.
	open bool
}

// doubt is why it is not known what will be run; empty if it is.
func (t typing) doubt() string {
	blank := strings.TrimSpace(t.lines) == ""
	switch {
	case t.edits, t.recalls && !blank:
		return "it types keys that change the line, so that what will be run is not known"
	case t.open:
		return "it types a part of a line, so that what will be run is not known"
	case blank:
		return ""
	case shell.Parse(t.lines).Problem != nil || strings.HasSuffix(strings.TrimRight(t.lines, "\n"), `\`):
		return "what it types is not complete, so that what will be run is not known"
	case substitutes(t.lines):
		return "it types a word that a shell replaces by an earlier line, so that what will be run is not known"
	}
	return ""
}

// substitutes: a shell at a terminal may put parts of earlier lines there.
func substitutes(lines string) bool {
	if strings.HasPrefix(lines, "^") || strings.Contains(lines, "\n^") {
		return true
	}
	for i := range len(lines) - 1 {
		if lines[i] == '!' && strings.IndexByte(" \t\n=(\"'", lines[i+1]) < 0 {
			return true
		}
	}
	return false
}

func readTyped(text string, keys keyNames) (t typing) {
	var b strings.Builder
	lineEmpty := true
	for text != "" {
		size := 1
		key, named := "", 0
		if keys == inBraces {
			key, named = namedKey(text)
		}
		r, runeSize := utf8.DecodeRuneInString(text)
		switch c := text[0]; {
		case key == "{enter}", c == '\n', c == '\r', c == endOfText, c == endOfFile && lineEmpty:
			b.WriteByte('\n')
			lineEmpty, t.open = true, false
			size = max(size, named)
		case key == "{up}", key == "{down}", strings.HasPrefix(text, "\x1b[A"), strings.HasPrefix(text, "\x1b[B"):
			t.recalls, t.open, lineEmpty = true, true, false
			size = max(named, len("\x1b[A"))
		case named > 0:
			t.edits, size = true, named
		case c < ' ' || c == 0x7f:
			t.edits, size = true, controlKey(text)
		case r >= 0x80 && r < 0xa0: // what a terminal takes for a key, as it does ESC with a letter
			t.edits, size = true, runeSize
		default:
			b.WriteByte(c)
			lineEmpty, t.open = false, true
		}
		text = text[size:]
	}
	t.lines = b.String()
	return t
}

// controlKey is how long the key is that a text starts with: one character, or a
// sequence such as that of an arrow.
func controlKey(text string) int {
	if strings.HasPrefix(text, "\x1bO") {
		return min(len(text), len("\x1bOA"))
	}
	if !strings.HasPrefix(text, "\x1b[") {
		return 1
	}
	for i := len("\x1b["); i < len(text); i++ {
		if text[i] >= '@' && text[i] <= '~' {
			return i + 1
		}
	}
	return len(text)
}

const (
	endOfText = 0x03 // ^C gives the line up
	endOfFile = 0x04 // ^D ends the input where a line begins, and edits elsewhere
)

// namedKey is a key that is written as a word in braces, in small letters, and its
// length; zero if there is none. Any word may be one.
func namedKey(text string) (key string, size int) {
	if text[0] != '{' {
		return "", 0
	}
	end := strings.IndexByte(text, '}')
	if end < 2 {
		return "", 0
	}
	for _, c := range []byte(text[1:end]) {
		if c <= ' ' || strings.IndexByte(`,;{"'$`, c) >= 0 {
			return "", 0 // braces of a shell
		}
	}
	return strings.ToLower(text[:end+1]), end + 1
}
