package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// MaxInput is how many bytes an event may have. A file to be written is part of it.
const MaxInput = 4 << 20

// ErrTooLarge is the error for an event beyond [MaxInput].
var ErrTooLarge = errors.New("the event is larger than 4 MiB")

// Parse reads an event. When there is an error the event holds what could be read
// before it, for [Failure].
func Parse(agent Agent, data []byte) (Event, error) {
	event := Event{Agent: agent}
	if len(data) > MaxInput {
		return event, ErrTooLarge
	}
	var in envelope
	if err := strictjson.Unmarshal(data, (*map[string]strictjson.Raw)(&in)); err != nil {
		return event, fmt.Errorf("the event cannot be read: %w", err)
	}
	event.readable = true
	event.forCopilot = agent == Claude && in.fromCopilot()
	err := event.readName(in)
	switch {
	case err != nil:
		return event, err
	case event.Name == "":
		return event, fmt.Errorf("this is no event of %v: it has no name", agent)
	case event.Kind == 0:
		return event, fmt.Errorf("%v has no event %s that assent knows", agent, quoted(event.Name))
	case event.Kind == Notice:
		return event, nil
	}
	return event, event.read(in)
}

// read fills in everything but the name.
func (e *Event) read(in envelope) error {
	var err error
	if e.Cwd, err = in.text("cwd"); err != nil {
		return err
	}
	e.readSession(in)
	if in.has("permission_mode") {
		mode, err := in.text("permission_mode")
		if err != nil {
			return err
		}
		if e.Mode, err = permission.ParseMode(mode); err != nil {
			return err
		}
	}
	calls, err := e.translate(in)
	if err != nil {
		return err
	}
	if len(calls) == 0 {
		return errors.New("the event names nothing that could be judged")
	}
	e.Calls = calls
	return nil
}

func (e *Event) translate(in envelope) ([]Call, error) {
	if e.Agent == Cursor {
		return e.cursorEvent(in)
	}
	a, err := e.arguments(in)
	if err != nil {
		return nil, err
	}
	var calls []Call
	switch {
	case e.speaksCopilot():
		calls, err = copilotCalls(a)
	case e.Agent == Claude:
		calls, err = claudeCalls(a)
	case e.Agent == Codex:
		calls, err = codexCalls(a)
	case e.Agent == Gemini:
		calls, err = geminiCalls(a, in["mcp_context"])
	default:
		err = fmt.Errorf("there is no agent %d", e.Agent)
	}
	return a.said(a.doubted(calls), e.Agent == Claude && !e.forCopilot), err
}

// arguments are the tool of the event and its input. Copilot has its own words for
// them, unless the hook is set up under one of Claude's names.
func (e *Event) arguments(in envelope) (*arguments, error) {
	tools, inputs := []string{"tool_name"}, []string{"tool_input"}
	if e.speaksCopilot() {
		tools, inputs = append(tools, "toolName"), append(inputs, "toolArgs", "toolInput")
	}
	var err error
	if e.Tool, err = in.text(tools...); err != nil {
		return nil, err
	}
	if e.Tool == "" {
		return nil, errors.New("the event does not say which tool it is about")
	}
	input, err := in.one(inputs...)
	if err != nil {
		return nil, err
	}
	a, err := readArguments(e.Tool, input)
	if err == nil {
		e.input = a.whole()
	}
	if err == nil && e.Agent == Claude && !e.forCopilot {
		a.home = expanded
	}
	return a, err
}

// quoted shows a word of the event inside a sentence.
func quoted(word string) string {
	if len(word) > 80 {
		word = strings.ToValidUTF8(word[:80], "") + "…"
	}
	return fmt.Sprintf("%q", word)
}
