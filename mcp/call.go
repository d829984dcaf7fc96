package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	errLimit = errors.New("the time is up")
	errWhole = errors.New("the time for the whole call is up")
	errEnded = errors.New("the connection has ended")
)

// maxInput leaves room for the rest of a message.
const maxInput = maxMessage - 64<<10

// call sends a call to the server, once, and waits for its answer.
func (s *server) call(ctx context.Context, name string, job tool.Job) tool.Result {
	if len(job.Input) > maxInput {
		return s.notCalled(ctx, fmt.Sprintf("cannot get %d bytes of arguments: the limit is %d", len(job.Input), maxInput))
	}
	conn, err := s.ready(ctx)
	if err != nil {
		return s.notCalled(ctx, fmt.Sprintf("cannot be used: %v", err))
	}
	if job.Begins != nil { // a server that had to be started has taken its time
		if err := job.Begins(ctx); err != nil {
			return s.notCalled(ctx, fmt.Sprintf("was not called: %v", err))
		}
	}
	if ctx.Err() != nil {
		return s.notCalled(ctx, "was not called")
	}
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(conn.closing, func() { cancel(errEnded) })()
	defer s.work.begin()()
	idle := s.limit(s.options.Call, func() { cancel(errLimit) })
	defer idle.stop()
	defer s.limit(wholeCall*s.options.Call, func() { cancel(errWhole) }).stop()

	token := strconv.FormatUint(s.calls.Add(1), 10)
	s.running.Store(token, &underWay{job: job, idle: idle})
	defer s.running.Delete(token)
	params := &sdk.CallToolParams{Name: name, Arguments: strictjson.Raw(job.Input)}
	params.SetProgressToken(token)
	result, err := conn.session.CallTool(bounded, params)
	if err != nil {
		return s.failed(ctx, s.why(ctx, bounded, conn, err))
	}
	return s.options.result(result)
}

// notCalled is the result of a call of which the server was told nothing.
func (s *server) notCalled(ctx context.Context, why string) tool.Result {
	if ctx.Err() != nil {
		return tool.Result{Text: "The call was interrupted before the server was told of it; nothing was done.", Outcome: tool.NothingDone}
	}
	return s.failed(ctx, why)
}

func (s *server) failed(ctx context.Context, why string) tool.Result {
	if ctx.Err() != nil {
		return tool.Result{Text: "The call was interrupted. Whether the server had done its work is not known.", Outcome: tool.Interrupted}
	}
	return tool.Fail(fmt.Sprintf("The MCP server %q %s", s.config.Name, why))
}

// why says what went wrong with a call.
func (s *server) why(ctx, bounded context.Context, conn *connection, err error) string {
	wire, isAnswer := errors.AsType[*jsonrpc.Error](err)
	cause := context.Cause(bounded)
	switch {
	case errors.Is(cause, errLimit):
		return fmt.Sprintf("did not answer within %s (MCP_TOOL_TIMEOUT sets the limit). Whether it has done its work is not known.", s.options.Call)
	case errors.Is(cause, errWhole):
		return fmt.Sprintf("is still not done after %s, whatever progress it reports (MCP_TOOL_TIMEOUT sets a tenth of the limit). Whether it has done its work is not known.", wholeCall*s.options.Call)
	case isAnswer:
		return "answered with an error: " + cut(plain(wire.Message), s.options.Text, "…")
	case (errors.Is(cause, errEnded) || isEnd(err) || conn.life.Err() != nil) && conn.awaitEnd(ctx):
		return "has failed during the call: " + conn.obituary() + "\nWhether it has done its work is not known. The next call tries to start it again."
	}
	return "could not be called: " + cut(plain(err.Error()), s.options.Text, "…")
}
