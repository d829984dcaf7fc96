package agent

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// maxDepth is how deep sub-agents may be nested: the last one has no Task tool.
const maxDepth = 3

// Definition is a kind of sub-agent.
type Definition struct {
	// Name is what the model calls it by, Description when to use it.
	Name, Description string
	// Prompt are its instructions.
	Prompt string
	// Tools are the names of its tools; nil means all of its parent's. "mcp__server" and
	// "mcp__server__*" name all tools of a server. Disallowed are names of tools that it
	// does not have in any case.
	Tools, Disallowed []string
	// Model is the model it uses; empty means its parent's.
	Model string
	// Mode is the permission mode it works in; zero means its parent's, and so does one
	// that is looser than that.
	Mode permission.Mode
	// MaxTurns is how often the model is asked; zero means what the call says.
	MaxTurns int
}

// GeneralPurpose is the kind that is always there.
var GeneralPurpose = Definition{
	Name:        permission.DefaultAgent,
	Description: "For work of several steps that you want to hand over as a whole: searching, reading, changing.",
	Prompt:      "You do one piece of work for another agent, which sees only your last message. Do what it asks, and no more. Report what you found or did, with exact names, and what you could not do.",
}

// descent is how a sub-agent hangs on to the agent that started it.
type descent struct {
	parent *Agent
	id     string
	kind   string
	callID string
	depth  int
	mode   permission.Mode // zero means the parent's
}

// context is the permissions in force. Those of a sub-agent follow its parent's: it
// never has more, and a change up there holds down here at once.
func (a *Agent) context() *permission.Context {
	d := a.descent
	if d == nil {
		return a.permissions.Load()
	}
	child := d.parent.context().Bubble()
	if d.mode != 0 {
		if stricter, err := child.WithMode(d.mode); err == nil {
			child = stricter
		}
	}
	return child
}

// root is the agent that no other has started.
func (a *Agent) root() *Agent {
	for a.descent != nil {
		a = a.descent.parent
	}
	return a
}

// task is the tool that starts sub-agents.
type task struct {
	*tool.Definition
	parent *Agent
}

// Description lists the kinds of agents.
func (t task) Description() string {
	var b strings.Builder
	b.WriteString(`Hands a piece of work to an agent of its own, which has a conversation of its own and reports back once.
Every call it makes is judged by the same rules as yours. Say in the prompt all it has to know: it sees nothing else.
Several tasks in one turn run side by side. Kinds of agents (subagent_type):
`)
	for _, d := range t.parent.kinds() {
		fmt.Fprintf(&b, "- %s: %s\n", d.Name, d.Description)
	}
	return b.String()
}

// Order: tasks run side by side. What they do is judged call by call.
func (task) Order(*permission.Call) tool.Order { return tool.Beside }

// kinds are the sub-agents that may be started.
func (a *Agent) kinds() []Definition {
	list := slices.Clone(a.config.Agents)
	if !slices.ContainsFunc(list, func(d Definition) bool { return d.Name == GeneralPurpose.Name }) {
		list = append(list, GeneralPurpose)
	}
	return list
}

// Run lets a sub-agent work and returns what it said last.
func (t task) Run(ctx context.Context, job tool.Job) tool.Result {
	var input struct {
		Prompt     string `json:"prompt"`
		Kind       string `json:"subagent_type"`
		Model      string `json:"model"`
		MaxTurns   int    `json:"max_turns"`
		Mode       string `json:"mode"`
		Background bool   `json:"run_in_background"`
		Resume     string `json:"resume"`
		Isolation  string `json:"isolation"`
	}
	if err := strictjson.Unmarshal(job.Input, &input); err != nil {
		return tool.Fail(err.Error())
	}
	switch {
	case input.Background:
		return tool.Fail("Tasks do not run in the background here: call without run_in_background, several tasks in one turn run side by side.")
	case input.Resume != "" || input.Isolation != "":
		return tool.Fail("A task cannot be resumed or isolated here: start a new one that says all it has to know.")
	}
	if input.Kind == "" {
		input.Kind = GeneralPurpose.Name
	}
	kinds := t.parent.kinds()
	i := slices.IndexFunc(kinds, func(d Definition) bool { return d.Name == input.Kind })
	if i < 0 {
		return tool.Fail(fmt.Sprintf("There is no kind of agent called %q. There are: %s.", input.Kind, names(kinds)))
	}
	child, err := t.parent.descend(kinds[i], job.ToolUseID, input.MaxTurns, input.Model)
	if err != nil {
		return tool.Fail(err.Error())
	}
	if input.Mode == permission.Plan.String() && (child.descent.mode == 0 || permission.Plan.Tightens(child.descent.mode)) {
		child.descent.mode = permission.Plan
	}
	return child.deliver(ctx, input.Prompt)
}

func names(kinds []Definition) string {
	var list []string
	for _, d := range kinds {
		list = append(list, d.Name)
	}
	return strings.Join(list, ", ")
}

