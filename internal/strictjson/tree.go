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
	// Kind is the first character: { [ " t f n, and the digit 0 for numbers.
	Kind     byte
	in       *outline
	from, to int
}

// Member is a name and its value in an object.
type Member struct{ Name, Value Node }

// Tree reads exactly one JSON value as strictly as [Unmarshal] does.
func Tree[Text ~string | ~[]byte](data Text) (Node, error) {
	text := string(data)
	o, plain := outlineOfPlain(text)
	if !plain {
		if err := Valid([]byte(data)); err != nil {
			return Node{}, err
		}
		o = outlineOf(text)
	}
	return o.nodeAt(skipBlanks(text, 0)), nil
}

// Start is the byte offset at which the value begins.
func (n Node) Start() int { return n.from }

// End is the byte offset behind the value.
func (n Node) End() int { return n.to }

// Source is the whole text that the value stands in.
func (n Node) Source() string { return n.in.text }

// Raw is the value as it was written.
func (n Node) Raw() string { return n.in.text[n.from:n.to] }

// Text is the value of a string; "" for any other kind. It shares the memory of the
// source where nothing has to be unescaped.
func (n Node) Text() string {
	if n.Kind != '"' {
		return ""
	}
	inner := n.in.text[n.from+1 : n.to-1]
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
		text := n.in.text
		for at := skipBlanks(text, n.from+1); text[at] != ']'; {
			element := n.in.nodeAt(at)
			if !yield(element) {
				return
			}
			at = nextItem(text, element.to)
		}
	}
}

// Most is how many elements an array has at most, without looking at each.
func (n Node) Most() int {
	if n.Kind != '[' {
		return 0
	}
	return 1 + strings.Count(n.Raw(), ",")
}

// Members are those of an object, in the order of the text.
func (n Node) Members() []Member {
	if n.Kind != '{' {
		return nil
	}
	var all []Member
	text := n.in.text
	for at := skipBlanks(text, n.from+1); text[at] != '}'; {
		m := n.in.memberAt(at)
		all = append(all, m)
		at = nextItem(text, m.Value.to)
	}
	return all
}

// Member is the value under a name; its kind is 0 when there is none.
func (n Node) Member(name string) Node {
	if n.Kind != '{' {
		return Node{}
	}
	text := n.in.text
	for at := skipBlanks(text, n.from+1); text[at] != '}'; {
		m := n.in.memberAt(at)
		if m.Name.Text() == name {
			return m.Value
		}
		at = nextItem(text, m.Value.to)
	}
	return Node{}
}

// memberAt is the member whose name starts at an offset.
func (o *outline) memberAt(at int) Member {
	name := o.nodeAt(at)
	colon := skipBlanks(o.text, name.to)
	return Member{Name: name, Value: o.nodeAt(skipBlanks(o.text, colon+1))}
}

// nodeAt is the value that starts at an offset.
func (o *outline) nodeAt(at int) Node {
	text := o.text
	n := Node{Kind: text[at], in: o, from: at}
	switch n.Kind {
	case '"':
		n.to = stringEnd(text, at)
	case '{', '[':
		n.to = o.end(at)
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
