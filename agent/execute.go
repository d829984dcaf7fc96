package agent

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
)

// verdictInterrupted is what the model reads about a call that was cut off.
const verdictInterrupted = "Not run: the work was interrupted."

// execute runs a call that is allowed. Its record comes first: what cannot be recorded
// does not run. Hooks and the record take their time, so somebody may have ended the work
// meanwhile, or another machine have taken the session: the record of a call that does not
// run for that is followed by one that says so.
func (r *run) execute(ctx context.Context, m *matter) outcome {
	runner, there := r.tools.find(m.Name)
	switch {
	case !there:
		return r.error(m, "Not run: the tool is gone.")
	case m.halt: // a hook wants to stop here: the call is listed as denied
		return r.refuse(m, joined("Not run: a hook stopped the session", m.judged.Verdict.HaltReason))
	case m.Name == "ExitPlanMode" && m.snapshot.Mode() != permission.Plan:
		return r.error(m, "Not run: the session is not in plan mode, so there is none to leave.")
	}
	m.asking.Wait() // who else was asked is on record, too
	if stopped(ctx) {
		return r.cutOff(m)
	}
	if err := r.Broken(); err != nil { // what is behind the record that is missing does not happen
		return r.unrecorded(m, err)
	}
	if err := r.record(m, allowed, ""); err != nil {
		return r.unrecorded(m, err)
	}
	if err := r.recordChange(m); err != nil {
		return r.unrecorded(m, err)
	}
	if stopped(ctx) {
		return r.cutOff(m)
	}
	switch err := r.config.Transcript.StillOurs(ctx); {
	case stopped(ctx):
		return r.cutOff(m)
	case err != nil:
		return r.astray(m, err)
	}
	var claim Claim
	if m.parked != nil {
		var err error
		if claim, err = r.claim(ctx, m); err != nil {
			return r.unclaimed(m, err)
		}
		if err := r.config.Transcript.StillOurs(outlive(ctx)); err != nil { // a claim takes its time as well
			return r.astray(m, err)
		}
		if stopped(ctx) {
			return r.release(ctx, m, claim)
		}
	}
	if m.announced {
		m.context = append(m.context, "A hook changed the input of this call. It ran with: "+string(m.judged.Input))
	}
	news := r.progress(m)
	result := runSafely(ctx, runner, tool.Job{
		Call: m.judged.Call, Input: m.judged.Input, ToolUseID: m.ID, Cwd: m.snapshot.Cwd(), MayRead: r.mayRead(m.snapshot), Begins: r.config.Transcript.StillOurs, Progress: news.heard,
	})
	news.end()
	if m.parked != nil && result.Outcome == tool.NothingDone && stopped(ctx) {
		return r.release(ctx, m, claim)
	}
	if result.Mode != 0 {
		r.switchMode(result.Mode)
	}
	o := r.after(ctx, m, result)
	o.claim = claim
	return o
}

// cutOff is a call that does not run because somebody ended the work. One that was parked
// waits on.
func (r *run) cutOff(m *matter) outcome {
	if m.parked == nil {
		return r.refuse(m, verdictInterrupted)
	}
	return r.waitOn(m, "The work was interrupted before the call ran: it waits on.")
}

// astray is a call that does not run because the session may be another machine's by now.
// Whoever has it goes on from what the transcript says, and nothing is added to that here.
func (r *run) astray(m *matter, why error) outcome {
	if err := r.record(m, failed, "Not run: "+why.Error()); err != nil {
		return r.unrecorded(m, err)
	}
	return r.unrecorded(m, why)
}

// recordChange writes down what runs, where it is not what the model wrote.
func (r *run) recordChange(m *matter) error {
	if sameJSON(m.judged.Input, m.call.Input) {
		return nil
	}
	change := session.Change{ToolUseID: m.ID, Agent: r.base().AgentID, Input: m.judged.Input, By: []string{}}
	for _, c := range m.changes {
		change.By = append(change.By, c.Hook)
	}
	if m.edited {
		change.By = append(change.By, m.answeredBy())
	}
	return r.config.Transcript.Append(session.Changed, change)
}

// runSafely runs a tool. One that panics has failed; it does not take the session with it.
func runSafely(ctx context.Context, runner tool.Runner, job tool.Job) (result tool.Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = tool.Fail(fmt.Sprintf("The tool failed: %v (please report it)", fault))
		}
		result = recordable(result)
	}()
	return runner.Run(ctx, job)
}

// recordable is a result that can be written down, whatever the tool says. The call has
// run: a byte that is no text must not keep that off the record.
func recordable(result tool.Result) tool.Result {
	result.Text = strings.ToValidUTF8(result.Text, "\uFFFD")
	if strictjson.Valid(result.Data) == nil {
		return result
	}
	if result.Data = bytes.ToValidUTF8(result.Data, []byte("\uFFFD")); strictjson.Valid(result.Data) != nil {
		result.Data = nil // which means the text
	}
	return result
}

// tellHalt says that a hook stops the session, and why.
func (a *Agent) tellHalt(verdict hook.Verdict) {
	if verdict.Halt {
		a.warn("A hook stopped the session: %s", orElse(verdict.HaltReason, "it gave no reason"))
	}
}

// switchMode changes the mode for a tool.
func (r *run) switchMode(mode permission.Mode) {
	change := r.SetMode
	if mode != permission.Plan {
		change = r.leavePlan
	}
	if err := change(mode); err != nil {
		r.warn("The permission mode stays as it is: %v.", err)
	}
}

