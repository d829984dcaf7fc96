package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/settings"
)

// assentKeys are those that are read under assent; the settings refuse any other one there.
var assentKeys = []string{"trustedWorkspaces", "classifier", "parking", "guard", "approvals", "notifications"}

// keys finds keys that nobody reads and that were meant to be read: every rule
// under a misspelt one is lost without a word.
func (l *linter) keys(files []settings.File) {
	for _, f := range files {
		if l.ReadFile == nil || !f.Exists || f.Broken != nil {
			continue
		}
		text, err := l.ReadFile(f.Path)
		if err != nil {
			continue // it was there a moment ago: what it said then is what is linted
		}
		l.fileKeys(f.Path, blankComments(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	}
}

func (l *linter) fileKeys(file string, text []byte) {
	for _, m := range members(text) {
		if problem, fix := topKey(m.name); problem != "" {
			l.addKey(file, lineAt(text, m.at), problem, fix)
		}
		if m.name != "permissions" && m.name != "sandbox" && m.name != "autoMode" {
			continue
		}
		for _, inner := range members(text[m.start:m.end]) {
			if problem, fix := innerKey(m.name, inner.name); problem != "" {
				l.addKey(file, lineAt(text, m.start+inner.at), problem, fix)
			}
		}
	}
}

func (l *linter) addKey(file string, line int, problem, fix string) {
	l.found = append(l.found, Finding{Severity: Warning, Code: "unknown-key", File: file, Line: line, Text: problem, Fix: fix})
}

func lineAt(text []byte, offset int) int { return 1 + bytes.Count(text[:offset], []byte{'\n'}) }

// topKey looks for near misses only: the files have many keys that are for others.
func topKey(name string) (problem, fix string) {
	near := Nearest(name, settings.ReadKeys(""))
	switch into, key, stray := settings.StrayKey(name); {
	case settings.KnownKey("", name):
		return "", ""
	case stray && into == "":
		return ignoredKey(name), fmt.Sprintf("write %q", key)
	case stray:
		return fmt.Sprintf("the key %q stands outside of %s and is not read: nothing under it counts", name, into),
			fmt.Sprintf(`move it into %q: {%q: …}`, into, key)
	case slices.Contains(assentKeys, name):
		return fmt.Sprintf("the key %q stands outside of assent and is not read: nothing under it counts", name),
			fmt.Sprintf(`move it into "assent": {%q: …}`, name)
	case near != "":
		return ignoredKey(name), fmt.Sprintf("did you mean %q?", near)
	}
	return "", ""
}

// innerKey is about a key under "permissions", "sandbox" or "autoMode".
func innerKey(parent, name string) (problem, fix string) {
	if settings.KnownKey(parent, name) {
		return "", ""
	}
	keys := settings.ReadKeys(parent)
	fix = "remove it; " + parent + " has the keys " + strings.Join(keys, ", ")
	if near := nearKey(name, keys); near != "" {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	return ignoredKey(parent + "." + name), fix
}

func ignoredKey(name string) string {
	return fmt.Sprintf("the key %q is not read: nothing under it counts", name)
}

// nearKey also takes another form of the same word: "denied" for "deny".
func nearKey(name string, keys []string) string {
	if near := Nearest(name, keys); near != "" {
		return near
	}
	for _, key := range keys {
		if len(name) > 3 && strings.EqualFold(name[:3], key[:3]) {
			return key
		}
	}
	return ""
}
