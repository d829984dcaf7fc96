package agent

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// ending is how the work on a prompt ended.
type ending struct {
	kind endingKind
	text string
	// troubles are the calls that the text is about, if there are any.
	troubles []Trouble
}

type endingKind uint8

const (
	finished    endingKind = iota + 1 // the model has nothing more to do
	refused                           // a hook kept the prompt from the model
	halted                            // a hook wants the session to stop
	interrupted                       // somebody ended it
	outOfTurns                        // the model was asked as often as it may be
	unanswered                        // the model gave no turn
	unrecorded                        // something could not be written down
	rejected                          // the prompt names a command that cannot run
	suspended                         // calls wait for somebody's answer
	unavailable                       // the tool of a call that waits is gone
	held                              // a call waits on although somebody has answered it
	unresolved                        // what became of a call has to be found out first
)

// Unrecorded is how the reason of a run begins that has ended because something could not be written
// down. What follows is what is wrong with a disk or a database, and nothing of a call.
const Unrecorded = "the session cannot be recorded and was stopped: "

// broken is the end when something could not be written down: what is not on record
// does not happen.
func broken(err error) ending {
	return ending{kind: unrecorded, text: Unrecorded + err.Error()}
}

// brokenOff is what the host has said that nobody could read, if that has ended the work.
func (e ending) brokenOff(ctx context.Context) []string {
	fault, ok := errors.AsType[*wire.InputError](context.Cause(ctx))
	if e.kind != interrupted || !ok {
		return nil
	}
	return []string{fault.Error()}
}

// tally is what a prompt has cost and what was refused.
type tally struct {
	started time.Time
	apiTime time.Duration
	turns   int
	usage   model.Usage
	models  map[string]wire.ModelUsage
	cost    float64
	denials []wire.Denial
}

// count adds a turn of a model.
func (t *tally) count(name string, u model.Usage) {
	t.usage = t.usage.Add(u)
	cost, _ := model.Cost(name, u) // one that is not known costs nothing here
	t.cost += cost
	if t.models == nil {
		t.models = map[string]wire.ModelUsage{}
	}
	m := t.models[name]
	m.InputTokens += u.InputTokens
	m.OutputTokens += u.OutputTokens
	m.CacheReadInputTokens += u.CacheReadInputTokens
	m.CacheCreationInputTokens += u.CacheCreationInputTokens
	m.CostUSD += cost
	m.ContextWindow = model.ContextWindow(name)
	t.models[name] = m
}

// spend takes over what a sub-agent has cost, and what it was refused.
func (a *Agent) spend(end *wire.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent = append(a.spent, end)
}

// settleAccounts adds what sub-agents have cost.
func (r *run) settleAccounts() {
	r.mu.Lock()
	spent := r.spent
	r.spent = nil
	r.mu.Unlock()
	for _, end := range spent {
		for name, u := range end.ModelUsage {
			r.count(name, model.Usage{
				InputTokens: u.InputTokens, OutputTokens: u.OutputTokens,
				CacheReadInputTokens: u.CacheReadInputTokens, CacheCreationInputTokens: u.CacheCreationInputTokens,
			})
		}
		r.denials = append(r.denials, end.Denials...)
	}
}

// result is the message at the end of a prompt.
func (r *run) result(e ending) *wire.Result {
	r.settleAccounts()
	m := &wire.Result{
		Subtype: wire.Success, DurationMS: since(r.started), DurationAPIMS: r.apiTime.Milliseconds(), NumTurns: r.turns,
		StopReason: r.stopReason, TotalCostUSD: r.cost, Usage: r.usage, ModelUsage: r.models, Denials: r.denials,
	}
	switch e.kind {
	case finished:
		m.Text = r.said
	case refused:
		m.Text, m.StopReason, m.NumTurns = e.text, "", 0
	case halted:
	case suspended:
		m.StopReason, m.Deferred = wire.ToolDeferred, r.Waiting()
	case held:
		m.Subtype, m.IsError, m.Errors = wire.ErrorDuringExecution, true, []string{e.text}
		m.StopReason, m.Deferred = wire.ToolDeferred, r.Waiting()
	case unavailable:
		m.Subtype, m.IsError, m.Errors = wire.ErrorDuringExecution, true, []string{e.text}
		m.StopReason, m.Deferred = wire.ToolDeferredUnavailable, r.Waiting()
	case interrupted, unrecorded, rejected, unresolved:
		m.Subtype, m.IsError, m.Errors = wire.ErrorDuringExecution, true, []string{e.text}
	case outOfTurns:
		m.Subtype, m.IsError, m.Errors = wire.ErrorMaxTurns, true, []string{"the limit of turns was reached"}
	case unanswered:
		m.IsError, m.StopReason, m.Text = true, "stop_sequence", e.text
	}
	m.Batch = len(m.Deferred) > 0 && r.config.Parking == ParkBatch
	return m
}
