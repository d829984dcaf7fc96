package dialect

import (
	"slices"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/strictjson"
)

// keyKind is what the name of a property says about its value.
type keyKind uint8

const (
	otherKey keyKind = iota
	placeKey         // a file or a directory
	partKey          // something inside of a placeKey, which may be its name
	commandKey
	codeKey // a program in some language
	addressKey
)

// noun is the kind in a sentence.
func (k keyKind) noun() string {
	switch k {
	case commandKey, codeKey:
		return "a command"
	case addressKey:
		return "an address"
	case placeKey, partKey, otherKey:
	}
	return "a place"
}

// kindOfKey goes by the words of a name: target_directory, filePath, cmd.
func kindOfKey(name string) keyKind {
	words := keyWords(name)
	if len(words) == 0 {
		return otherKey
	}
	if slices.ContainsFunc(words, func(word string) bool {
		return endsIn(word, "path", "dir", "directory", "directorie", "folder") || is(word, "root", "cwd", "pwd")
	}) {
		return placeKey
	}
	last := words[len(words)-1]
	alone := len(words) == 1
	called, written := without(words, "name"), without(words, "line", "text")
	switch {
	case is(called, "file", "path", "dir", "folder", "notebook"):
		return placeKey
	case alone && is(last, "target", "source", "destination", "src", "dest", "dst"):
		return placeKey
	case endsIn(written, "command", "cmd", "script") || is(last, "arg", "argv", "argument"):
		return commandKey
	case alone && last == "code":
		return codeKey
	case endsIn(last, "url", "uri"):
		return addressKey
	}
	return otherKey
}

// without is the last word of a name if that does not count: file_name and filename
// are about a file.
func without(words []string, tails ...string) string {
	last := words[len(words)-1]
	for _, tail := range tails {
		switch rest, found := strings.CutSuffix(strings.TrimSuffix(last, "s"), tail); {
		case found && rest != "":
			return rest
		case found && len(words) > 1:
			return words[len(words)-2]
		}
	}
	return last
}

// is: the word, or its singular, is one of these.
func is(word string, names ...string) bool {
	return slices.Contains(names, strings.TrimSuffix(word, "s"))
}

// endsIn: the word, or its singular, ends in one of these, as workdir does.
func endsIn(word string, ends ...string) bool {
	word = strings.TrimSuffix(word, "s")
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}

// runsIn: the name is that of a directory in which a command runs.
func runsIn(name string) bool {
	return slices.ContainsFunc(keyWords(name), func(word string) bool {
		return strings.HasPrefix(word, "work") || is(word, "cwd", "pwd")
	})
}

// keyWords takes a name apart at signs and before capital letters.
func keyWords(name string) []string {
	var b strings.Builder
	previous := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	return strings.Fields(b.String())
}

// doubted puts a translated call in doubt if its input names a place, a command or an
// address under a name that assent does not know: it may be where the tool looks, or
// what it runs.
func (a *arguments) doubted(calls []Call) []Call {
	if !a.translated || len(calls) == 0 || calls[0].Doubt != "" {
		return calls
	}
	unknown := ""
	for name := range a.named {
		if kindOfKey(name) != otherKey && !slices.Contains(a.asked, name) && holdsText(a.named[name]) && (unknown == "" || name < unknown) {
			unknown = name
		}
	}
	if unknown != "" {
		calls[0].Doubt = "assent does not know what " + quoted(unknown) + " means to this tool, and it seems to name " + kindOfKey(unknown).noun()
	}
	return calls
}

// holdsText: the value is a text, or a list or object that may hold one.
func holdsText(raw strictjson.Raw) bool {
	switch string(raw) {
	case "", `""`, "[]", "{}":
		return false
	}
	return strings.IndexByte(`"[{`, raw[0]) >= 0
}
