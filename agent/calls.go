package agent

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

const (
	// maxCalls is how many calls of one turn are looked at. Nothing that works makes
	// more; a model that does is lost, and telling it so is cheaper than obeying.
	maxCalls = 256
	// maxAnswers is how many calls of one turn are answered at all. A turn that has more
	// is none: what it would take to write the answers down is better spent.
	maxAnswers = 100_000
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

// senseless is why the calls of a turn cannot be answered; nil when they can.
func senseless(calls []call) error {
	if len(calls) > maxAnswers {
		return &model.Error{Kind: model.Nonsense, Text: fmt.Sprintf("the model made %d calls in one turn", len(calls))}
	}
	seen := make(map[string]bool, len(calls))
	for _, c := range calls {
		if seen[c.ID] { // nobody could tell their results apart
			return &model.Error{Kind: model.Nonsense, Text: fmt.Sprintf("the model made two calls with the id %q in one turn", c.ID)}
		}
		seen[c.ID] = true
	}
	return nil
}

// outcome is what became of a call.
type outcome struct {
	result model.Block
	// data is the result for programs.
	data strictjson.Raw
	// context is what hooks want the model to know beside the result.
	context []string
	// waits is the call if it has no result, because it waits for somebody's answer.
	waits *session.PendingCall
	// stays is why a parked call waits on although somebody has answered it; zero when
	// nobody has.
	stays ending
	// claim is that of a parked call which ran; unclaimed is why one could not be run.
	claim     Claim
	unclaimed error
	// verdict is that on a parked call which does not run, before it is on record; see
	// [run.refused].
	verdict verdict
	denied  bool
	halt    bool
	cut     bool
	// err: something could not be written down.
	err error
}

// runCalls runs the calls of a turn, those that only read side by side, the others one
// after the other, and tells their results in the order of the calls. It returns what
// the model is told; or, if calls wait for an answer, these.
func (r *run) runCalls(ctx context.Context, calls []call) ([]model.Block, *session.Pending, error) {
	var results, notes []model.Block
	var pending session.Pending
	beyond := calls[min(len(calls), maxCalls):]
	calls = calls[:len(calls)-len(beyond)]
	for len(calls) > 0 {
		group := calls[:r.together(calls)]
		calls = calls[len(group):]
		for i, o := range r.runGroup(ctx, group) {
			if o.err != nil {
				return nil, nil, o.err
			}
			if o.waits != nil {
				pending.Calls = append(pending.Calls, *o.waits)
				continue
			}
			pending.Settled = append(pending.Settled, session.Settlement{ToolUseID: group[i].ID, Result: o.result, Context: o.context, Halt: o.halt})
			if o.denied {
				r.denials = append(r.denials, wire.Denial{ToolName: group[i].Name, ToolUseID: group[i].ID, ToolInput: group[i].Input})
			}
			r.cut = r.cut || o.cut
			if o.halt {
				r.root().halting.Store(true)
			}
			r.tellResult(o)
			results = append(results, o.result)
			notes = append(notes, contextBlocks(o.context)...)
		}
	}
	tooMany, err := r.turnDown(beyond)
	if err != nil {
		return nil, nil, err
	}
	if len(pending.Calls) > 0 {
		for _, b := range tooMany {
			pending.Settled = append(pending.Settled, session.Settlement{ToolUseID: b.ToolUseID, Result: b})
		}
		return nil, &pending, nil
	}
	return append(append(results, tooMany...), notes...), nil, nil
}

func (r *run) tellResult(o outcome) {
	r.turns++
	r.tell(&wire.User{Content: []model.Block{o.result}, ToolUseResult: o.data})
}

// turnDown answers the calls of a turn that are too many. None is looked at, and one
// record tells of all: a model must not be able to keep everybody busy with refusals.
func (r *run) turnDown(calls []call) ([]model.Block, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	text := fmt.Sprintf("Not run: a turn may have at most %d calls. Make fewer at a time.", maxCalls)
	first := &matter{call: calls[0], started: time.Now()}
	if err := r.record(first, failed, fmt.Sprintf("%s This one and the %d behind it were left out.", text, len(calls)-1)); err != nil {
		return nil, r.unrecorded(first, err).err
	}
	o := failure(calls[0], text)
	results := make([]model.Block, len(calls))
	for i, c := range calls {
		o.result.ToolUseID = c.ID
		results[i] = o.result
		r.tellResult(o)
	}
	return results, nil
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
	runner, ok := r.tools.find(c.Name)
	if !ok {
		return tool.Beside // nothing will run
	}
	valid, err := r.engine.Validate(r.context(), permission.Request{Tool: c.Name, Input: c.Input})
	if err != nil {
		return tool.Alone // somebody may be asked to mend it
	}
	return runner.Order(valid)
}

// runGroup runs calls side by side.
func (r *run) runGroup(ctx context.Context, group []call) []outcome {
	outcomes := make([]outcome, len(group))
	if len(group) == 1 {
		outcomes[0] = r.runCall(ctx, group[0])
		return outcomes
	}
	var running sync.WaitGroup
	for i, c := range group {
		running.Go(func() { outcomes[i] = r.runCall(ctx, c) })
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
