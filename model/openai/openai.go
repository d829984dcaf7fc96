// Package openai asks models through chat completions as OpenAI made them, which
// Ollama, vLLM and many others speak too.
//
// Servers differ in what they leave out. A call without an id gets one that depends
// on nothing but the conversation; pieces of calls without an index belong to the
// call before; a server that does not stream is asked for a whole answer.
package openai

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/remote"
	openai "github.com/sashabaranov/go-openai"
)

// DefaultBaseURL is where OpenAI's own server is.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options say how to reach the server.
type Options struct {
	// BaseURL with /v1; empty means [DefaultBaseURL].
	BaseURL string
	// Key is an API key; local servers need none.
	Key string
	// Client sends the requests; nil means one with the defaults of Go.
	Client *http.Client
}

// New returns a provider.
func New(o Options) model.Provider {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	config := openai.DefaultConfig(o.Key)
	config.BaseURL = o.BaseURL
	return &provider{config: config, client: remote.Client(o.Client), server: remote.Host(o.BaseURL), key: o.Key}
}

type provider struct {
	config openai.ClientConfig
	client *http.Client
	server string // for messages
	key    string // which no message may hold
}

func (p *provider) Name() string { return "openai" }

// sender sends requests and keeps the answers. The SDK would lose the head of one, which
// says when to ask again, take a comment of a stream for a part of an error, and refuse
// arguments that are an object.
type sender struct {
	client *http.Client
	state  state
	head   http.Header
	body   io.ReadCloser // of an answer that is no error
}

// state is whether a request has left.
type state uint8

const (
	unsent state = iota
	sent
)

func (s *sender) Do(r *http.Request) (*http.Response, error) {
	s.state = sent
	res, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	s.head = res.Header
	if res.StatusCode >= 200 && res.StatusCode < 400 { // what the SDK takes for a success
		s.body, res.Body = res.Body, io.NopCloser(strings.NewReader("{}"))
	}
	return res, nil
}

func (p *provider) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	turn, err := p.try(ctx, r, on)
	return turn, remote.Hide(err, p.key)
}

func (p *provider) try(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	sender := &sender{client: p.client}
	turn, err := p.ask(ctx, sender, r, on)
	if err == nil {
		return turn, nil
	}
	if ctx.Err() != nil {
		return model.Turn{}, ctx.Err()
	}
	if known, ok := errors.AsType[*model.Error](err); ok {
		known.RetryAfter = remote.RetryAfter(sender.head, time.Now())
		return model.Turn{}, known
	}
	if sender.state == unsent {
		// The SDK knows what some models do not take. Asking again does not help.
		return model.Turn{}, &model.Error{
			Kind: model.BadRequest, Err: err,
			Text: "the model " + model.OneLine(r.Model) + " cannot be asked this way: " + model.OneLine(err.Error()),
		}
	}
	if refused := refusal(err); refused != nil {
		refused.RetryAfter = remote.RetryAfter(sender.head, time.Now())
		return model.Turn{}, refused
	}
	return model.Turn{}, remote.Explain(ctx, p.server, err)
}

func (p *provider) ask(ctx context.Context, sender *sender, r model.Request, on func(model.Event)) (model.Turn, error) {
	body, err := request(r)
	if err != nil {
		return model.Turn{}, &model.Error{Kind: model.BadRequest, Text: "the conversation cannot be sent: " + err.Error(), Err: err}
	}
	config := p.config
	config.HTTPClient = sender
	client := openai.NewClientWithConfig(config)
	if _, err := client.CreateChatCompletionStream(ctx, body); err != nil {
		return model.Turn{}, err
	}
	turn, err := p.read(sender.body, r, on)
	if !errors.Is(err, errEmpty) {
		return turn, err
	}
	body.Stream, body.StreamOptions = false, nil
	if _, err := client.CreateChatCompletion(ctx, body); err != nil {
		return model.Turn{}, err
	}
	defer sender.body.Close()
	return readWhole(p.server, sender.body, r, on)
}

// read takes an answer for what it begins like: there are servers that do not stream,
// whatever they are asked and whatever they call it.
func (p *provider) read(body io.ReadCloser, r model.Request, on func(model.Event)) (model.Turn, error) {
	defer body.Close()
	text := bufio.NewReader(body)
	if begins(text) == '{' {
		return readWhole(p.server, text, r, on)
	}
	return readStream(p.server, events(text), r, on)
}

// refusal explains an answer whose status says that it is an error; nil when the error
// is about something else.
func refusal(err error) *model.Error {
	// This one first: it may wrap an APIError in which nothing could be read.
	if said, ok := errors.AsType[*openai.RequestError](err); ok {
		return model.Failed(said.HTTPStatusCode, "", messageOf(said.Body))
	}
	if said, ok := errors.AsType[*openai.APIError](err); ok {
		word := said.Type
		if code, ok := said.Code.(string); ok {
			word = code
		}
		return model.Failed(said.HTTPStatusCode, word, said.Message)
	}
	return nil
}
