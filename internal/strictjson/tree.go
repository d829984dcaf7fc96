package strictjson

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is a value of a JSON text together with its place, for readers that must name
// lines or keep a part as it was written.
type Node struct {
	// Kind is the first character: { [ " t f n, and 0 for numbers.
	Kind byte
	// from and to are the byte offsets of the value in the text.
	from, to int32
	// inner are the elements of an array, or the names and values of an object in
	// turn.
	inner []Node
}

// Member is a name and its value in an object.
type Member struct{ Name, Value Node }

// Start is the byte offset at which the value begins.
func (n Node) Start() int { return int(n.from) }

// End is the byte offset behind the value.
func (n Node) End() int { return int(n.to) }

// Elements are those of an array.
func (n Node) Elements() []Node {
	if n.Kind != '[' {
		return nil
	}
	return n.inner
}

// Members are those of an object, in the order of the text.
func (n Node) Members() []Member {
	if n.Kind != '{' {
		return nil
	}
	all := make([]Member, 0, len(n.inner)/2)
	for i := 0; i < len(n.inner); i += 2 {
		all = append(all, Member{n.inner[i], n.inner[i+1]})
	}
	return all
}

// Tree reads exactly one JSON value as strictly as [Unmarshal] does.
func Tree(data []byte) (Node, error) {
	if len(data) > math.MaxInt32 {
		return Node{}, tooLarge(len(data), math.MaxInt32)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	root, err := readNode(dec, 0)
	if err == nil {
		if _, err = dec.ReadToken(); err == io.EOF {
			return root, nil
		}
	}
	if fault := Valid(data); fault != nil { // which explains more
		return Node{}, fault
	}
	return Node{}, explain(data, err)
}

var errTooDeep = errors.New(depthMessage)

func readNode(dec *jsontext.Decoder, depth int) (Node, error) {
	kind := byte(dec.PeekKind())
	if kind == '[' || kind == '{' {
		if depth == MaxDepth {
			return Node{}, errTooDeep
		}
		return readInside(dec, kind, depth+1)
	}
	raw, err := dec.ReadValue()
	end := int32(dec.InputOffset())
	return Node{Kind: kind, from: end - int32(len(raw)), to: end}, err
}

func readInside(dec *jsontext.Decoder, kind byte, depth int) (Node, error) {
	_, err := dec.ReadToken()
	n := Node{Kind: kind, from: int32(dec.InputOffset()) - 1}
	closing := jsontext.Kind(kind + 2) // of { and [ in ASCII
	for err == nil && dec.PeekKind() != closing {
		var inner Node
		if inner, err = readNode(dec, depth); err == nil {
			n.inner = append(n.inner, inner)
		}
	}
	if err == nil {
		_, err = dec.ReadToken()
	}
	n.to = int32(dec.InputOffset())
	return n, err
}

// Text is the value of a string, given the text it was read from; "" for any other
// kind. It shares the memory of text where nothing has to be unescaped.
func (n Node) Text(text string) string {
	if n.Kind != '"' {
		return ""
	}
	inner := text[n.from+1 : n.to-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	plain, err := jsontext.AppendUnquote(nil, text[n.from:n.to])
	if err != nil {
		return "" // Tree has read it
	}
	return string(plain)
}
