// Package dialect speaks the hook languages of coding agents: what each one
// writes to a hook's standard input, and how it reads what the hook writes back.
//
// Start with [Parse], which turns an event into calls of assent's own tools, and
// [Answer], which turns a decision into the bytes and exit status that this agent
// understands. [Failure] is the answer when something broke.
//
// The promise: no answer that was not meant as a permission is read as one. Agents
// differ most in what silence, an unknown word or a crash means to them, so every
// reply that stops a call is one that its agent is known to obey. Where an agent
// cannot ask, a question becomes a denial that says what a person can do.
//
// The package is pure: bytes in, values out. It decides nothing.
package dialect

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Agent is a program whose hooks assent can serve.
type Agent uint8

// The agents.
const (
	Claude Agent = iota + 1
	Codex
	Gemini
	Cursor
	Copilot
)

// Agents lists them in the order of help texts.
var Agents = [...]Agent{Claude, Codex, Gemini, Cursor, Copilot}

func (a Agent) String() string {
	switch a {
	case Claude:
		return "claude"
	case Codex:
		return "codex"
	case Gemini:
		return "gemini"
	case Cursor:
		return "cursor"
	case Copilot:
		return "copilot"
	}
	return "unknown"
}

// ParseAgent reads the name of an agent.
func ParseAgent(name string) (Agent, error) {
	var names []string
	for _, a := range Agents {
		if a.String() == name {
			return a, nil
		}
		names = append(names, a.String())
	}
	return 0, fmt.Errorf("there is no agent %q: want one of %s", name, strings.Join(names, ", "))
}

// Kind says what an event wants to know. The zero value is an event that nobody
// knows.
type Kind uint8

// The kinds.
const (
	// ToolCall: a tool is about to run.
	ToolCall Kind = iota + 1
	// PermissionRequest: the agent is about to ask a person.
	PermissionRequest
	// Notice: there is nothing to decide.
	Notice
)

// Event is what an agent tells its hooks.
type Event struct {
	Agent Agent
	// Name is the event's name as the agent spells it.
	Name string
	Kind Kind
	// Cwd is where the agent works, as it says; empty when it does not say.
	Cwd string
	// Roots are the directories of the workspace, if the agent has several and names
	// them. Each is a project of its own, and what one of them restricts holds.
	Roots []string
	// Mode is the agent's permission mode; zero when it has none.
	Mode permission.Mode
	// Session is the agent's own name of its session; empty when it does not say.
	Session string
	// Tool is the tool as the agent calls it.
	Tool string
	// Calls are what the tool would do, in assent's terms. All of them must be
	// allowed for the call to be allowed.
	Calls []Call

	// input is what the agent gives to the tool, as an object; nil when it does not tell
	// all of it.
	input strictjson.Raw
	// forCopilot: Copilot may have sent it, although the hook was set up for Claude
	// Code. The answer must be one that both of them obey.
	forCopilot bool
	// unsure: it may be a call or a permission request.
	unsure bool
	// readable: it is an object, whatever it says.
	readable bool
}

// Call is one call of a tool that rules can name.
type Call struct {
	Tool  string
	Input []byte // JSON
	// Said is the input with all that the agent has said, which rules on parameters are about; nil
	// where Input has it.
	Said []byte
	// Unsure is Said where some of it is under names that nobody knows: each parameter that is missing in
	// Said has an empty list, which may be any value. nil where all is known.
	Unsure []byte
	// Dir is the directory the call itself asks to run in; relative to the event's.
	Dir string
	// Foreign: the tool is the agent's own, even if one of assent's has that name.
	Foreign bool
	// Guess: it may not be what the tool does. Only rules that deny or ask and safety
	// checks count; it never makes the decision looser, nor stricter for want of a rule.
	Guess bool
	// IfDir: the guess counts only if this path is a directory; empty means that it
	// counts in any case.
	IfDir string
	// Pattern finds what is read below PatternDir, links included; empty for calls that look for nothing.
	PatternDir, Pattern string
	// AnyServer: Tool is the tool of an MCP server whose name is not known. Rules for
	// every server count.
	AnyServer bool
	// Doubt is why only a person can judge the call, whatever the rules allow; empty
	// when there is none.
	Doubt string

	// texts are parameters that stand in a patch, and textsElsewhere says that there are more of them than
	// the call tells, as where a file is moved.
	texts          map[string]strictjson.Raw
	textsElsewhere bool
}

// Outcome is a decision for an agent.
type Outcome struct {
	// Behavior is Allow, Ask or Deny; anything else counts as Deny.
	Behavior permission.Behavior
	// Reason is one sentence. It is read by people and by the model.
	Reason string
	// Hint is what a person can do about a question that this agent cannot ask.
	Hint string
	// Input runs in place of the agent's own; nil means that one. Only an agent that
	// takes one may be given it: see [Event.TakesInput].
	Input []byte
}

// Reply is what the hook process writes and how it exits.
type Reply struct {
	Stdout, Stderr []byte
	Exit           int
}
