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
	commandKey
	addressKey
)

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
	switch last := words[len(words)-1]; {
	case is(last, "file", "filename", "notebook"):
		return placeKey
	case endsIn(last, "command", "cmd", "script"):
		return commandKey
	case endsIn(last, "url", "uri"):
		return addressKey
	}
	return otherKey
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

// doubted puts a translated call in doubt if its input names a place under a name
// that assent does not know: it may be where the tool looks or runs.
func (a *arguments) doubted(calls []Call) []Call {
	if !a.translated || len(calls) == 0 || calls[0].Doubt != "" {
		return calls
	}
	unknown := ""
	for name := range a.named {
		if kindOfKey(name) == placeKey && !slices.Contains(a.asked, name) && holdsText(a.named[name]) && (unknown == "" || name < unknown) {
			unknown = name
		}
	}
	if unknown != "" {
		calls[0].Doubt = "assent does not know what " + quoted(unknown) + " means to this tool, and it seems to name a place"
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