// mayRead judges files that a search finds: those that a rule keeps from being read are
// left out. An agent that has no Read may search all the same.
func (r *run) mayRead(snapshot *permission.Context) func(string) bool {
	reading := sync.OnceValue(func() *permission.Engine { return permission.NewEngine(onlyRead{}, r.config.Links) })
	return func(path string) bool {
		input, err := strictjson.Marshal(map[string]string{"file_path": path})
		if err != nil {
			return false
		}
		call, err := reading().Validate(snapshot, permission.Request{Tool: "Read", Input: input})
		if err != nil {
			return false
		}
		d := reading().Decide(snapshot, call)
		byRule := d.Reason.Kind == permission.ByRule || d.Reason.Kind == permission.ByMaybeRule
		return d.Behavior == permission.Allow || !byRule && d.Behavior == permission.Ask
	}
}

// onlyRead is a toolbox with Read in it.
type onlyRead struct{}

func (onlyRead) Lookup(name string) (permission.Tool, bool) {
	for _, d := range tool.Builtin() {
		if d.Name() == "Read" && name == "Read" {
			return d, true
		}
	}
	return nil, false
}

// after hears the hooks about what came of a call, and makes the result of it.
func (r *run) after(ctx context.Context, m *matter, result tool.Result) outcome {
	o := outcome{context: m.context, halt: m.halt, data: data(result)}
	longer, over := outliving(ctx)
	defer over()
	verdict := r.hooks(longer, hook.Occasion{Input: r.afterInput(m, result, o.data), ToolUseID: m.ID, Call: m.judged.Call})
	o.context = append(o.context, verdict.Feedback...)
	o.context = append(o.context, verdict.Context...)
	o.halt = o.halt || verdict.Halt
	r.tellHalt(verdict)
	shown := result
	if replaced := firstOf(verdict.ToolOutput, verdict.MCPToolOutput); replaced != nil && result.Outcome == tool.Succeeded {
		if err := r.config.Transcript.Append(session.Ran, ran{ToolUseID: m.ID, Agent: r.base().AgentID, Data: o.data, Text: result.Text}); err != nil {
			o.err = r.giveUp(err)
			return o
		}
		shown.Text, shown.Blocks = plain(replaced), nil
	}
	o.result = model.Block{
		Kind: model.ToolResult, ToolUseID: m.ID, IsError: result.Outcome != tool.Succeeded, Result: blocks(shown),
	}
	if o.result.IsError {
		o.data = quoted("Error: " + result.Text)
	}
	return o
}

// afterInput is what hooks are told about a call that ran.
func (r *run) afterInput(m *matter, result tool.Result, data strictjson.Raw) hook.Input {
	base := r.base()
	if result.Outcome == tool.Succeeded {
		return hook.PostToolUseInput{Base: base, ToolName: m.Name, ToolInput: m.judged.Input, ToolResponse: data, ToolUseID: m.ID}
	}
	return hook.PostToolUseFailureInput{
		Base: base, ToolName: m.Name, ToolInput: m.judged.Input, ToolUseID: m.ID,
		Error: result.Text, IsInterrupt: result.Outcome.Cut(),
	}
}

// ran is a result as it was before a hook changed what the model sees of it.
type ran struct {
	ToolUseID string         `json:"tool_use_id"`
	Agent     string         `json:"agent,omitzero"` // a sub-agent
	Text      string         `json:"text"`
	Data      strictjson.Raw `json:"data"`
}

// data is the result for programs.
func data(result tool.Result) strictjson.Raw {
	if result.Data != nil {
		return result.Data
	}
	return quoted(result.Text)
}

// blocks are what the model sees of a result.
func blocks(result tool.Result) []model.Block {
	if result.Blocks == nil {
		return []model.Block{model.TextBlock(result.Text)}
	}
	list := make([]model.Block, 0, len(result.Blocks))
	for _, raw := range result.Blocks {
		var block model.Block
		if err := strictjson.Unmarshal(raw, &block); err != nil {
			block = model.TextBlock(strings.ToValidUTF8(string(raw), "\uFFFD"))
		}
		list = append(list, block)
	}
	return list
}

// plain is a value of a hook as text: a string is itself, anything else its JSON.
func plain(value strictjson.Raw) string {
	var text string
	if err := strictjson.Unmarshal(value, &text); err == nil {
		return text
	}
	return string(value)
}

func firstOf(values ...strictjson.Raw) strictjson.Raw {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// refuse is a call that may not run: it is on record and listed.
func (r *run) refuse(m *matter, text string) outcome {
	o := r.notRun(m, denied, text)
	o.denied = o.err == nil
	return o
}

// error is a call that cannot run, because it is none: it is on record and not listed.
func (r *run) error(m *matter, text string) outcome { return r.notRun(m, failed, text) }

// notRun puts a verdict on record. That on a parked call has to be claimed at the desk
// before.
func (r *run) notRun(m *matter, v verdict, text string) outcome {
	m.asking.Wait()
	o := failure(m.call, text)
	o.halt, o.context = m.halt, m.context
	if m.parked != nil {
		o.verdict = v
		return o
	}
	if err := r.record(m, v, text); err != nil {
		return r.unrecorded(m, err)
	}
	return o
}

// unrecorded is a decision that could not be written down.
func (r *run) unrecorded(m *matter, err error) outcome {
	o := failure(m.call, "Not run: the decision could not be recorded.")
	o.err = r.giveUp(err)
	return o
}
