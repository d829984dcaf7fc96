package inbox

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// maxQuoted is how many characters of a text are quoted in a sentence.
const maxQuoted = 120

// quoted is a text between backquotes: more of them than stand together in the text, so
// that nothing in it ends the quotation. Secrets are masked, what could hide or turn the
// text round stands as an escape, and a long one is cut in its middle: both ends say what
// it is.
func quoted(text string) string {
	const looked = 20 * maxQuoted // far beyond what is shown, so that no secret is cut before it is found
	return fenced(mask(cut(text, looked, looked/2)))
}

// quotedPath is the path of a file between backquotes. Nothing of it is masked: it is what a
// person decides by.
func quotedPath(path string) string { return fenced(path) }

func fenced(text string) string {
	text = policy.VisibleInOrder(cut(text, 20*maxQuoted, 10*maxQuoted))
	if text = cut(text, maxQuoted, maxQuoted/3); text == "" {
		return "an empty text"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// cut is at most so many characters of a text, as many of its end among them as tail says. It
// looks at no more than it shows, however long the text is.
func cut(text string, most, tail int) string {
	if len(text) <= most || len(text) <= most*utf8.UTFMax && utf8.RuneCountInString(text) <= most {
		return text
	}
	head, end := 0, len(text)
	for range most - tail - 1 {
		_, size := utf8.DecodeRuneInString(text[head:])
		head += size
	}
	for range tail {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return text[:head] + "…" + text[end:]
}

// clippedBy: not all of a text can be quoted.
func clippedBy(text string) bool {
	return len(text) > maxQuoted*utf8.UTFMax || utf8.RuneCountInString(policy.VisibleInOrder(text)) > maxQuoted
}

// named is a text of an input behind a word, or nothing when there is none.
func named(in strictjson.Node, key, word string) string {
	if m := in.Member(key); m.Kind == '"' && m.Text() != "" {
		return word + quoted(m.Text())
	}
	return ""
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func linesIn(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}
