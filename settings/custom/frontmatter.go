package custom

import (
	"strconv"
	"strings"
)

// Entry is a piece of text and the line where it stands.
type Entry struct {
	Text string
	Line int
}

// field is one key of the front matter. What a key that nobody reads holds is of no
// interest, so faults of a value are found only by whoever asks for it.
type field struct {
	line  int
	value string // behind the colon
	items []Entry
	lines []Entry // indented lines
}

// frontMatter is the head of a file between two lines "---". It is the part of YAML that
// people use there: "key: text", quoted or not, lists as "[a, b]" or as lines "- a", and
// texts of several lines behind "|" or ">".
type frontMatter map[string]field

const fence = "---"

// split takes the front matter off a text. A text without one is all body.
func split(text string) (head frontMatter, body string, bodyLine int, f *Fault) {
	text = strings.TrimPrefix(text, "\uFEFF")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t\r") != fence {
		return nil, text, 1, nil
	}
	head = frontMatter{}
	key := ""
	for at := 2; ; at++ {
		if rest == "" {
			return nil, "", 0, fault(1, "the front matter has no end (close it with a line ---)")
		}
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t\r")
		if line == fence {
			return head, rest, at + 1, nil
		}
		if key, f = head.take(key, Entry{line, at}); f != nil {
			return nil, "", 0, f
		}
	}
}

// take reads one line; key is the one that indented lines belong to.
func (m frontMatter) take(key string, line Entry) (string, *Fault) {
	bare := strings.TrimLeft(line.Text, " \t")
	inside := m[key]
	switch isItem := bare == "-" || strings.HasPrefix(bare, "- "); {
	case bare == "" || bare[0] == '#' && (bare == line.Text || !inside.isBlock()):
		return key, nil
	case key == "" && (isItem || bare != line.Text):
		return key, fault(line.Line, "this line belongs to no key (want key: value)")
	case isItem && !inside.isBlock():
		inside.items = append(inside.items, Entry{strings.TrimSpace(bare[1:]), line.Line})
		m[key] = inside
		return key, nil
	case bare != line.Text:
		inside.lines = append(inside.lines, Entry{bare, line.Line})
		m[key] = inside
		return key, nil
	}
	name, value, ok := strings.Cut(line.Text, ":")
	switch {
	case !ok || !isKey(name) || value != "" && value[0] != ' ' && value[0] != '\t':
		return key, fault(line.Line, "%s is not understood (want key: value)", shown(line.Text))
	case m[name].line > 0:
		return key, fault(line.Line, "%s stands here a second time (first in line %d)", name, m[name].line)
	}
	m[name] = field{line: line.Line, value: strings.TrimSpace(value)}
	return name, nil
}

func isKey(name string) bool { return name != "" && strings.Trim(name, nameLetters) == "" }

// isBlock: the value is a text of several lines.
func (f field) isBlock() bool {
	return f.value != "" && strings.Trim(f.value, "|>+-") == "" && (f.value[0] == '|' || f.value[0] == '>')
}

// texts reads keys that hold one text each.
func (m frontMatter) texts(keys []string, to ...*string) (f *Fault) {
	for i, key := range keys {
		if *to[i], f = m.text(key); f != nil {
			return f
		}
	}
	return nil
}

// text is the value of a key that holds one text.
func (m frontMatter) text(key string) (string, *Fault) {
	f := m[key]
	switch {
	case f.isBlock() && len(f.items) == 0:
		return f.block(), nil
	case len(f.items) > 0:
		return "", fault(f.items[0].Line, "%s is one text, not a list", key)
	case len(f.lines) > 0:
		return "", fault(f.lines[0].Line, "the value of %s goes on here (write it on one line, or put | behind %s:)", key, key)
	}
	return unquoted(key, Entry{f.value, f.line})
}

func (f field) block() string {
	var lines []string
	for _, l := range f.lines {
		lines = append(lines, l.Text)
	}
	if f.value[0] == '>' {
		return strings.Join(lines, " ")
	}
	return strings.Join(lines, "\n")
}

// list is the value of a key that holds several texts. Those of a plain value are not
// taken apart: the caller knows what separates them.
func (m frontMatter) list(key string) ([]Entry, *Fault) {
	f := m[key]
	entries := f.items
	switch {
	case len(f.lines) > 0:
		return nil, fault(f.lines[0].Line, "the value of %s goes on here (write it on one line, or each as a line - x)", key)
	case len(f.items) > 0 && f.value != "":
		return nil, fault(f.items[0].Line, "%s has a value already (leave it out, or the list)", key)
	case strings.HasPrefix(f.value, "["):
		inner, closed := strings.CutSuffix(f.value[1:], "]")
		if !closed {
			return nil, fault(f.line, "the list of %s has no end (close it with ])", key)
		}
		entries = elements(Entry{inner, f.line})
	case f.value != "":
		entries = []Entry{{f.value, f.line}}
	}
	var all []Entry
	for _, e := range entries {
		text, wrong := unquoted(key, e)
		if wrong != nil {
			return nil, wrong
		}
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, Entry{text, e.Line})
		}
	}
	return all, nil
}

// elements are the parts of "a, b", but not of what stands in quotes or parentheses.
func elements(list Entry) []Entry {
	var all []Entry
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(list.Text); i++ {
		switch c := list.Text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case c == ',' && depth == 0:
			all = append(all, Entry{strings.TrimSpace(list.Text[start:i]), list.Line})
			start = i + 1
		}
	}
	return append(all, Entry{strings.TrimSpace(list.Text[start:]), list.Line})
}

// unquoted takes the quotes off a text that stands in some.
func unquoted(key string, e Entry) (string, *Fault) {
	switch {
	case e.Text == "" || e.Text[0] != '"' && e.Text[0] != '\'':
		return e.Text, nil
	case e.Text[0] == '\'':
		inner, closed := strings.CutSuffix(e.Text[1:], "'")
		if closed && !strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			return strings.ReplaceAll(inner, "''", "'"), nil
		}
	default:
		if text, err := strconv.Unquote(e.Text); err == nil {
			return text, nil
		}
	}
	return "", fault(e.Line, "%s: the quotes around %s are not closed, or something stands behind them", key, shown(e.Text))
}

// shown is a text inside a sentence.
func shown(text string) string {
	const enough = 60
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "") + "…"
	}
	return strconv.Quote(text)
}
