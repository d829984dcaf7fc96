package agent

import (
	"context"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

const (
	// maxCalls is how many calls of one turn are looked at. Nothing that works makes
	// more; a model that does is lost, and telling it so is cheaper than obeying.
	maxCalls = 256
	// maxBeside is how many calls run side by side.
	maxBeside = 8
)

// call is a tool call as the model made it.
type call struct {
	ID, Name string
	Input    strictjson.Raw
	Garbled  string
	// Sole: it is the only call of its turn.
	Sole bool
}

// callsOf finds the calls of a turn.
func callsOf(turn model.Turn) []call {
	var calls []call
	for _, b := range turn.Content {
		if b.Kind == model.ToolUse {
			calls = append(calls, call{ID: b.ID, Name: b.Name, Input: b.Input, Garbled: b.Garbled})
		}
	}
	if len(calls) == 1 {
		calls[0].Sole = true
	}
	return calls
}

// twice is an id that two calls have; empty when there is none.
func twice(calls []call) string {
	seen := make(map[string]bool, len(calls))
	for _, c := range calls {
		if seen[c.ID] {
			return c.ID
		}
		seen[c.ID] = true
	}
	return ""
}

// outcome is what became of a call.
type outcome struct {
	result model.Block
	// data is the result for programs.
	data strictjson.Raw
	// context is what hooks want the model to know beside the result.
	context []string
	denied  bool
	halt    bool
	cut     bool
	// err: something could not be written down.
	err error
}

// runCalls runs the calls of a turn, those that only read side by side, the others one
// after the other, and tells their results in the order of the calls. It returns what
// the model is told.
func (r *run) runCalls(ctx context.Context, calls []call) ([]model.Block, error) {
	var results, notes []model.Block
	for len(calls) > 0 {
		group := calls[:r.together(calls)]
		calls = calls[len(group):]
		for i, o := range r.runGroup(ctx, group, len(results)) {
			if o.err != nil {
				return nil, o.err
			}
			if o.denied {
				r.denials = append(r.denials, wire.Denial{ToolName: group[i].Name, ToolUseID: group[i].ID, ToolInput: group[i].Input})
			}
			r.halt, r.cut = r.halt || o.halt, r.cut || o.cut
			r.turns++
			r.tell(&wire.User{Content: []model.Block{o.result}, ToolUseResult: o.data})
			results = append(results, o.result)
			notes = append(notes, contextBlocks(o.context)...)
		}
	}
	return append(results, notes...), nil
}

// together is how many calls at the front run side by side: those that only read. The
// rules as they stand now say what only reads; a change on the way makes a call slower,
// never bolder, for each one is judged when its turn comes.
func (r *run) together(calls []call) int {
	n := 0
	for n < len(calls) && n < maxBeside && r.order(calls[n]) == tool.Beside {
		n++
	}
	return max(n, 1)
}

func (r *run) order(c call) tool.Order {
	runner, ok := r.tools.byName[c.Name]
	if !ok {
		return tool.Beside // nothing will run
	}
	valid, err := r.engine.Validate(r.context(), permission.Request{Tool: c.Name, Input: c.Input})
	if err != nil {
		return tool.Alone // somebody may be asked to mend it
	}
	return runner.Order(valid)
}

// runGroup runs calls side by side. done is how many results the turn has already.
func (r *run) runGroup(ctx context.Context, group []call, done int) []outcome {
	outcomes := make([]outcome, len(group))
	if len(group) == 1 {
		outcomes[0] = r.runCall(ctx, group[0], done)
		return outcomes
	}
	var running sync.WaitGroup
	for i, c := range group {
		running.Go(func() { outcomes[i] = r.runCall(ctx, c, done+i) })
	}
	running.Wait()
	return outcomes
}

// failure is a call that did not run, for a reason that the model reads.
func failure(c call, text string) outcome {
	return outcome{
		result: model.Block{Kind: model.ToolResult, ToolUseID: c.ID, IsError: true, Result: []model.Block{model.TextBlock(text)}},
		data:   quoted("Error: " + text),
	}
}
