package terminal

import (
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// calls are those of the prompt that is worked off, by their ids: who reads about one
// wants to know whose it is.
type calls struct {
	mu   sync.Mutex
	byID map[string]called
}

// called is a call that a model has made.
type called struct {
	tool string
	// task is what a sub-agent that the call starts is called: what it is to do, or its
	// kind.
	task string
	// parent is the call of the sub-agent that made it.
	parent string
}

// observe remembers the calls in a message, and forgets them at the end of a prompt.
func (c *calls) observe(m wire.Message) {
	switch m := m.(type) {
	case *wire.Assistant:
		if m.Block.Kind == model.ToolUse {
			c.remember(m.Block, m.ParentToolUseID)
		}
	case *wire.Result:
		c.mu.Lock()
		clear(c.byID)
		c.mu.Unlock()
	}
}

func (c *calls) remember(b model.Block, parent string) {
	var input struct {
		Kind string `json:"subagent_type"`
		What string `json:"description"`
	}
	one := called{tool: b.Name, parent: parent}
	if strictjson.Unmarshal(b.Input, &input) == nil {
		one.task = orElse(input.What, input.Kind)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil {
		c.byID = map[string]called{}
	}
	c.byID[b.ID] = one
}

// known is what is known about a call.
func (c *calls) known(id string) called {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byID[id]
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
