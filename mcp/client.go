package mcp

import (
	"context"

	"github.com/assent-dev/assent/internal/strictjson"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Elicitation is a question of a server to the person.
type Elicitation struct {
	Server  string
	Message string
	// Schema is a JSON Schema of the answer: an object with flat properties.
	Schema strictjson.Raw
}

// Answer is what the person says. The zero value declines.
type Answer struct {
	Action Action
	// Content is the object that the schema asks for; only with Accept.
	Content strictjson.Raw
}

// Action is how a person answers a question of a server.
type Action uint8

// The actions. The zero value is the safe one.
const (
	Decline Action = iota
	Accept
	// Dismiss: the person, or whoever speaks for them, has not answered.
	Dismiss
)

// String is the word of the protocol.
func (a Action) String() string {
	switch a {
	case Accept:
		return "accept"
	case Dismiss:
		return "cancel"
	case Decline:
	}
	return "decline"
}

// Progress is how far a call has come, as its server says.
type Progress struct {
	Server, ToolUseID string
	Done              float64
	Total             float64 // 0 when it is not known
	Message           string
}

// client is our side towards one server.
type client struct{ *sdk.Client }

func newClient(s *server) *client {
	options := &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{},
		MultiRoundTrip:              &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { s.stale.Store(true) },
		ProgressNotificationHandler: s.progress,
	}
	if s.options.Roots != nil {
		offerRoots(options.Capabilities)
	}
	if s.options.Elicit != nil {
		options.ElicitationHandler = s.elicit
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "assent", Version: s.options.Version}, options)
	c.AddReceivingMiddleware(s.receive)
	return &client{c}
}

// receive answers what the official client would answer with yesterday's directories, or
// with an error.
func (s *server) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		switch {
		case method == "roots/list" && s.options.Roots != nil:
			return roots(s.options.Roots()), nil
		case method == "elicitation/create" && s.options.Elicit == nil:
			return &sdk.ElicitResult{Action: Decline.String()}, nil
		}
		return next(ctx, method, request)
	}
}

// elicit passes a question on. A question that cannot be put to a person as it is, as to
// open a page, is declined.
func (s *server) elicit(ctx context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	if request.Params.Mode == "url" {
		return &sdk.ElicitResult{Action: Decline.String()}, nil
	}
	schema, err := strictjson.Marshal(request.Params.RequestedSchema)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	s.asking.Add(1)
	defer s.asking.Add(-1)
	answer, err := s.options.Elicit(ctx, Elicitation{Server: s.config.Name, Message: request.Params.Message, Schema: schema})
	if err != nil {
		answer = Answer{Action: Dismiss}
	}
	result := &sdk.ElicitResult{Action: answer.Action.String()}
	if answer.Action == Accept {
		if err := strictjson.Unmarshal(answer.Content, &result.Content); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// progress passes on news of a call that is under way.
func (s *server) progress(_ context.Context, request *sdk.ProgressNotificationClientRequest) {
	token, _ := request.Params.ProgressToken.(string)
	id, running := s.running.Load(token)
	if s.options.Progress == nil || !running {
		return
	}
	s.options.Progress(Progress{
		Server: s.config.Name, ToolUseID: id.(string),
		Done: request.Params.Progress, Total: request.Params.Total, Message: request.Params.Message,
	})
}
