package agent

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// work asks the model and runs what it calls until it has nothing more to do.
func (r *run) work(ctx context.Context) ending {
	for {
		if !r.mayAsk() {
			return ending{kind: outOfTurns}
		}
		if end, stop := r.makeRoom(ctx); stop {
			return end
		}
		if r.halts() {
			return ending{kind: halted}
		}
		turn, err := r.ask(ctx)
		switch {
		case stopped(ctx):
			return r.interrupted()
		case err != nil:
			return r.failed(err)
		}
		if end, stop := r.step(ctx, turn); stop {
			return end
		}
	}
}

// mayAsk: the model may be asked once more. What sub-agents ask counts for the session as
// well, or its limit would be none.
func (r *run) mayAsk() bool {
	session := r.root()
	if limit := session.config.MaxTurns; session.asks.Add(1) > int64(limit) && limit > 0 {
		return false
	}
	r.asked++
	return r.config.MaxTurns <= 0 || r.asked <= r.config.MaxTurns
}

// halts: a hook wants the session to stop, here or in another agent of it.
func (r *run) halts() bool {
	session := r.root()
	return session.halting.Load() || session.forbidden.Load() != nil
}

// step deals with one turn of the model; stop is false when the model is to be asked
// again.
func (r *run) step(ctx context.Context, turn model.Turn) (end ending, stop bool) {
	r.stopReason, r.owed = turn.StopReason, false
	calls := callsOf(turn)
	if err := senseless(calls); err != nil {
		return r.failed(err), true
	}
	r.tellTurn(turn)
	if len(turn.Content) > 0 { // an empty turn says nothing, and no model takes one back
		if err := r.remember(model.Message{Role: model.Assistant, Content: turn.Content}); err != nil {
			return broken(err), true
		}
	}
	if len(calls) == 0 {
		return r.finish(ctx)
	}
	answer, pending, err := r.runCalls(ctx, calls)
	switch {
	case err != nil:
		return broken(err), true
	case pending != nil:
		if err := r.suspend(ctx, pending); err != nil {
			return broken(err), true
		}
		return ending{kind: suspended}, true
	}
	if err := r.remember(model.Message{Role: model.User, Content: answer}); err != nil {
		return broken(err), true
	}
	return r.afterCalls(ctx)
}

// afterCalls looks whether the model is to be asked again, now that it can be told what
// became of its calls.
func (r *run) afterCalls(ctx context.Context) (end ending, stop bool) {
	if err := r.Broken(); err != nil { // a sub-agent could not write something down
		return broken(err), true
	}
	switch {
	case stopped(ctx) || r.cut:
		return r.interrupted(), true
	case r.halts():
		return ending{kind: halted}, true
	}
	return ending{}, false
}

// finish hears the Stop hooks: one that objects makes the model go on.
func (r *run) finish(ctx context.Context) (end ending, stop bool) {
	verdict := r.hooks(ctx, hook.Occasion{Input: r.stopInput()})
	r.tellHalt(verdict)
	if verdict.Halt || !verdict.Block {
		return ending{kind: finished}, true
	}
	if stopped(ctx) {
		return r.interrupted(), true
	}
	r.stopActive = true
	feedback := model.TextBlock(feedbackHead + strings.Join(verdict.Feedback, "\n"))
	r.feedback = []model.Block{feedback}
	r.turns++
	r.tell(&wire.User{Content: []model.Block{feedback}, Synthetic: true})
	if err := r.remember(model.Message{Role: model.User, Content: []model.Block{feedback}}); err != nil {
		return broken(err), true
	}
	return ending{}, false
}

// stopInput is what hooks are told at the end.
func (r *run) stopInput() hook.Input {
	if r.descent != nil {
		return hook.SubagentStopInput{Base: r.base(), StopHookActive: r.stopActive, LastAssistantMessage: r.said}
	}
	return hook.StopInput{Base: r.base(), StopHookActive: r.stopActive, LastAssistantMessage: r.said}
}

// ask asks the model for its next turn.
func (r *run) ask(ctx context.Context) (model.Turn, error) {
	r.renew(ctx)
	permissions := r.context()
	request := model.Request{
		Model: r.Model(), System: r.config.System, Messages: r.conversation, Tools: r.tools.described(permissions), Partial: r.config.Partial,
	}
	start := time.Now()
	r.stopReason = "" // nobody has answered this one yet
	turn, err := r.config.Provider.Ask(ctx, request, r.tellEvent)
	r.apiTime += time.Since(start)
	if err == nil {
		r.count(request.Model, turn.Usage)
		r.weight = turn.Usage.InputTokens + turn.Usage.CacheCreationInputTokens + turn.Usage.CacheReadInputTokens + turn.Usage.OutputTokens
	}
	return turn, err
}

// tellEvent passes on what happens while the model answers.
func (r *run) tellEvent(e model.Event) {
	switch e := e.(type) {
	case model.Delta:
		if r.config.Partial {
			r.tell(&wire.StreamEvent{Event: e.JSON})
		}
	case model.RetryEvent:
		r.tell(&wire.APIRetry{Attempt: e.Attempt, MaxRetries: e.Max, RetryDelayMS: e.Delay.Milliseconds(), ErrorStatus: e.Err.Status, Error: e.Err.Word()})
	}
}

// tellTurn tells what the model said, block by block.
func (r *run) tellTurn(turn model.Turn) {
	for _, b := range turn.Content {
		if b.Kind == model.Text {
			r.said = b.Text
		}
		r.tell(&wire.Assistant{TurnID: turn.ID, Model: turn.Model, Block: b, Usage: turn.Usage})
	}
}

// failed is a model that gave no turn. The host gets a message in its place.
func (r *run) failed(err error) ending {
	text, word := err.Error(), "unknown"
	if e, ok := errors.AsType[*model.Error](err); ok {
		word = e.Word()
	}
	r.tell(&wire.Assistant{TurnID: "error", Model: "<synthetic>", Block: model.TextBlock(text), Error: word})
	return ending{kind: unanswered, text: text}
}

// interrupted tells that somebody ended the work.
func (r *run) interrupted() ending {
	if r.config.Unattended {
		return ending{kind: interrupted, text: "interrupted"}
	}
	text := interruptedHead + "]"
	if len(r.conversation) > 0 && r.stopReason == "tool_use" {
		text = interruptedHead + " for tool use]"
	}
	block := model.TextBlock(text)
	r.turns++
	r.tell(&wire.User{Content: []model.Block{block}})
	if err := r.remember(model.Message{Role: model.User, Content: []model.Block{block}}); err != nil {
		return broken(err)
	}
	return ending{kind: interrupted, text: "interrupted"}
}
