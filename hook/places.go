package hook

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// node is a value inside a JSON text with the place where it stands, so that a
// report can name the line.
type node struct {
	strictjson.Node
	at int // its offset in the whole text
}

// member is one key of an object with its value.
type member struct {
	name  string
	at    int // of the key
	value node
}

// readPlaces parses a JSON text as a whole and returns it as a node.
func readPlaces(text []byte) (node, error) {
	root, err := strictjson.Tree(text)
	if err != nil {
		return node{}, err
	}
	return placed(root), nil
}

func placed(n strictjson.Node) node { return node{Node: n, at: n.Start()} }

// object lists the members of an object in the order of the text.
func (n node) object() ([]member, error) {
	if n.Kind != '{' {
		return nil, fmt.Errorf("want an object, got %s", n.what())
	}
	var members []member
	for _, m := range n.Members() {
		members = append(members, member{name: m.Name.Text(), at: m.Name.Start(), value: placed(m.Value)})
	}
	return members, nil
}

// array lists the elements of an array.
func (n node) array() ([]node, error) {
	if n.Kind != '[' {
		return nil, fmt.Errorf("want an array, got %s", n.what())
	}
	var elements []node
	for e := range n.Elements() {
		elements = append(elements, placed(e))
	}
	return elements, nil
}

// into reads the value into a Go variable; the error has no place of its own.
func (n node) into(v any) error {
	if n.Kind == 'n' {
		return errors.New("want a value, got null; leave the key out instead")
	}
	err := strictjson.Unmarshal([]byte(n.Raw()), v)
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return errors.New(e.Message)
	}
	return err
}

func (n node) what() string { return jsonKind([]byte(n.Raw())) }
