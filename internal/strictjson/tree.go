package strictjson

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is a value of a JSON text together with its place, for readers that must name
// lines or keep a part as it was written.
type Node struct {
	// Kind is the first character: { [ " t f n, and 0 for numbers.
	Kind byte
	// Start and End are the byte offsets of the value in the text.
	Start, End int
	Elements   []Node   // of an array
	Members    []Member // of an object, in the order of the text
}

// Member is a name and its value in an object.
type Member struct{ Name, Value Node }

// Tree reads exactly one JSON value as strictly as [Unmarshal] does.
func Tree(data []byte) (Node, error) {
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
	switch {
	case (kind == '[' || kind == '{') && depth == MaxDepth:
		return Node{}, errTooDeep
	case kind == '[':
		return readArray(dec, depth+1)
	case kind == '{':
		return readObject(dec, depth+1)
	}
	raw, err := dec.ReadValue()
	end := int(dec.InputOffset())
	return Node{Kind: kind, Start: end - len(raw), End: end}, err
}

func readArray(dec *jsontext.Decoder, depth int) (Node, error) {
	n, err := open(dec, '[')
	for err == nil && dec.PeekKind() != ']' {
		var element Node
		if element, err = readNode(dec, depth); err == nil {
			n.Elements = append(n.Elements, element)
		}
	}
	return shut(dec, n, err)
}

func readObject(dec *jsontext.Decoder, depth int) (Node, error) {
	n, err := open(dec, '{')
	for err == nil && dec.PeekKind() != '}' {
		var m Member
		if m.Name, err = readNode(dec, depth); err != nil {
			break
		}
		if m.Value, err = readNode(dec, depth); err == nil {
			n.Members = append(n.Members, m)
		}
	}
	return shut(dec, n, err)
}

func open(dec *jsontext.Decoder, kind byte) (Node, error) {
	_, err := dec.ReadToken()
	return Node{Kind: kind, Start: int(dec.InputOffset()) - 1}, err
}

func shut(dec *jsontext.Decoder, n Node, err error) (Node, error) {
	if err == nil {
		_, err = dec.ReadToken()
	}
	n.End = int(dec.InputOffset())
	return n, err
}

// Text is the value of a string, given the text it was read from; "" for any other
// kind. It shares the memory of text where nothing has to be unescaped.
func (n Node) Text(text string) string {
	if n.Kind != '"' {
		return ""
	}
	inner := text[n.Start+1 : n.End-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	plain, err := jsontext.AppendUnquote(nil, text[n.Start:n.End])
	if err != nil {
		return "" // Tree has read it
	}
	return string(plain)
}
