package agent

import (
	"fmt"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// toolbox is the tools of a session, in the order in which the model gets them.
type toolbox struct {
	list   []tool.Runner
	byName map[string]tool.Runner
}

func newToolbox(list []tool.Runner) (toolbox, error) {
	t := toolbox{list: list, byName: make(map[string]tool.Runner, len(list))}
	for _, r := range list {
		if _, twice := t.byName[r.Name()]; twice {
			return t, fmt.Errorf("two tools are called %s", r.Name())
		}
		t.byName[r.Name()] = r
	}
	return t, nil
}

// Lookup is what the engine finds tools by.
func (t toolbox) Lookup(name string) (permission.Tool, bool) {
	r, ok := t.byName[name]
	return r, ok
}

// offered are the tools that no rule has removed.
func (t toolbox) offered(ctx *permission.Context) []tool.Runner {
	var list []tool.Runner
	for _, r := range t.list {
		if ctx.Removed(r.Name()) == nil {
			list = append(list, r)
		}
	}
	return list
}

// names are what an init message lists.
func (t toolbox) names(ctx *permission.Context) []string {
	names := []string{}
	for _, r := range t.offered(ctx) {
		names = append(names, r.Name())
	}
	return names
}

// described are the tools as the model gets them.
func (t toolbox) described(ctx *permission.Context) []model.Tool {
	var list []model.Tool
	for _, r := range t.offered(ctx) {
		list = append(list, model.Tool{Name: r.Name(), Description: r.Description(), Schema: r.Schema()})
	}
	return list
}
