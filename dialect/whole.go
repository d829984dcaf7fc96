package dialect

import (
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Whole is a call as a person must see it who is to decide about it. What is judged leaves
// out what no decision depends on, such as the text of a file; whoever says yes says it to
// everything that would run.
type Whole struct {
	Tool  string
	Input []byte // JSON
	// Dir is the directory the call itself asks to run in; relative to the event's.
	Dir string
	// Own: the input is in the agent's own words, so that it can be given another one.
	Own bool
}

// Whole is the call of the event, in assent's words where these can say all of it, and
// otherwise in the agent's under a name that says so. ok is false for an event that does
// not tell everything.
func (e *Event) Whole() (w Whole, ok bool) {
	if e.input == nil || strictjson.Valid(e.input) != nil {
		return w, false
	}
	if e.Agent == Claude && !e.forCopilot { // after whose tools assent's are named
		return Whole{Tool: e.Tool, Input: e.input, Own: true}, true
	}
	if one := e.only(); one != nil {
		w.Dir = one.Dir
		if same(one.Input, e.input) {
			w.Tool, w.Input, w.Own = one.Tool, e.input, true
			return w, true
		}
		if w.Input = e.inWords(one); w.Input != nil {
			w.Tool = one.Tool
			return w, true
		}
	}
	w.Tool, w.Input, w.Own = e.Agent.String()+":"+e.Tool, e.input, true
	return w, true
}

// only is the one call of an event that rules can name; nil when there are several, or
// what it does is not known for certain.
func (e *Event) only() *Call {
	var one *Call
	for i := range e.Calls {
		c := &e.Calls[i]
		switch {
		case c.Guess:
		case one != nil, c.Foreign, c.AnyServer, c.IfDir != "":
			return nil
		default:
			one = c
		}
	}
	return one
}

func same(a, b []byte) bool {
	first, err := strictjson.Canonical(a)
	if err != nil {
		return false
	}
	second, err := strictjson.Canonical(b)
	return err == nil && string(first) == string(second)
}

// inWords is the input of a call with everything that the agent has said about it; nil if
// assent has no words for some of it.
func (e *Event) inWords(c *Call) []byte {
	var judged map[string]string
	var said envelope
	if strictjson.Unmarshal(c.Input, &judged) != nil || strictjson.Unmarshal(e.input, (*map[string]strictjson.Raw)(&said)) != nil {
		return nil
	}
	paths := []string{"file_path", "filePath", "absolute_path", "path"}
	switch c.Tool {
	case "Bash": // how long it may take, and what the agent says about it, runs nothing
		if said.only("command", "cmd", "workdir", "working_directory", "dir_path", "directory", "cwd", "description", "timeout", "timeout_ms") {
			return c.Input
		}
	case "Read":
		if said.only(append(paths, "offset", "limit")...) {
			return c.Input
		}
	case "Write":
		return said.filledIn(c.Tool, judged, paths, "content")
	case "Edit":
		return said.filledIn(c.Tool, judged, paths, "old_string", "new_string")
	}
	return nil
}

// only: nothing is said under other names.
func (in envelope) only(names ...string) bool {
	for name := range in {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// filledIn is a judged input with the texts that were left out, each of which must stand
// under one of its names; nil if something else is said, or one is missing.
func (in envelope) filledIn(tool string, judged map[string]string, paths []string, texts ...string) []byte {
	known := paths
	for _, property := range texts {
		names := wordsFor(tool, property)
		found := 0
		for _, name := range names {
			if raw, ok := in[name]; ok {
				var text string
				if strictjson.Unmarshal(raw, &text) != nil {
					return nil
				}
				judged[property] = text
				found++
			}
		}
		if found != 1 {
			return nil
		}
		known = append(slices.Clip(known), names...)
	}
	if !in.only(known...) {
		return nil
	}
	return marshal(judged)
}

// CanAsk: the agent puts a question of its guard to its own person.
func (e *Event) CanAsk() bool {
	switch e.Agent {
	case Claude, Gemini, Copilot:
		return true
	case Codex:
		return e.Kind == PermissionRequest
	case Cursor:
	}
	return false
}

// TakesInput: the agent runs another input than its own, if its guard says so. Others
// may be able to, in ways that nobody has proved.
func (e *Event) TakesInput() bool {
	return e.Kind == ToolCall && !e.forCopilot && (e.Agent == Claude || e.Agent == Codex)
}

// Edits says whether an agent can be given another input than its own.
type Edits uint8

// The ways of it.
const (
	// Taken: another input runs in place of its own.
	Taken Edits = iota + 1
	// NotTaken: its hooks have no way to say so that is known to work.
	NotTaken
	// OtherWords: the call is told in other words than the agent's.
	OtherWords
)

func (e Edits) String() string {
	switch e {
	case Taken:
		return "taken"
	case NotTaken:
		return "not_taken"
	case OtherWords:
		return "other_words"
	}
	return ""
}

// Edits says whether the agent can be given another input than the one in a call as people
// see it.
func (e *Event) Edits(w Whole) Edits {
	switch {
	case !e.TakesInput():
		return NotTaken
	case !w.Own:
		return OtherWords
	}
	return Taken
}

// With is the event with another input for its tool, as the agent would have written it.
func (e *Event) With(data, input []byte) (Event, error) {
	var in envelope
	if err := strictjson.Unmarshal(data, (*map[string]strictjson.Raw)(&in)); err != nil {
		return Event{Agent: e.Agent}, err
	}
	in["tool_input"] = input
	changed, err := strictjson.Marshal(map[string]strictjson.Raw(in))
	if err != nil {
		return Event{Agent: e.Agent}, err
	}
	return Parse(e.Agent, changed)
}

// readSession finds the session that the event belongs to. An event without one is
// judged like any other.
func (e *Event) readSession(in envelope) {
	for _, name := range [...]string{"session_id", "sessionId", "conversation_id"} {
		if text, err := in.text(name); err == nil && isPlain(text) {
			e.Session = text
			return
		}
	}
}

// maxSession is how long the name of a session may be.
const maxSession = 200

// IsSession: a session can have that name. Calls of one with another name cannot be held.
func IsSession(name string) bool { return isPlain(name) }

// isPlain: people who see the name see all of it. Agents use numbers and such.
func isPlain(name string) bool {
	for _, r := range name {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return name != "" && len(name) <= maxSession
}
