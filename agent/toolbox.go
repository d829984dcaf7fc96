package agent

import (
	"fmt"
	"sync/atomic"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// toolbox is the tools of a session. What is in it may change between two questions to
// the model; the engine and the hooks always look into it as it is.
type toolbox struct {
	content  atomic.Pointer[toolList]
	switches *switches // those of the session
}

// toolList is tools in the order in which the model gets them.
type toolList struct {
	list   []tool.Runner
	byName map[string]tool.Runner
}

// fill puts these tools in place of those that are there.
func (t *toolbox) fill(list []tool.Runner) error {
	content := &toolList{list: list, byName: make(map[string]tool.Runner, len(list))}
	for _, r := range list {
		if _, twice := content.byName[r.Name()]; twice {
			return fmt.Errorf("two tools are called %s", r.Name())
		}
		content.byName[r.Name()] = r
	}
	t.content.Store(content)
	return nil
}

// find is the tool of a name. One that is switched off is not there.
func (t *toolbox) find(name string) (tool.Runner, bool) {
	r, ok := t.content.Load().byName[name]
	if !ok || t.switches.hide(name) {
		return nil, false
	}
	return r, true
}

// Lookup is what the engine finds tools by.
func (t *toolbox) Lookup(name string) (permission.Tool, bool) {
	r, ok := t.find(name)
	return r, ok
}

// offered are the tools that no rule has removed and nobody has switched off. What is a question
// to a person is no tool where nobody is asked.
func (t *toolbox) offered(ctx *permission.Context) []tool.Runner {
	var list []tool.Runner
	for _, r := range t.content.Load().list {
		silent := ctx.NoPrompts() && r.Kind() == permission.Person
		if ctx.Removed(r.Name()) == nil && !t.switches.hide(r.Name()) && !silent {
			list = append(list, r)
		}
	}
	return list
}

// names are what an init message lists.
func (t *toolbox) names(ctx *permission.Context) []string {
	names := []string{}
	for _, r := range t.offered(ctx) {
		names = append(names, r.Name())
	}
	return names
}

// described are the tools as the model gets them.
func (t *toolbox) described(ctx *permission.Context) []model.Tool {
	var list []model.Tool
	for _, r := range t.offered(ctx) {
		list = append(list, model.Tool{Name: r.Name(), Description: r.Description(), Schema: r.Schema()})
	}
	return list
}
