package openai

import (
	"errors"
	"fmt"
	"io"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/remote"
	"github.com/assent-dev/assent/model/internal/stream"
	openai "github.com/sashabaranov/go-openai"
)

// chunk is one event of a stream.
type chunk struct {
	ID      string `json:"id"`
	Model   string `json:"model"`
	Choices []struct {
		Index int `json:"index"`
		Delta struct {
			Content   string  `json:"content"`
			Refusal   string  `json:"refusal"`
			ToolCalls []piece `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usageJSON     `json:"usage"`
	Error strictjson.Raw `json:"error"`
}

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
	a := answer{r: r, out: stream.New(r, on)}
	for {
		data, err := next()
		switch {
		case err != nil && a.finish != "" && refusal(err) == nil:
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
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return model.Turn{}, model.Failed(0, "", messageOf(data))
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
		text := choice.Delta.Content + choice.Delta.Refusal
		if err := a.tally.Add(len(text)); err != nil {
			return err
		}
		a.out.Text(text)
		for _, p := range choice.Delta.ToolCalls {
			if err := a.calls.take(p, &a.tally); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	return nil
}

// end adds the calls. They come last and whole, because servers may send the pieces
// of several at once, and a reader of deltas expects one block after the other.
func (a *answer) end() (model.Turn, error) {
	ids := known(a.r)
	for _, c := range a.calls.all {
		a.out.Call(ids.pick(c.id, a.r), c.name, c.arguments.String())
	}
	return a.out.End(stopReason(a.finish, len(a.calls.all)), "", a.usage), nil
}

// readWhole reads an answer that is no stream.
func readWhole(server string, whole openai.ChatCompletionResponse, r model.Request, on func(model.Event)) (model.Turn, error) {
	if len(whole.Choices) == 0 {
		return model.Turn{}, remote.Garbage(server, errors.New("there is no answer in it"))
	}
	a := answer{r: r, out: stream.New(r, on)}
	choice := whole.Choices[0]
	a.out.Begin(orMade(whole.ID, "msg", r), orModel(whole.Model, r), model.Usage{})
	a.out.Text(choice.Message.Content)
	if err := a.tally.Add(len(choice.Message.Content)); err != nil {
		return model.Turn{}, err
	}
	for i, c := range choice.Message.ToolCalls {
		arguments, err := strictjson.Marshal(c.Function.Arguments)
		if err != nil {
			return model.Turn{}, remote.Garbage(server, err)
		}
		p := piece{Index: &i, ID: c.ID}
		p.Function.Name, p.Function.Arguments = c.Function.Name, arguments
		if err := a.calls.take(p, &a.tally); err != nil {
			return model.Turn{}, err
		}
	}
	usage := usageJSON{Prompt: whole.Usage.PromptTokens, Completion: whole.Usage.CompletionTokens}
	if details := whole.Usage.PromptTokensDetails; details != nil {
		usage.Details.Cached = details.CachedTokens
	}
	a.finish, a.usage = string(choice.FinishReason), usage.usage()
	return a.end()
}

func stopReason(finish string, calls int) string {
	switch {
	case finish == "length":
		return "max_tokens"
	case finish == "content_filter":
		return "refusal"
	case calls > 0: // some servers say "stop"
		return "tool_use"
	}
	return "end_turn"
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
