package notify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// Problem is something in the settings that keeps a target from being one.
type Problem struct {
	Path    string // "notifications[0].url"
	Line    int    // in the text that was read, from 1
	Message string
}

func (p Problem) Error() string { return p.Path + ": " + p.Message }

// entry is one target as it is written under "assent": {"notifications": […]}.
type entry struct {
	Name    string   `json:"name"`
	Type    Type     `json:"type"`
	Only    []string `json:"only"`
	Input   bool     `json:"input"`
	Private bool     `json:"private"`

	URL    string `json:"url"`
	Secret places `json:"secret"`
	Topic  string `json:"topic"`

	Server string   `json:"server"`
	TLS    security `json:"tls"`
	From   string   `json:"from"`
	To     []string `json:"to"`
	User   string   `json:"user"`
}

// places are one place of a secret, or a list of them.
type places []secret.Place

// UnmarshalJSON takes both forms.
func (p *places) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return strictjson.UnmarshalKnown(data, (*[]secret.Place)(p))
	}
	*p = make(places, 1)
	return strictjson.UnmarshalKnown(data, &(*p)[0])
}

var (
	commonKeys = []string{"name", "type", "only", "input", "private"}
	// ownKeys are those that a type has besides.
	ownKeys = map[Type][]string{
		Webhook: {"url", "secret"},
		Slack:   {"secret"},
		Ntfy:    {"url", "topic", "secret"},
		Email:   {"server", "tls", "from", "to", "user", "secret"},
	}
)

// Parse reads the list of targets. It returns those that are sound, and every problem of the
// others with its place: what is misspelt never becomes a target that is less careful.
func Parse(list []byte) ([]Target, []Problem) {
	r := &reader{names: map[string]bool{}}
	top, err := strictjson.Tree(list)
	if err != nil {
		p := Problem{Path: "notifications", Line: 1, Message: err.Error()}
		if fault, ok := errors.AsType[*strictjson.Error](err); ok {
			p.Line, p.Message = fault.Line, fault.Message
		}
		return nil, []Problem{p}
	}
	if top.Kind != '[' {
		r.fail(top, "notifications", errors.New(`notifications are a list of targets: [{"name": …, "type": …}]`))
		return nil, r.problems
	}
	var targets []Target
	for node := range top.Elements() {
		before := len(r.problems)
		target := r.target(node, fmt.Sprintf("notifications[%d]", r.count))
		if r.count++; len(r.problems) == before {
			targets = append(targets, target)
		}
	}
	return targets, r.problems
}

type reader struct {
	problems []Problem
	names    map[string]bool
	count    int
}

func (r *reader) fail(node strictjson.Node, path string, err error) {
	line := 1 + strings.Count(node.Source()[:node.Start()], "\n")
	r.problems = append(r.problems, Problem{Path: path, Line: line, Message: err.Error()})
}

// target reads one element. Its values are read one by one, so that each can have its problem.
func (r *reader) target(node strictjson.Node, path string) Target {
	if node.Kind != '{' {
		r.fail(node, path, errors.New(`a target is an object: {"name": …, "type": …}`))
		return Target{}
	}
	var e entry
	before := len(r.problems)
	for _, m := range node.Members() {
		name := m.Name.Text()
		at := path + "." + policy.Visible(name)
		if err := known(name, Type(node.Member("type").Text())); err != nil {
			r.fail(m.Name, at, err)
			continue
		}
		one := "{" + m.Name.Raw() + ":" + m.Value.Raw() + "}"
		if err := strictjson.UnmarshalKnown([]byte(one), &e); err != nil {
			r.fail(m.Value, at, misfit(name, err))
		}
	}
	if len(r.problems) > before { // what is missing could be what is misspelt
		return Target{}
	}
	c := checker{reader: r, node: node, path: path}
	return c.target(e)
}

// known says why a key has no place in a target of a type. Where the type is the problem, the
// keys of all types are known.
func known(name string, of Type) error {
	keys, typed := ownKeys[of]
	if !typed {
		keys = slices.Concat(slices.Collect(maps.Values(ownKeys))...)
	}
	switch {
	case slices.Contains(commonKeys, name) || slices.Contains(keys, name):
		return nil
	case of == Slack && name == "url":
		return errors.New(`the address is a secret of Slack's: put it where "secret" says, {"env": "NAME"} or {"file": "PATH"}`)
	case typed:
		return fmt.Errorf("a target of the type %s has no such key (it has %v)", of, slices.Concat(commonKeys, keys))
	}
	return errors.New("nobody knows this key")
}

// misfit says what a key wants. The value is not repeated: somebody may have put the secret
// itself there.
func misfit(name string, err error) error {
	switch name {
	case "input", "private":
		return errors.New("write true or false")
	case "only", "to":
		return errors.New(`write a list of texts: ["…"]`)
	case "secret":
		return errors.New(`write where the secret is, never the secret: {"env": "NAME"} or {"file": "PATH"}`)
	}
	if fault, ok := errors.AsType[*strictjson.Error](err); ok && fault.Fault != strictjson.Misfit {
		return errors.New(fault.Message)
	}
	return errors.New("write a text")
}
