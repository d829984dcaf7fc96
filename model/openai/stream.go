package openai

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/remote"
	"github.com/assent-dev/assent/model/internal/stream"
)

// chunk is one event of a stream, or a whole answer.
type chunk struct {
	ID      string         `json:"id"`
	Model   string         `json:"model"`
	Choices []choice       `json:"choices"`
	Usage   *usageJSON     `json:"usage"`
	Error   strictjson.Raw `json:"error"`
}

// choice has a Delta in a stream and a Message in a whole answer.
type choice struct {
	Index        int    `json:"index"`
	Delta        words  `json:"delta"`
	Message      words  `json:"message"`
	FinishReason string `json:"finish_reason"`
}

type words struct {
	Content   string  `json:"content"`
	Refusal   string  `json:"refusal"`
	ToolCalls []piece `json:"tool_calls"`
}

func (c chunk) isFault() bool { return len(c.Error) > 0 && string(c.Error) != "null" }

type usageJSON struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u usageJSON) usage() model.Usage {
	cached := min(max(u.Details.Cached, 0), max(u.Prompt, 0))
	return model.Usage{
		InputTokens:          max(u.Prompt, 0) - cached,
		OutputTokens:         max(u.Completion, 0),
		CacheReadInputTokens: cached,
	}
}

// answer is a turn that is being received.
type answer struct {
	server string
	r      model.Request
	out    *stream.Builder
	begun  bool
	calls  calls
	tally  remote.Tally
	finish string
	usage  model.Usage
}

// readStream reads chunks until the turn is complete.
func readStream(server string, next source, r model.Request, on func(model.Event)) (model.Turn, error) {
	a := answer{server: server, r: r, out: stream.New(r, on)}
	for {
		data, err := next()
		switch {
		case err != nil && a.finish != "":
			return a.end() // what is missing is only what it cost
		case err == io.EOF && !a.begun:
			return model.Turn{}, errEmpty
		case err == io.EOF:
			return model.Turn{}, remote.BrokenOff(server)
		case err != nil:
			return model.Turn{}, err
		}
		var c chunk
		if err := strictjson.Unmarshal(data, &c); err != nil {
			return model.Turn{}, remote.Garbage(server, err)
		}
		if c.isFault() {
			return model.Turn{}, fault(data)
		}
		if err := a.take(c); err != nil {
			return model.Turn{}, err
		}
	}
}

func (a *answer) take(c chunk) error {
	if !a.begun {
		a.begun = true
		a.out.Begin(orMade(c.ID, "msg", a.r), orModel(c.Model, a.r), model.Usage{})
	}
	if c.Usage != nil {
		a.usage = c.Usage.usage()
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // nobody asked for a second answer
		}
		if err := a.hear(choice.Delta); err != nil {
			return err
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	return nil
}

func (a *answer) hear(w words) error {
	text := w.Content + w.Refusal
	if err := a.tally.Add(len(text)); err != nil {
		return err
	}
	a.out.Text(text)
	for _, p := range w.ToolCalls {
		if err := a.calls.take(p, &a.tally); err != nil {
			return err
		}
	}
	return nil
}

// end adds the calls. They come last and whole, because servers may send the pieces
// of several at once, and a reader of deltas expects one block after the other.
func (a *answer) end() (model.Turn, error) {
	reason, ok := stopReason(a.finish, len(a.calls.all))
	if !ok {
		broken := remote.BrokenOff(a.server)
		broken.Text += fmt.Sprintf(" (it says %q)", model.OneLine(a.finish))
		return model.Turn{}, broken
	}
	if err := a.calls.check(); err != nil {
		return model.Turn{}, err
	}
	ids := known(a.r)
	for _, c := range a.calls.all {
		a.out.Call(ids.pick(c.id, a.r), c.name, c.arguments.String())
	}
	return a.out.End(reason, "", a.usage), nil
}

// readWhole reads an answer that is no stream.
func readWhole(server string, body io.Reader, r model.Request, on func(model.Event)) (model.Turn, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return model.Turn{}, err
	}
	var c chunk
	if err := strictjson.Unmarshal(data, &c); err != nil {
		return model.Turn{}, remote.Garbage(server, err)
	}
	switch {
	case c.isFault():
		return model.Turn{}, fault(data)
	case len(c.Choices) == 0:
		return model.Turn{}, remote.Garbage(server, errors.New("there is no answer in it"))
	}
	said := c.Choices[0].Message
	for i := range said.ToolCalls {
		said.ToolCalls[i].Index = &i // each is a call of its own
	}
	a := answer{server: server, r: r, out: stream.New(r, on), finish: cmp.Or(c.Choices[0].FinishReason, "stop")}
	a.out.Begin(orMade(c.ID, "msg", r), orModel(c.Model, r), model.Usage{})
	if err := a.hear(said); err != nil {
		return model.Turn{}, err
	}
	if c.Usage != nil {
		a.usage = c.Usage.usage()
	}
	return a.end()
}

// stopReason is why an answer ended, in the words of the Messages API. Servers have
// words of their own for a good end; ok is false for all others, such as "error": what
// came before is not an answer.
func stopReason(finish string, calls int) (reason string, ok bool) {
	switch strings.ToLower(finish) {
	case "length", "max_tokens", "model_length":
		return "max_tokens", true
	case "content_filter", "refusal":
		return "refusal", true
	case "stop", "stop_sequence", "end_turn", "eos", "eos_token", "tool_calls", "tool_use", "function_call":
		if calls > 0 { // some servers say "stop"
			return "tool_use", true
		}
		return "end_turn", true
	}
	return "", false
}

func orMade(id, prefix string, r model.Request) string {
	if id != "" {
		return id
	}
	return fmt.Sprintf("%s_%d", prefix, len(r.Messages))
}

func orModel(name string, r model.Request) string {
	if name != "" {
		return name
	}
	return r.Model
}
