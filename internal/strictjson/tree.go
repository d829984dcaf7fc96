package strictjson

import (
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is a value of a JSON text together with its place, for readers that must name
// lines, keep a part as it was written, or look at a few values of a large text. The
// text has been checked as a whole; what is inside a value is only found when it is
// asked for.
type Node struct {
	// Kind is the first character: { [ " t f n, and 0 for numbers.
	Kind     byte
	text     string
	from, to int
}

// Member is a name and its value in an object.
type Member struct{ Name, Value Node }

// Tree reads exactly one JSON value as strictly as [Unmarshal] does.
func Tree(data []byte) (Node, error) {
	if err := Valid(data); err != nil {
		return Node{}, err
	}
	text := string(data)
	return nodeAt(text, skipBlanks(text, 0)), nil
}

// Start is the byte offset at which the value begins.
func (n Node) Start() int { return n.from }

// End is the byte offset behind the value.
func (n Node) End() int { return n.to }

// Source is the whole text that the value stands in.
func (n Node) Source() string { return n.text }

// Raw is the value as it was written.
func (n Node) Raw() string { return n.text[n.from:n.to] }

// Text is the value of a string; "" for any other kind. It shares the memory of the
// source where nothing has to be unescaped.
func (n Node) Text() string {
	if n.Kind != '"' {
		return ""
	}
	inner := n.text[n.from+1 : n.to-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	plain, err := jsontext.AppendUnquote(nil, n.Raw())
	if err != nil {
		return "" // the text has been checked
	}
	return string(plain)
}

// Elements are those of an array.
func (n Node) Elements() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Kind != '[' {
			return
		}
		for at := skipBlanks(n.text, n.from+1); n.text[at] != ']'; {
			element := nodeAt(n.text, at)
			if !yield(element) {
				return
			}
			at = nextItem(n.text, element.to)
		}
	}
}

// Len is the number of elements of an array.
func (n Node) Len() int {
	count := 0
	for range n.Elements() {
		count++
	}
	return count
}

// Members are those of an object, in the order of the text.
func (n Node) Members() []Member {
	if n.Kind != '{' {
		return nil
	}
	var all []Member
	for at := skipBlanks(n.text, n.from+1); n.text[at] != '}'; {
		m := memberAt(n.text, at)
		all = append(all, m)
		at = nextItem(n.text, m.Value.to)
	}
	return all
}

// memberAt is the member whose name starts at an offset.
func memberAt(text string, at int) Member {
	name := nodeAt(text, at)
	colon := skipBlanks(text, name.to)
	return Member{Name: name, Value: nodeAt(text, skipBlanks(text, colon+1))}
}

// nodeAt is the value that starts at an offset of a valid text.
func nodeAt(text string, at int) Node {
	n := Node{Kind: text[at], text: text, from: at}
	switch n.Kind {
	case '"':
		n.to = stringEnd(text, at)
	case '{', '[':
		n.to = closing(text, at)
	case 't', 'n':
		n.to = at + len("true")
	case 'f':
		n.to = at + len("false")
	default:
		n.Kind = '0'
		for n.to = at; n.to < len(text) && strings.IndexByte("+-.eE0123456789", text[n.to]) >= 0; n.to++ {
		}
	}
	return n
}

// stringEnd is the offset behind the string that starts at an offset.
func stringEnd(text string, at int) int {
	for at++; ; at++ {
		i := strings.IndexByte(text[at:], '"')
		end := at + i
		escapes := 0
		for text[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end + 1
		}
		at = end
	}
}

// closing is the offset behind the bracket that closes the one at an offset.
func closing(text string, at int) int {
	for depth := 0; ; at++ {
		switch text[at] {
		case '"':
			at = stringEnd(text, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
}

func skipBlanks(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// nextItem is the offset of what follows a value inside an object or array: the next
// one, or the closing bracket.
func nextItem(text string, at int) int {
	if at = skipBlanks(text, at); text[at] == ',' {
		return skipBlanks(text, at+1)
	}
	return at
}