// descend makes a sub-agent.
func (a *Agent) descend(d Definition, callID string, maxTurns int, model string) (*Agent, error) {
	c := a.config
	c.System, c.MaxTurns = d.Prompt, maxTurns
	if d.MaxTurns > 0 && (maxTurns == 0 || d.MaxTurns < maxTurns) {
		c.MaxTurns = d.MaxTurns
	}
	c.Model = a.modelFor(model, d.Model)
	memory, err := session.Memory(session.NewID(), session.Start{Cwd: a.context().Cwd()})
	if err != nil {
		return nil, err
	}
	c.Transcript = within{memory, a.config.Transcript}
	c.Tools = slices.DeleteFunc(slices.Clone(c.Tools), func(r tool.Runner) bool {
		switch r.Name() {
		case "Task", "EnterPlanMode", "ExitPlanMode": // the mode is the session's
			return true
		}
		return !d.has(r.Name())
	})
	depth := 1
	if a.descent != nil {
		depth = a.descent.depth + 1
	}
	if !d.has("Task") {
		depth = maxDepth // it starts none itself, like the last in a row
	}
	child := &Agent{config: c, life: a.life, end: a.end, descent: &descent{
		parent: a, id: newAgentID(), kind: d.Name, callID: callID, depth: depth, mode: d.Mode,
	}}
	child.emit = child.upwards
	child.model.Store(&c.Model)
	child.runner.Store(a.runner.Load())
	return child, child.equip()
}

// within is the transcript of a sub-agent: its conversation is its own, but the session
// is its parent's.
type within struct {
	*session.Transcript
	parent Transcript
}

// Append keeps what is said to the sub-agent itself. What its calls ran with and returned,
// and what is for the person, nobody else would know of.
func (w within) Append(kind session.Kind, body any) error {
	switch kind {
	case session.Changed, session.Ran, session.Noted:
		return w.parent.Append(kind, body)
	default:
		return w.Transcript.Append(kind, body)
	}
}

// StillOurs is about the session, which is the parent's.
func (w within) StillOurs(ctx context.Context) error { return w.parent.StillOurs(ctx) }

func (w within) ID() string   { return w.parent.ID() }
func (w within) Path() string { return w.parent.Path() }

func newAgentID() string {
	var b [8]byte
	rand.Read(b[:]) // it never fails
	return "a" + hex.EncodeToString(b[:])
}

// upwards tells the parent what happens in a sub-agent. What is said is marked with the
// call that started it; where it begins and ends is the parent's to tell.
func (a *Agent) upwards(m wire.Message) {
	switch m := m.(type) {
	case *wire.Init, *wire.Result:
		return
	case *wire.Assistant:
		m.ParentToolUseID = orElse(m.ParentToolUseID, a.descent.callID)
	case *wire.User:
		m.ParentToolUseID = orElse(m.ParentToolUseID, a.descent.callID)
	case *wire.StreamEvent:
		m.ParentToolUseID = orElse(m.ParentToolUseID, a.descent.callID)
	case *wire.ToolProgress:
		m.ParentToolUseID = orElse(m.ParentToolUseID, a.descent.callID)
	}
	a.descent.parent.tell(m)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// taskInterrupted is what the model reads about a sub-agent that was stopped: nobody has
// looked at how far it had come.
const taskInterrupted = "Interrupted: the agent was stopped before it was done, and part of its work may have been done. Look at what is there before you start it again."

// deliver works the one prompt of a sub-agent off and makes a result of it.
func (a *Agent) deliver(ctx context.Context, prompt string) tool.Result {
	started := time.Now()
	verdict := a.hooks(ctx, hook.Occasion{Input: hook.SubagentStartInput{Base: a.base()}})
	a.opening = verdict.Context
	if verdict.Halt {
		a.tellHalt(verdict)
		a.root().halting.Store(true)
		return tool.Fail("The agent was not started: a hook stopped the session.")
	}
	end := a.Prompt(ctx, TextPrompt(prompt))
	a.root().spend(end)
	if stopped(ctx) {
		return tool.Result{Text: taskInterrupted, Outcome: tool.Interrupted}
	}
	if a.root().halting.Load() && end.Text == "" {
		return tool.Fail("The agent was stopped: a hook stopped the session.")
	}
	if end.IsError {
		return tool.Fail("The agent ended with an error: " + orElse(end.Text, strings.Join(end.Errors, "; ")))
	}
	result := tool.Succeed(orElse(end.Text, "The agent has nothing to report."))
	data, err := strictjson.Marshal(taskData{
		Status: "completed", AgentID: a.descent.id, Content: []taskText{{"text", result.Text}},
		TotalDurationMS: since(started), TotalTokens: end.Usage.InputTokens + end.Usage.OutputTokens, Usage: end.Usage,
	})
	if err == nil {
		result.Data = data
	}
	return result
}

type taskText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type taskData struct {
	Status          string     `json:"status"`
	AgentID         string     `json:"agentId"`
	Content         []taskText `json:"content"`
	TotalDurationMS int64      `json:"totalDurationMs"`
	TotalTokens     int        `json:"totalTokens"`
	Usage           any        `json:"usage"`
}
