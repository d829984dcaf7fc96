package script

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/ids"
	"go.yaml.in/yaml/v3"
)

// script is a file that was read.
type script struct {
	name       string
	turns      []turn
	afterwards string
}

type turn struct {
	say    string
	calls  []call
	expect []expectation
	stop   string
	delay  time.Duration
	usage  model.Usage
	fails  *failure
	repeat int
}

type call struct {
	id, tool string
	input    string // as the model writes it
}

type failure struct {
	status     int
	message    string
	retryAfter time.Duration
}

// reader reads nodes and names the place of what is wrong.
type reader struct {
	name string
	ids  map[string]bool
}

func read(name string, text []byte) (*script, error) {
	rd := &reader{name: name, ids: map[string]bool{}}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%s is not valid UTF-8", name)
	}
	var doc, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s is empty; a script starts with the key turns", name)
	case err != nil:
		return nil, fmt.Errorf("%s is not YAML: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s has a second document behind ---; put all turns into one", name)
	}
	s := &script{name: name}
	err := rd.fields(doc.Content[0], "a script", map[string]field{
		"turns": func(n *yaml.Node) error {
			return rd.list(n, "turns", func(n *yaml.Node) error {
				t, err := rd.turn(n)
				s.turns = append(s.turns, t)
				return err
			})
		},
		"afterwards": rd.text(&s.afterwards),
	})
	if err != nil {
		return nil, err
	}
	if len(s.turns) == 0 && s.afterwards == "" {
		return nil, rd.fault(doc.Content[0], "there are no turns; a script starts with the key turns")
	}
	return s, nil
}

func (rd *reader) turn(n *yaml.Node) (turn, error) {
	t := turn{repeat: 1}
	one := func(n *yaml.Node) error {
		c, err := rd.call(n)
		t.calls = append(t.calls, c)
		return err
	}
	err := rd.fields(n, "a turn", map[string]field{
		"say":    rd.text(&t.say),
		"call":   one,
		"calls":  func(n *yaml.Node) error { return rd.list(n, "calls", one) },
		"expect": func(n *yaml.Node) (err error) { t.expect, err = rd.expectations(n); return err },
		"stop":   rd.text(&t.stop),
		"delay":  rd.duration(&t.delay),
		"usage": func(n *yaml.Node) error {
			return rd.fields(n, "usage", map[string]field{
				"input": rd.number(&t.usage.InputTokens), "output": rd.number(&t.usage.OutputTokens),
			})
		},
		"error":  func(n *yaml.Node) (err error) { t.fails, err = rd.failure(n); return err },
		"repeat": rd.number(&t.repeat),
	})
	switch {
	case err != nil:
		return t, err
	case t.repeat < 1:
		return t, rd.fault(n, "repeat must be 1 or more")
	case t.fails != nil && (t.say != "" || len(t.calls) > 0 || t.stop != ""):
		return t, rd.fault(n, "a turn is an error or an answer; put say and calls into a turn of their own")
	case t.fails == nil && t.say == "" && len(t.calls) == 0:
		return t, rd.fault(n, "the turn does nothing; give it say, call, calls or error")
	case t.repeat > 1 && rd.namesIDs(t):
		return t, rd.fault(n, "a turn that is repeated cannot name the ids of its calls")
	}
	return t, nil
}

func (rd *reader) namesIDs(t turn) bool {
	for _, c := range t.calls {
		if c.id != "" {
			return true
		}
	}
	return false
}

// call reads {Bash: {…}} or {tool: Bash, …}.
func (rd *reader) call(n *yaml.Node) (call, error) {
	if n.Kind != yaml.MappingNode {
		return call{}, rd.fault(n, "a call is written {Bash: {command: ls}}, got %s", kindName(n))
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == "tool" {
			return rd.longCall(n)
		}
	}
	if len(n.Content) != 2 {
		return call{}, rd.fault(n, "a call names one tool; several go under calls:, as a list")
	}
	key, value := n.Content[0], n.Content[1]
	c := call{tool: key.Value}
	if err := rd.plainKey(key); err != nil {
		return c, err
	}
	if err := ids.Check("", c.tool); err != nil {
		return c, rd.fault(n, "%v", err)
	}
	var err error
	c.input, err = rd.input(value)
	return c, err
}

func (rd *reader) longCall(n *yaml.Node) (call, error) {
	var c call
	var inputs int
	err := rd.fields(n, "a call", map[string]field{
		"tool":  rd.text(&c.tool),
		"id":    rd.text(&c.id),
		"input": func(n *yaml.Node) (err error) { inputs++; c.input, err = rd.input(n); return err },
		"raw":   func(n *yaml.Node) error { inputs++; return rd.text(&c.input)(n) },
	})
	switch {
	case err != nil:
		return c, err
	case c.tool == "":
		return c, rd.fault(n, "the call names no tool")
	case inputs > 1:
		return c, rd.fault(n, "a call has input or raw, not both")
	case c.id != "" && rd.ids[c.id]:
		return c, rd.fault(n, "the id %q occurs twice", c.id)
	}
	if err := ids.Check(c.id, c.tool); err != nil {
		return c, rd.fault(n, "%v", err)
	}
	rd.ids[c.id] = true
	return c, nil
}

func (rd *reader) failure(n *yaml.Node) (*failure, error) {
	f := &failure{}
	err := rd.fields(n, "an error", map[string]field{
		"status": rd.number(&f.status), "message": rd.text(&f.message), "retry_after": rd.duration(&f.retryAfter),
	})
	if err == nil && (f.status < 400 || f.status > 599) {
		err = rd.fault(n, "an error needs a status from 400 to 599, such as 529")
	}
	return f, err
}
