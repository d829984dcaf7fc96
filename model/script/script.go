// Package script is a model that plays turns from a YAML file: offline, free and the
// same every time. It is for tests, demos and rehearsals of a policy.
//
//	turns:
//	  - say: I will run the tests.
//	    call: {Bash: {command: go test ./...}}
//	  - expect: ok
//	    say: All green.
//
// Every request plays the next turn. A turn may have:
//
//	say:     a text
//	call:    a tool call, {Tool: {…input…}}; or with more to say about it
//	         {tool: Tool, input: {…}, id: toolu_1}, or {tool: Tool, raw: '{"a":1,"a":2}'}
//	         to play a model that writes its input as no program would
//	calls:   a list of calls, which the model makes side by side
//	expect:  what the results that the model is told must hold, checked before the
//	         turn is played: a text that one of them contains, or {text: …},
//	         {matches: a regular expression}, {failed: true}, or a list of these
//	stop:    the stop reason; else it follows from the calls
//	delay:   how long the model thinks: 200ms
//	usage:   {input: 1200, output: 80}, in tokens; else none
//	error:   {status: 529, message: …, retry_after: 2s} instead of an answer
//	repeat:  how often the turn is played; else once
//
// When the turns are used up, a request is an error, unless the file has a text to
// say from then on: `afterwards: That is all.` A request for something beside the
// conversation, such as a summary, plays a turn like any other.
//
// The file is read strictly: a key that is unknown or occurs twice, a value of the
// wrong type, an alias, is an error that names the line.
package script

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/ids"
	"github.com/assent-dev/assent/model/internal/stream"
)

// Model is the name that turns have for their model.
const Model = "script"

// New makes a provider of a script's text. name is what errors call it.
func New(name string, text []byte) (model.Provider, error) {
	s, err := read(name, text)
	if err != nil {
		return nil, err
	}
	return &provider{script: *s}, nil
}

type provider struct {
	script
	mu     sync.Mutex
	turn   int // the next one
	played int // how often it was
	asked  int // how many requests there were
}

func (p *provider) Name() string { return "script" }

// next is the turn to play, nil when there is none left.
func (p *provider) next() (t *turn, request int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.turn == len(p.turns) {
		return nil, p.asked
	}
	t = &p.turns[p.turn]
	if p.played++; p.played >= t.repeat {
		p.turn, p.played = p.turn+1, 0
	}
	return t, p.asked
}

func (p *provider) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	if err := ctx.Err(); err != nil {
		return model.Turn{}, err
	}
	t, request := p.next()
	if t == nil {
		if p.afterwards == "" {
			return model.Turn{}, p.exhausted()
		}
		t = &turn{say: p.afterwards}
	}
	if err := p.check(t, r.Messages); err != nil {
		return model.Turn{}, err
	}
	if err := wait(ctx, t.delay); err != nil {
		return model.Turn{}, err
	}
	if t.fails != nil {
		failure := model.Failed(t.fails.status, "", t.fails.message)
		failure.RetryAfter = int(t.fails.retryAfter.Milliseconds())
		return model.Turn{}, failure
	}
	return t.play(request, r, on), nil
}

func (t *turn) play(request int, r model.Request, on func(model.Event)) model.Turn {
	b := stream.New(r, on)
	b.Begin(fmt.Sprintf("msg_script_%d", request), Model, t.usage)
	for _, piece := range pieces(t.say) {
		b.Text(piece)
	}
	have := ids.Of(r.Messages)
	for _, c := range t.calls {
		have.Add(c.id)
	}
	for _, c := range t.calls {
		id := c.id
		if id == "" {
			id = have.Make("toolu_script", request)
		}
		b.Call(id, c.tool, c.input)
	}
	return b.End(t.stopReason(), "", t.usage)
}

func (t *turn) stopReason() string {
	switch {
	case t.stop != "":
		return t.stop
	case len(t.calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// pieces cuts a text as a model would send it, at blanks.
func pieces(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		if r == ' ' && i > start {
			out = append(out, text[start:i])
			start = i
		}
	}
	return append(out, text[start:])
}

func (p *provider) exhausted() *model.Error {
	return &model.Error{
		Kind: model.BadRequest,
		Text: fmt.Sprintf("the script %s has no turn left: it has %d, and the model was asked once more", p.name, len(p.turns)),
		Hint: "add a turn, or a text under afterwards: for all that follow",
	}
}

func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
