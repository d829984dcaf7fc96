package script

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"go.yaml.in/yaml/v3"
)

// field reads the value of a key.
type field func(*yaml.Node) error

func (rd *reader) fault(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", rd.name, n.Line, n.Column, fmt.Sprintf(format, args...))
}

// fields reads a mapping whose keys are known.
func (rd *reader) fields(n *yaml.Node, what string, known map[string]field) error {
	if n.Kind != yaml.MappingNode {
		return rd.fault(n, "%s is a mapping with %s; got %s", what, names(known), kindName(n))
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if err := rd.plainKey(key); err != nil {
			return err
		}
		read, ok := known[key.Value]
		switch {
		case !ok:
			return rd.fault(key, "%s has no key %q; it has %s", what, key.Value, names(known))
		case seen[key.Value]:
			return rd.fault(key, "the key %q occurs twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

func names(known map[string]field) string {
	return strings.Join(slices.Sorted(maps.Keys(known)), ", ")
}

func (rd *reader) plainKey(key *yaml.Node) error {
	if key.Kind != yaml.ScalarNode || key.Tag != "!!str" || key.Anchor != "" {
		return rd.fault(key, "a key must be a plain text; put it in quotes")
	}
	return nil
}

func (rd *reader) list(n *yaml.Node, what string, read field) error {
	if n.Kind != yaml.SequenceNode {
		return rd.fault(n, "%s must be a list, each entry behind a dash; got %s", what, kindName(n))
	}
	for _, entry := range n.Content {
		if err := read(entry); err != nil {
			return err
		}
	}
	return nil
}

func (rd *reader) text(into *string) field {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
			return rd.fault(n, "want a text, got %s; put it in quotes", kindName(n))
		}
		*into = n.Value
		return nil
	}
}

func (rd *reader) number(into *int) field {
	return func(n *yaml.Node) error {
		value, err := strconv.Atoi(n.Value)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || value < 0 {
			return rd.fault(n, "want a whole number that is not negative, got %s", kindName(n))
		}
		*into = value
		return nil
	}
}

func (rd *reader) duration(into *time.Duration) field {
	return func(n *yaml.Node) error {
		value, err := time.ParseDuration(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil || value < 0 {
			return rd.fault(n, "want a time with its unit, such as 200ms or 2s")
		}
		*into = value
		return nil
	}
}

// expectations reads one or a list of them.
func (rd *reader) expectations(n *yaml.Node) ([]expectation, error) {
	entries := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		entries = n.Content
	}
	var out []expectation
	for _, entry := range entries {
		e, err := rd.expectation(entry)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (rd *reader) expectation(n *yaml.Node) (expectation, error) {
	e := expectation{line: n.Line}
	if n.Kind != yaml.MappingNode {
		err := rd.text(&e.text)(n)
		return e, err
	}
	err := rd.fields(n, "expect", map[string]field{
		"text": rd.text(&e.text),
		"matches": func(n *yaml.Node) (err error) {
			var pattern string
			if err := rd.text(&pattern)(n); err != nil {
				return err
			}
			if e.matches, err = regexp.Compile(pattern); err != nil {
				return rd.fault(n, "the regular expression: %v", err)
			}
			return nil
		},
		"failed": func(n *yaml.Node) error {
			switch {
			case n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "true":
				e.failed = failed
			case n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "false":
				e.failed = succeeded
			default:
				return rd.fault(n, "want true or false, got %s", kindName(n))
			}
			return nil
		},
	})
	if err == nil && len(n.Content) == 0 {
		err = rd.fault(n, "expect says nothing; give it text, matches or failed")
	}
	return e, err
}

// input is the JSON of a tool's input, its keys in the order of the file.
func (rd *reader) input(n *yaml.Node) (string, error) {
	if n.Kind != yaml.MappingNode {
		return "", rd.fault(n, "the input of a tool is a mapping such as {command: ls}, got %s; for anything else write {tool: …, raw: '…'}", kindName(n))
	}
	out, err := rd.appendJSON(nil, n, 0)
	return string(out), err
}

func (rd *reader) appendJSON(out []byte, n *yaml.Node, depth int) ([]byte, error) {
	if depth >= strictjson.MaxDepth {
		return out, rd.fault(n, "nested more than %d levels deep", strictjson.MaxDepth)
	}
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		return out, rd.fault(n, "anchors and aliases are not supported; write the value out")
	}
	var err error
	switch n.Kind {
	case yaml.SequenceNode:
		out = append(out, '[')
		for i, entry := range n.Content {
			if i > 0 {
				out = append(out, ',')
			}
			if out, err = rd.appendJSON(out, entry, depth+1); err != nil {
				return out, err
			}
		}
		return append(out, ']'), nil
	case yaml.MappingNode:
		return rd.appendObject(out, n, depth)
	}
	return rd.appendScalar(out, n)
}

func (rd *reader) appendObject(out []byte, n *yaml.Node, depth int) ([]byte, error) {
	seen := map[string]bool{}
	out = append(out, '{')
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if err := rd.plainKey(key); err != nil {
			return out, err
		}
		if seen[key.Value] {
			return out, rd.fault(key, "the key %q occurs twice; to play such a model write {tool: …, raw: '…'}", key.Value)
		}
		seen[key.Value] = true
		name, err := strictjson.Marshal(key.Value)
		if err != nil {
			return out, rd.fault(key, "%v", err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, name...), ':')
		if out, err = rd.appendJSON(out, n.Content[i+1], depth+1); err != nil {
			return out, err
		}
	}
	return append(out, '}'), nil
}

func (rd *reader) appendScalar(out []byte, n *yaml.Node) ([]byte, error) {
	switch n.Tag {
	case "!!null":
		return append(out, "null"...), nil
	case "!!bool":
		var value bool
		if n.Decode(&value) == nil {
			return strconv.AppendBool(out, value), nil
		}
	case "!!int":
		var value int64
		if n.Decode(&value) == nil {
			return strconv.AppendInt(out, value, 10), nil
		}
	case "!!float":
		var value float64
		if n.Decode(&value) == nil && !math.IsInf(value, 0) && !math.IsNaN(value) {
			number, err := strictjson.Marshal(value)
			return append(out, number...), err
		}
	case "!!str", "!!timestamp": // a date is a text to JSON
		text, err := strictjson.Marshal(n.Value)
		if err != nil {
			return out, rd.fault(n, "%v", err)
		}
		return append(out, text...), nil
	}
	return out, rd.fault(n, "%s cannot be written as JSON; put it in quotes", n.Value)
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias, which is not supported"
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!null":
			return "nothing"
		case "!!int", "!!float":
			return "the number " + n.Value
		case "!!bool":
			return n.Value
		}
		return "a text"
	}
	return "something else"
}
