package openai

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/ids"
	"github.com/assent-dev/assent/model/internal/remote"
)

// piece is a part of a tool call.
type piece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name string `json:"name"`
		// Arguments are a string that holds JSON; some servers send the JSON itself.
		Arguments strictjson.Raw `json:"arguments"`
	} `json:"function"`
}

type call struct {
	index     *int
	id, name  string
	arguments strings.Builder
}

// calls puts pieces together.
type calls struct {
	all []*call
	// looked is how many bytes of arguments were checked for being complete.
	looked int
}

// maxLooked keeps a server from having the same arguments checked without end.
const maxLooked = 4 * remote.MaxContent

func (c *calls) take(p piece, tally *remote.Tally) error {
	if err := ids.Check(p.ID, p.Function.Name); err != nil {
		return noCall(err)
	}
	arguments, err := p.arguments()
	if err != nil {
		return err
	}
	if err := tally.Add(len(arguments) + len(p.ID) + len(p.Function.Name)); err != nil {
		return err
	}
	into := c.find(p)
	if into == nil {
		if err := tally.Block(); err != nil {
			return err
		}
		into = &call{index: p.Index}
		c.all = append(c.all, into)
	}
	if into.id == "" {
		into.id = p.ID
	}
	if into.name == "" {
		into.name = p.Function.Name
	}
	into.arguments.WriteString(arguments)
	return nil
}

// check is for calls of which all pieces have come.
func (c *calls) check() error {
	for _, call := range c.all {
		if call.name == "" {
			return noCall(errors.New("it names no tool"))
		}
	}
	return nil
}

func noCall(err error) *model.Error {
	return &model.Error{Kind: model.Nonsense, Text: "the model's server sent a tool call that is none: " + err.Error(), Err: err}
}

// find is the call that a piece belongs to; nil when it starts a new one. The index
// tells, but there are servers that leave it out or send 0 for every call, so that an
// id or a name that cannot be that of the same call counts for more.
func (c *calls) find(p piece) *call {
	for i := len(c.all) - 1; i >= 0; i-- {
		have := c.all[i]
		if p.Index != nil && have.index != nil && *p.Index != *have.index {
			continue
		}
		switch {
		case p.ID != "" && have.id != "":
			if p.ID == have.id {
				return have
			}
			continue
		case p.Function.Name != "" && have.name != "":
			if p.Index != nil && !c.complete(have) {
				return have // its name was only repeated
			}
			return nil
		}
		return have
	}
	return nil
}

func (c *calls) complete(have *call) bool {
	arguments := have.arguments.String()
	if !strings.HasSuffix(arguments, "}") || c.looked > maxLooked {
		return false
	}
	c.looked += len(arguments)
	return strictjson.Valid([]byte(arguments)) == nil
}

func (p piece) arguments() (string, error) {
	raw := p.Function.Arguments
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", nil
	case raw[0] == '"':
		var text string
		err := strictjson.Unmarshal(raw, &text)
		return text, err
	case raw[0] == '{':
		return string(raw), nil
	}
	return "", &model.Error{
		Kind: model.Nonsense, Text: "the arguments of a tool call are neither a string nor an object",
		Err: errors.New(model.OneLine(string(raw[:min(len(raw), 80)]))),
	}
}

// taken are the ids of calls that a conversation has already.
type taken struct{ set *ids.Set }

func known(r model.Request) taken { return taken{ids.Of(r.Messages)} }

// pick keeps an id that no call has. Servers that make none, or count anew in every
// turn, would otherwise have one call answered with the result or the permission of
// another.
func (t taken) pick(id string, r model.Request) string {
	if id != "" && t.set.Add(id) == ids.New {
		return id
	}
	return t.set.Make("call", len(r.Messages))
}
