// Package openai asks models through chat completions as OpenAI made them, which
// Ollama, vLLM and many others speak too.
//
// Servers differ in what they leave out. A call without an id gets one that depends
// on nothing but the conversation; pieces of calls without an index belong to the
// call before; a server that does not stream is asked for a whole answer.
package openai

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
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
	config.EmptyMessagesLimit = math.MaxUint // the size of an answer is limited elsewhere
	return &provider{config: config, client: remote.Client(o.Client), server: remote.Host(o.BaseURL), key: o.Key}
}

type provider struct {
	config openai.ClientConfig
	client *http.Client
	server string // for messages
	key    string // which no message may hold
}

func (p *provider) Name() string { return "openai" }

// headers sends requests and keeps the head of the answer, which the SDK's errors do
// not carry.
type headers struct {
	client *http.Client
	got    http.Header
	state  state
}

// state is whether a request has left.
type state uint8

const (
	unsent state = iota
	sent
)

func (h *headers) Do(r *http.Request) (*http.Response, error) {
	h.state = sent
	res, err := h.client.Do(r)
	if err == nil {
		h.got = res.Header
	}
	return res, err
}

func (p *provider) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	turn, err := p.try(ctx, r, on)
	return turn, remote.Hide(err, p.key)
}

func (p *provider) try(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	doer := &headers{client: p.client}
	config := p.config
	config.HTTPClient = doer
	client := openai.NewClientWithConfig(config)
	turn, err := p.ask(ctx, client, r, on)
	if err == nil {
		return turn, nil
	}
	if ctx.Err() != nil {
		return model.Turn{}, ctx.Err()
	}
	if known, ok := errors.AsType[*model.Error](err); ok {
		return model.Turn{}, known
	}
	if doer.state == unsent {
		// The SDK knows what some models do not take. Asking again does not help.
		return model.Turn{}, &model.Error{
			Kind: model.BadRequest, Err: err,
			Text: "the model " + model.OneLine(r.Model) + " cannot be asked this way: " + model.OneLine(err.Error()),
		}
	}
	if refused := refusal(err); refused != nil {
		refused.RetryAfter = remote.RetryAfter(doer.got, time.Now())
		return model.Turn{}, refused
	}
	return model.Turn{}, remote.Explain(ctx, p.server, err)
}

func (p *provider) ask(ctx context.Context, client *openai.Client, r model.Request, on func(model.Event)) (model.Turn, error) {
	body, err := request(r)
	if err != nil {
		return model.Turn{}, &model.Error{Kind: model.BadRequest, Text: "the conversation cannot be sent: " + err.Error(), Err: err}
	}
	chunks, err := client.CreateChatCompletionStream(ctx, body)
	if err != nil {
		return model.Turn{}, err
	}
	turn, err := readStream(p.server, chunks.RecvRaw, r, on)
	chunks.Close()
	if !errors.Is(err, errEmpty) {
		return turn, err
	}
	body.Stream, body.StreamOptions = false, nil
	whole, err := client.CreateChatCompletion(ctx, body)
	if err != nil {
		return model.Turn{}, err
	}
	return readWhole(p.server, whole, r, on)
}

// refusal explains an answer that is an error; nil when the error is about something
// else.
func refusal(err error) *model.Error {
	// This one first: it may wrap an APIError in which nothing could be read.
	if said, ok := errors.AsType[*openai.RequestError](err); ok {
		return model.Failed(said.HTTPStatusCode, "", messageOf(said.Body))
	}
	if said, ok := errors.AsType[*openai.APIError](err); ok {
		word, status := said.Type, said.HTTPStatusCode
		switch code := said.Code.(type) {
		case string:
			word = code
		case int:
			if status == 0 {
				status = code
			}
		}
		if status == 0 {
			status = statusOf(word)
		}
		return model.Failed(status, word, said.Message)
	}
	return nil
}

// statusOf is the status that an error in the middle of a stream would have had.
func statusOf(word string) int {
	switch {
	case strings.Contains(word, "rate_limit"), strings.Contains(word, "quota"):
		return http.StatusTooManyRequests
	case strings.Contains(word, "overloaded"):
		return 529
	case strings.Contains(word, "api_key"), strings.Contains(word, "authentication"):
		return http.StatusUnauthorized
	case strings.Contains(word, "invalid_request"), strings.Contains(word, "context_length"):
		return http.StatusBadRequest
	}
	if status, err := strconv.Atoi(word); err == nil && status >= 400 && status < 600 {
		return status
	}
	return 0
}

// messageOf reads what servers other than OpenAI's say: {"error":"…"} or
// {"message":"…"} or anything.
func messageOf(body []byte) string {
	var fault struct {
		Error   strictjson.Raw `json:"error"`
		Message string         `json:"message"`
	}
	if strictjson.Unmarshal(body, &fault) != nil {
		return string(body)
	}
	var text string
	if strictjson.Unmarshal(fault.Error, &text) == nil && text != "" {
		return text
	}
	if fault.Message != "" {
		return fault.Message
	}
	return string(body)
}

var errEmpty = errors.New("the server sent an empty stream")

// source returns the next chunk, and io.EOF when there is none.
type source func() ([]byte, error)
