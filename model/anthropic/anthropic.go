// Package anthropic asks models through the Anthropic Messages API.
//
// The official SDK sends the requests; what is sent and what comes back is read and
// written here, byte by byte as it is: the same conversation always makes the same
// request, and the input of a tool call is the text that the model wrote, with a key
// that occurs twice still in it twice.
package anthropic

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/remote"
)

// DefaultBaseURL is where the vendor's own server is.
const DefaultBaseURL = "https://api.anthropic.com"

// Options say how to reach the server.
type Options struct {
	// BaseURL without /v1; empty means [DefaultBaseURL].
	BaseURL string
	// Key is an API key. Token is a bearer token, for gateways; it counts when there
	// is no key.
	Key, Token string
	// Client sends the requests; nil means one with the defaults of Go.
	Client *http.Client
}

// New returns a provider.
func New(o Options) model.Provider {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // the environment is read by package provider
		option.WithBaseURL(o.BaseURL),
		option.WithHTTPClient(remote.Client(o.Client)),
		option.WithMaxRetries(0), // model.Retry does it, and tells
	}
	switch {
	case o.Key != "":
		opts = append(opts, option.WithAPIKey(o.Key))
	case o.Token != "":
		opts = append(opts, option.WithAuthToken(o.Token))
	}
	return &provider{client: anthropic.NewClient(opts...), server: remote.Host(o.BaseURL), secrets: []string{o.Key, o.Token}}
}

type provider struct {
	client anthropic.Client
	server string // for messages
	// secrets are those that no message may hold.
	secrets []string
}

func (p *provider) Name() string { return "anthropic" }

func (p *provider) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	turn, err := p.try(ctx, r, on)
	return turn, remote.Hide(err, p.secrets...)
}

func (p *provider) try(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	turn, err := p.ask(ctx, r, streamed, on)
	if errors.Is(err, errEmpty) {
		// Some gateways do not pass streams on. They pass on a whole answer.
		turn, err = p.ask(ctx, r, whole, on)
	}
	if err == nil {
		return turn, nil
	}
	if ctx.Err() != nil {
		return model.Turn{}, ctx.Err()
	}
	if known, ok := errors.AsType[*model.Error](err); ok {
		return model.Turn{}, known
	}
	return model.Turn{}, remote.Explain(ctx, p.server, err)
}

func (p *provider) ask(ctx context.Context, r model.Request, f form, on func(model.Event)) (model.Turn, error) {
	body, err := requestBody(r, f)
	if err != nil {
		return model.Turn{}, &model.Error{Kind: model.BadRequest, Text: "the conversation cannot be sent: " + err.Error(), Err: err}
	}
	var res *http.Response
	if err := p.client.Post(ctx, "v1/messages", body, &res); err != nil {
		return model.Turn{}, refusal(err)
	}
	defer res.Body.Close()
	if f == whole || strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		turn, err := readWhole(p.server, res.Body, r, on)
		if said, ok := errors.AsType[*model.Error](err); ok {
			said.RetryAfter = remote.RetryAfter(res.Header, time.Now())
		}
		return turn, err
	}
	return readStream(p.server, ssestream.NewDecoder(res), r, on)
}

// refusal explains an answer that is an error.
func refusal(err error) error {
	said, ok := errors.AsType[*anthropic.Error](err)
	if !ok {
		return err
	}
	word, message := faultOf([]byte(said.RawJSON()))
	e := model.Failed(said.StatusCode, word, message)
	if said.Response != nil {
		e.RetryAfter = remote.RetryAfter(said.Response.Header, time.Now())
	}
	return e
}

// faultOf reads {"error":{"type":…,"message":…}}. Whatever else a server or something
// before it says is the message itself.
func faultOf(body []byte) (word, message string) {
	var fault struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if strictjson.Unmarshal(body, &fault) != nil || fault.Error.Message == "" {
		return fault.Error.Type, string(body)
	}
	return fault.Error.Type, fault.Error.Message
}
