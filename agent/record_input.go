package agent

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	// maxInput is how much of an input is on record: half of it from the front, half from
	// the end. Most inputs are far shorter.
	maxInput = 8 << 10
	// maxSummary is how long the line may be that says what a call is about.
	maxSummary = 200
)

// spelling is an input in the one spelling of it. What is no JSON cannot run, and stays
// as it was written.
func spelling(input strictjson.Raw) []byte {
	if spelt, err := strictjson.Canonical(input); err == nil {
		return spelt
	}
	return input
}

// decided is the input that a decision is about: what would run, as far as the call has
// come on its way.
func (m *matter) decided() strictjson.Raw {
	switch {
	case m.judged.Input != nil:
		return m.judged.Input
	case m.Garbled != "":
		return strictjson.Raw(m.Garbled)
	}
	return m.call.Input
}

// asked is what the model wrote, where that is not what the decision is about.
func (m *matter) asked(spelt []byte) (e audit.Excerpt) {
	if m.Garbled != "" || m.call.Input == nil {
		return e
	}
	if wrote := spelling(m.call.Input); !bytes.Equal(wrote, spelt) {
		e = excerpt(wrote)
	}
	return e
}

// excerpt is a text for the record. It is cut before it is made readable: how long an
// input is must not matter.
func excerpt(text []byte) audit.Excerpt {
	front, back := ends(text, maxInput/2, maxInput/2)
	return audit.Excerpt{Text: readable(front), LeftOut: len(text) - len(front) - len(back), Tail: readable(back)}
}

// ends are the beginning and the end of a text, with nothing between them unless it is too
// long. No character is cut apart.
func ends(text []byte, head, tail int) (front, back []byte) {
	if len(text) <= head+tail {
		return text, nil
	}
	from := len(text) - tail
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return text[:head], text[from:]
}

// readable writes characters that nobody can see as JSON does, so that an input can be
// read by people and is still the same JSON.
func readable(text []byte) string {
	var b strings.Builder
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		switch high, low := utf16.EncodeRune(c); {
		case c == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case !hidden(c):
			b.Write(text[:size])
		case high == unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
		text = text[size:]
	}
	return b.String()
}

// hidden: a character that a terminal acts on or does not show. Fillers, variation
// selectors and blanks that are none have been used to hide words from readers.
func hidden(c rune) bool {
	if c >= ' ' && c <= '~' {
		return false
	}
	return !unicode.IsGraphic(c) || unicode.IsSpace(c) || c == '\u2800' ||
		unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// summary says in one line what a call is about: the one thing that matters with a tool
// that is known, the whole input with any other. What is too long shows its end as well:
// that is where somebody would hide something.
func summary(m *matter, spelt []byte) string {
	text := spelt
	if key := subject(m.Name); key != "" {
		if value, ok := m.member(key); ok {
			if key == "file_path" {
				value = filepath.Clean(value)
			}
			text = []byte(strings.ReplaceAll(value, "\n", "⏎"))
		}
	}
	front, back := ends(text, maxSummary*3/4, maxSummary/4)
	if back == nil {
		return readable(front)
	}
	return fmt.Sprintf("%s … %d bytes … %s", readable(front), len(text)-len(front)-len(back), readable(back))
}

// subject is the part of an input that says what the call is about. With a tool of a
// server nobody knows which one that is.
func subject(tool string) string {
	switch tool {
	case "Bash":
		return "command"
	case "Read", "Write", "Edit":
		return "file_path"
	case "NotebookEdit":
		return "notebook_path"
	case "WebFetch":
		return "url"
	case "Glob", "Grep":
		return "pattern"
	}
	return ""
}

// member is a text of the input. A call that was not judged has not been read yet.
func (m *matter) member(key string) (string, bool) {
	if m.judged.Call != nil {
		text, ok := m.judged.Call.Input[key].(string)
		return text, ok
	}
	var input map[string]any
	if err := strictjson.Unmarshal(m.decided(), &input); err != nil {
		return "", false
	}
	text, ok := input[key].(string)
	return text, ok
}
