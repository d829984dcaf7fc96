package assent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
)

// CanUseToolFunc answers for the person: may this call run? It is asked when neither rules
// nor hooks have settled that. ctx ends when nobody needs the answer any more, for instance
// because a PermissionRequest hook was faster. An error is a refusal that says so, but not of
// a call that waits: that one waits on.
type CanUseToolFunc func(ctx context.Context, call ToolCall) (Answer, error)

// CanUseTool lets a function answer questions. Without one nobody can be asked, and what
// would ask is denied.
func CanUseTool(f CanUseToolFunc) Option {
	return func(c *config) error {
		c.canUseTool = f
		return nil
	}
}

// ToolCall is a call about which somebody is asked.
type ToolCall struct {
	ToolName string
	// ToolInput is what would run.
	ToolInput JSON
	ToolUseID string
	// AgentID names the sub-agent that wants it; empty for the agent itself.
	AgentID string
	// Reason says why it is asked, BlockedPath which path needs permission, if that is why.
	Reason, BlockedPath string
	// Suggestions are the changes that "always allow" would make; see [YesAlways].
	Suggestions []permission.Update
}

// Answer is what is said about a call: use [Yes], [No] and their like.
type Answer = permission.Answer

// Yes lets the call run.
func Yes() Answer { return Answer{Behavior: permission.Allow, Answered: true} }

// YesWith lets the call run with another input: all of it, as anything that becomes a JSON
// object. Rules judge it again.
func YesWith(input any) (Answer, error) {
	text, err := strictjson.Marshal(input)
	if err != nil {
		return Answer{}, fmt.Errorf("the input for the call: %w", err)
	}
	if !isObject(text) {
		return Answer{}, errNoObject // null would be read as no change at all
	}
	a := Yes()
	a.UpdatedInput = text
	return a, nil
}

var errNoObject = errors.New("the input for the call is invalid: it is no JSON object (pass a struct or a map with all that the tool needs)")

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

// YesAlways lets the call run, and changes permissions so that its like need not be asked
// about: call.Suggestions, or updates of your own. They hold for the session, and where
// their destination is a settings file they are written there, for sessions that read it
// ([SettingSources]).
func YesAlways(updates ...permission.Update) Answer {
	a := Yes()
	a.Updates = updates
	return a
}

// Answers answers the questions of AskUserQuestion, by their text.
func Answers(call ToolCall, answers map[string]string) (Answer, error) {
	input, err := agent.WithAnswers(call.ToolInput, answers)
	if err != nil {
		return Answer{}, err
	}
	a := Yes()
	a.UpdatedInput = input
	return a, nil
}

// No refuses the call. The model reads the message: say what it should do instead.
func No(message string) Answer { return Answer{Behavior: permission.Deny, Message: message} }

// NoAlways refuses the call, and changes permissions so that its like are refused without a
// question: deny rules, for instance. Beside a refusal only what restricts counts.
func NoAlways(message string, updates ...permission.Update) Answer {
	a := No(message)
	a.Updates = updates
	return a
}

// NoAndStop refuses the call and interrupts the agent.
func NoAndStop(message string) Answer {
	return Answer{Behavior: permission.Deny, Message: message, Interrupt: true}
}

// asker lets a function answer questions.
type asker struct {
	answer CanUseToolFunc
	*running
	// warn is told which changes of permissions cannot be made: a rule that somebody counts
	// on must not just be missing.
	warn func(text string)
}

// ask asks the function. What goes wrong in it is an error, and no answer.
func (a asker) ask(ctx context.Context, call ToolCall) (Answer, error) {
	answer, err := callOut(ctx, a.running, func() (Answer, error) { return a.answer(ctx, call) })
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case err != nil:
		return Answer{}, errors.New(readable(err.Error()))
	case answer.Behavior != permission.Allow && answer.Behavior != permission.Deny:
		return Answer{}, errors.New("its answer is neither yes nor no")
	case answer.UpdatedInput != nil && !isObject(answer.UpdatedInput):
		return Answer{}, errNoObject
	}
	answer.Message = readable(answer.Message)
	answer.Updates = a.sound(answer.Updates)
	return answer, nil
}

// sound are the changes of permissions that can be made.
func (a asker) sound(updates []permission.Update) []permission.Update {
	var kept []permission.Update
	for _, u := range updates {
		if err := u.Validate(); err != nil {
			a.warn(fmt.Sprintf("what was answered about a call is left out where it cannot be done: %v", err))
			continue
		}
		kept = append(kept, u)
	}
	return kept
}

// readable is a text of the program that can be written down, whatever bytes are in it.
func readable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// ElicitFunc answers the question of an MCP server to the person.
type ElicitFunc func(ctx context.Context, question mcp.Elicitation) (mcp.Answer, error)

// Elicit lets a function answer the questions of MCP servers. Without one, servers are told
// that nobody can be asked. An error or a panic is no answer.
func Elicit(f ElicitFunc) Option {
	return func(c *config) error {
		c.elicit = f
		return nil
	}
}
