package mcp

import (
	"context"

	"github.com/assent-dev/assent/tool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

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
		options.Capabilities.Elicitation = &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}
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

// progress passes on news of a call that is under way. News are a sign of life: the time
// for the call starts anew.
func (s *server) progress(_ context.Context, request *sdk.ProgressNotificationClientRequest) {
	token, _ := request.Params.ProgressToken.(string)
	running, ok := s.running.Load(token)
	if !ok {
		return
	}
	call := running.(*underWay)
	call.idle.again()
	if call.job.Progress != nil {
		p := request.Params
		call.job.Progress(tool.Progress{Done: p.Progress, Total: p.Total, Message: cut(plain(p.Message), maxNews, "…")})
	}
}

// maxNews is how much of a message about the progress is passed on.
const maxNews = 500
